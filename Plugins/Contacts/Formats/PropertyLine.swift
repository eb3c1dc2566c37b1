import PlainText

/// A property that is being written: its header in parts, and its value already encoded.
struct PropertyLine {
    /// The group without its dot; empty when there is none.
    var group = ""
    /// The name as it is written.
    var name: String
    /// The parameters in order.
    var parameters: [Card.Parameter] = []
    /// The encoded value, unfolded.
    var content: [UInt8] = []
    /// Whether `content` is quoted-printable, which is folded by soft breaks.
    var isQuotedPrintable = false
    /// Whether `content` is a whole line that is no property, kept as it is.
    var isBare = false

    /// A new line.
    init(_ name: String, _ parameters: [Card.Parameter] = [], content: [UInt8] = [], group: String = "") {
        self.name = name
        self.parameters = parameters
        self.content = content
        self.group = group
    }

    /// The line of an existing property, to be changed in part.
    init(_ property: Card.Property, of card: Card) {
        group = TextDecoding.decode(Array(card.bytes[property.group]))
        name = TextDecoding.decode(card.unfolded(property.name, property))
        parameters = card.parameters(property)
        content = card.content(property)
        isQuotedPrintable = property.flags.contains(.quotedPrintable)
        isBare = property.kind == .unreadable
    }

    /// The bytes of the line with its folds, each physical line ended by `lineEnd`.
    func bytes(lineEnd: [UInt8], version: VCardVersion) -> [UInt8] {
        if isBare { return content + lineEnd }
        let prefix = group.isEmpty ? name : "\(group).\(name)"
        let line = Array("\(prefix)\(parameters.map(\.text).joined()):".utf8) + content
        if isQuotedPrintable { return LineFolding.softlyBroken(line, lineEnd) }
        // 2.1 can only fold at a space, which few readers undo.
        return version == .v2 && !isBase64 ? line + lineEnd : LineFolding.folded(line, lineEnd)
    }

    private var isBase64: Bool {
        parameters.contains { ["BASE64", "B"].contains($0.value.uppercased()) && $0.name.uppercased() != "TYPE" }
    }
}

extension PropertyLine {
    /// Gives the line another value, spelled as `version` wants it.
    ///
    /// `existing` are the components that the line has now, as `ValueEncoding` takes them.
    mutating func setValue(
        _ value: PropertyValue, _ kind: PropertyKind, version: VCardVersion, existing: [String] = []
    ) {
        let drops: Set<String> = ["ENCODING", "CHARSET", "VALUE", "X-APPLE-OMIT-YEAR"]
        parameters.removeAll { parameter in
            drops.contains(parameter.name.uppercased())
                || parameter.name.isEmpty
                    && ["QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT"].contains(parameter.value.uppercased())
        }
        var value = value
        if case .date(let date) = value {
            let (text, extra) = ValueEncoding.date(date, version)
            parameters += extra
            value = .text(text)
        }
        let encoded = ValueEncoding.encode(value, version, existing: existing)
        isQuotedPrintable = version == .v2 && encoded.needsQuotedPrintable
        content = isQuotedPrintable ? encoded.quotedPrintable : Array(encoded.plain.utf8)
        if isQuotedPrintable {
            parameters.append(Card.Parameter(name: "CHARSET", value: "UTF-8"))
            parameters.append(Card.Parameter(name: "ENCODING", value: "QUOTED-PRINTABLE"))
        }
    }

    /// Replaces the words of `TYPE` that people see as the kind; preference and technical words stay.
    mutating func setLabel(_ words: [LabelWord], version: VCardVersion) {
        var isWritten = words.isEmpty
        func isKept(_ word: String) -> Bool {
            let bytes = Array(word.utf8)
            return LabelWord.byType.value(of: bytes.span).map { $0 == nil } ?? false
        }
        func spelled(_ words: [LabelWord]) -> [String] {
            words.map { version == .v4 ? $0.type.lowercased() : $0.type }
        }
        var result: [Card.Parameter] = []
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
                result.append(Card.Parameter(name: parameter.name, value: values.joined(separator: ",")))
            }
        }
        if !isWritten {
            result += PropertyLine.typeParameters(spelled(words), version: version)
        }
        parameters = result
    }

    /// Says how much the value is preferred; before 4.0 only the best one can be told from the others.
    mutating func setPreference(_ preference: Int, version: VCardVersion) {
        switch version {
        case .v4: parameters.append(Card.Parameter(name: "PREF", value: String(preference)))
        case .v3, .v2:
            if preference == 1 { parameters += PropertyLine.typeParameters(["pref"], version: version) }
        }
    }

    /// `TYPE` with these values as `version` writes it: bare words in 2.1.
    static func typeParameters(_ types: [String], version: VCardVersion) -> [Card.Parameter] {
        if types.isEmpty { return [] }
        if version == .v2 {
            return types.map { type in
                Card.Parameter(name: "", value: String(type.uppercased().map { ";:,=\"".contains($0) ? "-" : $0 }))
            }
        }
        return [Card.Parameter(name: "TYPE", value: types.map(quoted).joined(separator: ","))]
    }

    /// A value of a parameter, in quotes where it holds a separator; there are no quotes inside quotes.
    static func quoted(_ value: String) -> String {
        let plain = value.replacing("\"", with: "'")
        return plain.contains { ",;:".contains($0) } ? "\"\(plain)\"" : plain
    }
}
