import ContentLines
import Text
import TextDecoding

/// A property that is being written: its header in parts, and its encoded value.
struct PropertyLine {
    /// The group without its dot; may be empty.
    var group = ""
    /// The name as written.
    var name: String
    /// The parameters in order.
    var parameters: [ContentParameter] = []
    /// The encoded value, unfolded.
    var content: [UInt8] = []
    /// Whether `content` is quoted-printable, which is folded by soft breaks.
    var isQuotedPrintable = false
    /// Whether `content` is a whole line that is not a property and is kept unchanged.
    var isBare = false

    /// Creates a new line.
    init(_ name: String, _ parameters: [ContentParameter] = [], content: [UInt8] = [], group: String = "") {
        self.name = name
        self.parameters = parameters
        self.content = content
        self.group = group
    }

    /// Creates the line of an existing property, to be changed in part.
    init(_ property: Card.Property, of card: Card) {
        group = TextDecoding.decode(card.unfolded(property.group, property))
        name = TextDecoding.decode(card.unfolded(property.name, property))
        parameters = card.parameters(property)
        content = card.content(property)
        isQuotedPrintable = property.flags.contains(.quotedPrintable)
        isBare = property.kind == .unreadable
    }

    /// The folded bytes of the line; each physical line ends with `lineEnd`.
    func bytes(lineEnd: [UInt8], version: VCardVersion) -> [UInt8] {
        if isBare { return content + lineEnd }
        let prefix = group.isEmpty ? name : "\(group).\(name)"
        let line = Array("\(prefix)\(parameters.map(\.text).joined()):".utf8) + content
        if isQuotedPrintable { return LineFolding.softlyBroken(line, lineEnd) }
        // 2.1 can only fold at a space, which few readers unfold.
        return version == .v2 && !isBase64 ? line + lineEnd : LineFolding.folded(line, lineEnd)
    }

    private var isBase64: Bool {
        parameters.contains { ["BASE64", "B"].contains($0.written.uppercased()) && $0.name.uppercased() != "TYPE" }
    }
}

extension PropertyLine {
    /// Sets the value, encoded for `version`.
    ///
    /// `existing` are the current components, as `ValueEncoding` expects them.
    mutating func setValue(
        _ value: PropertyValue, _ kind: PropertyKind, version: VCardVersion, existing: [String] = []
    ) {
        let drops: Set<String> = ["ENCODING", "CHARSET", "VALUE", "X-APPLE-OMIT-YEAR"]
        parameters.removeAll { parameter in
            drops.contains(parameter.name.uppercased())
                || parameter.name.isEmpty
                    && ["QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT"].contains(parameter.written.uppercased())
        }
        var value = value
        if case .date(let date) = value {
            let (text, extra) = ValueEncoding.date(date, version)
            parameters += extra
            value = .text(text)
        }
        let encoded = ValueEncoding.encode(value, version, existing: existing)
        // A link is the default of a related person.
        if kind == .related, case .text = value { parameters.append(ContentParameter("VALUE", written: "text")) }
        isQuotedPrintable = version == .v2 && encoded.needsQuotedPrintable
        content = isQuotedPrintable ? encoded.quotedPrintable : Array(encoded.plain.utf8)
        if isQuotedPrintable {
            parameters.append(ContentParameter("CHARSET", written: "UTF-8"))
            parameters.append(ContentParameter("ENCODING", written: "QUOTED-PRINTABLE"))
        }
    }

    /// Replaces the `TYPE` values of the label; preference and technical values are kept.
    mutating func setLabel(_ words: [String], version: VCardVersion) {
        var isWritten = words.isEmpty
        func isKept(_ word: String) -> Bool {
            let bytes = Array(word.utf8)
            return LabelWord.byType.value(of: bytes.span).map { $0 == nil } ?? false
        }
        func spelled(_ words: [String]) -> [String] { words.map { version == .v4 ? $0.lowercased() : $0 } }
        var result: [ContentParameter] = []
        for parameter in parameters {
            guard parameter.name.isEmpty || parameter.name.uppercased() == "TYPE" else {
                result.append(parameter)
                continue
            }
            var values = parameter.values.filter(isKept)
            if !isWritten, !parameter.name.isEmpty {
                values = spelled(words) + values
                isWritten = true
            }
            if values.isEmpty { continue }
            if values == parameter.values {
                result.append(parameter)
            } else {
                result.append(ContentParameter(parameter.name, written: values.joined(separator: ",")))
            }
        }
        if !isWritten {
            result += PropertyLine.typeParameters(spelled(words), version: version)
        }
        parameters = result
    }

    /// Returns the line with a label in the form of its kind: the service of a messenger or profile, or a relation of vCard 4.0;
    /// nil for other labels.
    func written(_ label: String, _ kind: PropertyKind, version: VCardVersion) -> PropertyLine? {
        var line = self
        let words = label.split(separator: " ").map(String.init)
        switch kind {
        case .related where version == .v4:
            guard let types = RelatedPerson.types(of: label) else { return nil }
            line.setLabel(types, version: version)
            return line
        case .messenger, .socialProfile:
            let services: Set = ["SERVICE-TYPE", "X-SERVICE-TYPE"]
            line.parameters.removeAll { services.contains($0.name.uppercased()) }
            let places = words.prefix { LabelWord.places.contains($0.lowercased()) }
            let rest = words.dropFirst(places.count).joined(separator: " ")
            line.setLabel(places.map { $0.uppercased() }, version: version)
            if rest.isEmpty { return line }
            guard let service = MessengerAddress.serviceName(rest) else { return nil }
            if kind == .messenger {
                line.parameters.append(ContentParameter("X-SERVICE-TYPE", written: ContentParameter.quoted(service)))
            } else if name.uppercased() == "SOCIALPROFILE" {
                line.parameters.append(ContentParameter("SERVICE-TYPE", written: ContentParameter.quoted(service)))
            } else {
                line.setLabel(places.map { $0.uppercased() } + [rest.lowercased()], version: version)
            }
            return line
        default: return nil
        }
    }

    /// Sets the preference; before 4.0 only the preferred value can be marked.
    mutating func setPreference(_ preference: Int, version: VCardVersion) {
        switch version {
        case .v4: parameters.append(ContentParameter("PREF", written: String(preference)))
        case .v3, .v2:
            if preference == 1 { parameters += PropertyLine.typeParameters(["pref"], version: version) }
        }
    }

    /// `TYPE` with these values in the syntax of `version`: bare words in 2.1.
    static func typeParameters(_ types: [String], version: VCardVersion) -> [ContentParameter] {
        if types.isEmpty { return [] }
        if version == .v2 {
            return types.map { type in
                ContentParameter(
                    "",
                    written: String(
                        type.uppercased().unicodeScalars.map {
                            ";:,=\"".unicodeScalars.contains($0) ? "-" : Character($0)
                        }))
            }
        }
        return [ContentParameter("TYPE", written: types.map(ContentParameter.quoted).joined(separator: ","))]
    }
}
