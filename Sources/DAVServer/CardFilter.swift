import XML

/// The filter of `addressbook-query` (RFC 6352 §10.5).
struct CardFilter {
    /// How the parts are combined.
    enum Test { case any, all }

    /// A condition on a property.
    struct PropertyFilter {
        let name: String
        let test: Test
        let isUndefined: Bool
        let texts: [TextMatch]
        let parameters: [ParameterFilter]
    }

    /// A condition on a parameter.
    struct ParameterFilter {
        let name: String
        let isUndefined: Bool
        let text: TextMatch?
    }

    let test: Test
    let properties: [PropertyFilter]

    init(_ element: XMLElement) throws(DAVFailure) {
        test = Self.test(element)
        var filters: [PropertyFilter] = []
        for child in element.children {
            guard child.name == DAVName.card("prop-filter") else { throw Self.unsupported }
            filters.append(try PropertyFilter(child))
        }
        properties = filters
    }

    fileprivate static let unsupported = DAVFailure(403, "<card:supported-filter/>")

    fileprivate static func test(_ element: XMLElement) -> Test {
        element.attributes[XMLName("", "test")] == "allof" ? .all : .any
    }

    /// Whether a card passes. Without a condition every card does.
    func matches(_ content: [UInt8]) -> Bool {
        if properties.isEmpty { return true }
        let card = CardLines(content, named: properties.map(\.name))
        return test == .all
            ? properties.allSatisfy { $0.matches(card) } : properties.contains { $0.matches(card) }
    }
}

extension CardFilter.PropertyFilter {
    fileprivate init(_ element: XMLElement) throws(DAVFailure) {
        guard let name = element.attributes[XMLName("", "name")] else { throw CardFilter.unsupported }
        self.name = name.uppercased()
        test = CardFilter.test(element)
        isUndefined = element.child(DAVName.card("is-not-defined")) != nil
        var texts: [TextMatch] = []
        var parameters: [CardFilter.ParameterFilter] = []
        for child in element.children {
            switch child.name {
            case DAVName.card("text-match"): texts.append(try TextMatch(child, .card))
            case DAVName.card("param-filter"):
                guard let name = child.attributes[XMLName("", "name")] else { throw CardFilter.unsupported }
                var text: TextMatch?
                if let match = child.child(DAVName.card("text-match")) { text = try TextMatch(match, .card) }
                parameters.append(
                    CardFilter.ParameterFilter(
                        name: name.uppercased(), isUndefined: child.child(DAVName.card("is-not-defined")) != nil,
                        text: text))
            case DAVName.card("is-not-defined"): continue
            default: throw CardFilter.unsupported
            }
        }
        (self.texts, self.parameters) = (texts, parameters)
    }

    fileprivate func matches(_ card: CardLines) -> Bool {
        let lines = card.lines.filter { $0.name == name || $0.groupedName == name }
        if isUndefined { return lines.isEmpty }
        if texts.isEmpty, parameters.isEmpty { return !lines.isEmpty }
        return lines.contains { line in
            let results =
                texts.map { $0.matches(line.values) } + parameters.map { $0.matches(line) }
            return test == .all ? results.allSatisfy(\.self) : results.contains(true)
        }
    }
}

extension CardFilter.ParameterFilter {
    fileprivate func matches(_ line: CardLines.Line) -> Bool {
        let values = line.parameters.filter { $0.name == name }.flatMap(\.values)
        if isUndefined { return values.isEmpty }
        guard let text else { return !values.isEmpty }
        return text.matches(values)
    }
}
