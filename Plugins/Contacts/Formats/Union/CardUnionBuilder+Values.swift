import ContentLines

/// Fields with several values: the union by main value, with the labels of both.
extension CardUnionBuilder {
    mutating func mergeValues() {
        let kinds: [PropertyKind] = [.phone, .email, .url, .messenger, .socialProfile, .serviceMessenger, .address]
        var known: [String: Int] = [:]
        /// The values with their labels: a value under two labels is two statements.
        var labeled: Set<[String]> = []
        for (place, property) in card.properties.enumerated() where kinds.contains(property.kind) {
            guard let key = key(property, in: card) else { continue }
            labeled.insert([key, card.typeWords(property).label])
            if known[key] == nil { known[key] = place }
        }
        for (place, property) in other.properties.enumerated() where kinds.contains(property.kind) {
            guard let key = key(property, in: other), hasContent(place, in: other) else { continue }
            let label = other.typeWords(property).label
            let isKnown = labeled.contains([key, label])
            if let place = known[key], canJoin(place, property) {
                let isThere = !isKnown || card.typeWords(card.properties[place]).label == label
                if isThere { joinKinds(of: place, with: property) }
            } else if !isKnown {
                labeled.insert([key, label])
                addValue(property)
            }
        }
    }

    /// Whether the label of a value that both cards have can become one of the property at `place`: a card has one custom
    /// label per property.
    private func canJoin(_ place: Int, _ property: Card.Property) -> Bool {
        other.customLabel(property) == nil || card.typeWords(card.properties[place]).label.isEmpty
    }

    private func key(_ property: Card.Property, in card: Card) -> String? {
        MainValue.of(property, in: card, region: region).map { "\(property.kind.rawValue)\n\($0)" }
    }

    private mutating func addValue(_ property: Card.Property) {
        var line = renamed(PropertyLine(property, of: other), property)
        if isPreferred(property.kind) { line.dropPreference() }
        let place = patch.place(for: property.kind)
        add(line, behind: place)
        addLabel(of: property, to: line.group, behind: place)
    }

    /// Whether the card has a preferred value of this kind.
    private mutating func isPreferred(_ kind: PropertyKind) -> Bool {
        let isPreferred =
            preferred[kind]
            ?? card.properties.contains { $0.kind == kind && card.typeWords($0).preference != nil }
        preferred[kind] = isPreferred
        return isPreferred
    }

    /// Adds missing `TYPE` values, and a custom label if there is none.
    private mutating func joinKinds(of place: Int, with property: Card.Property) {
        if let label = other.customLabel(property) {
            patch.apply(.relabel(place, label))
            hasChanged = true
            return
        }
        var line = patch.line(place)
        guard line.addTypes(PropertyLine(property, of: other).types, version: card.version) else { return }
        patch.replace(place, by: line)
        hasChanged = true
    }
}

extension PropertyLine {
    /// The values of `TYPE` and the bare words of 2.1, in lower case, without the preference.
    fileprivate var types: [String] {
        parameters.filter { $0.name.isEmpty || $0.name.uppercased() == "TYPE" }.flatMap(\.values)
            .map { $0.lowercased() }.filter { !["pref", "quoted-printable", "base64", "8bit", "7bit"].contains($0) }
    }

    /// Adds the missing words; returns false if there are none.
    fileprivate mutating func addTypes(_ words: [String], version: VCardVersion) -> Bool {
        var known = Set(types)
        let news = words.filter { known.insert($0).inserted }
        guard !news.isEmpty else { return false }
        let spelled = version == .v4 ? news : news.map { $0.uppercased() }
        if version != .v2, let place = parameters.firstIndex(where: { $0.name.uppercased() == "TYPE" }) {
            let values = parameters[place].values + spelled
            parameters[place] = ContentParameter(parameters[place].name, written: values.joined(separator: ","))
        } else {
            parameters += PropertyLine.typeParameters(spelled, version: version)
        }
        return true
    }

    /// Removes the preference, since the card already has a preferred value.
    fileprivate mutating func dropPreference() {
        parameters = parameters.compactMap { parameter in
            if parameter.name.uppercased() == "PREF" { return nil }
            guard parameter.name.isEmpty || parameter.name.uppercased() == "TYPE" else { return parameter }
            let values = parameter.values.filter { $0.uppercased() != "PREF" }
            if values.count == parameter.values.count { return parameter }
            return values.isEmpty ? nil : ContentParameter(parameter.name, written: values.joined(separator: ","))
        }
    }
}

/// The normalised value by which list items are compared.
enum MainValue {
    /// The value of `property` for comparison; nil for properties that are compared line by line.
    static func of(_ property: Card.Property, in card: Card, region: CallingCode?) -> String? {
        switch property.kind {
        case .phone:
            let text = card.plainValue(property)
            let number = PhoneNumber(text, region: region)
            let line = number.e164 ?? number.digits
            return line.isEmpty ? text.lowercased() : "\(line);\(number.extension)"
        case .email: return card.plainValue(property).lowercased()
        case .url: return url(card.trimmedText(property))
        case .messenger, .socialProfile, .serviceMessenger: return card.trimmedText(property).lowercased()
        case .address:
            return card.components(property).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
                .map { $0.lowercased() }.joined(separator: ";").droppingEmptyEnd
        default: return nil
        }
    }

    /// Normalises a URL: scheme and host in lower case, without a trailing slash as path.
    private static func url(_ text: String) -> String {
        guard let colon = text.firstRange(of: "://") else { return text }
        let rest = text[colon.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        var path = rest[end...]
        if path == "/" { path = "" }
        return text[..<colon.lowerBound].lowercased() + "://" + rest[..<end].lowercased() + path
    }
}

extension String {
    /// The text without the semicolons of trailing empty components.
    fileprivate var droppingEmptyEnd: String {
        var text = self
        while text.last == ";" { text.removeLast() }
        return text
    }
}
