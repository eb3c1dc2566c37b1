extension ContactDetails {
    /// Sets a part of the name, and the same part of the displayed name.
    ///
    /// A displayed name of the parts alone is composed again. Any other, such as `Lovelace, Ada` or `山田太郎`, gets the new
    /// part in place of the old one, and is composed again only if it does not contain the old one.
    mutating func setNamePart(_ part: WritableKeyPath<StructuredName, String>, _ value: String) {
        let isDerived = formattedName.isEmpty || formattedName == name.formatted
        let before = name
        name[keyPath: part] = value
        if isDerived {
            formattedName = name.formatted
        } else if let changed = displayedName(replacing: part, of: before, by: value) {
            formattedName = changed.isEmpty ? name.formatted : changed
        } else {
            formattedName = name.formatted
        }
    }

    /// The displayed name with a part of `name` replaced; nil if its place cannot be found.
    private func displayedName(
        replacing part: WritableKeyPath<StructuredName, String>, of name: StructuredName, by value: String
    ) -> String? {
        let text = formattedName
        let old = name[keyPath: part]
        if let place = text.place(ofNamePart: old, isLast: part == \.family || part == \.suffix) {
            let changed = text.replacingCharacters(in: place, with: value)
            return value.isEmpty ? changed.withoutGaps : changed
        }
        if value.isEmpty || text.place(ofNamePart: value) != nil { return text }
        guard old.isEmpty else { return nil }
        if part == \.prefix { return "\(value) \(text)" }
        if part == \.suffix { return "\(text) \(value)" }
        if part != \.given, let place = text.place(ofNamePart: name.given) {
            return text.replacingCharacters(in: place, with: "\(name.given) \(value)")
        }
        return text.place(ofNamePart: name.family, isLast: true).map {
            text.replacingCharacters(in: $0, with: "\(value) \(name.family)")
        }
    }
}

extension String {
    /// The place of a part of a name: the first or last whole word that it is. In scripts without spaces it is the start
    /// or end of the text.
    fileprivate func place(ofNamePart part: String, isLast: Bool = false) -> Range<Index>? {
        guard !part.isEmpty else { return nil }
        func isWordEnd(_ character: Character?) -> Bool { character.map { !$0.isLetter && !$0.isNumber } ?? true }
        let places = ranges(of: part)
        let words = places.filter { place in
            isWordEnd(self[..<place.lowerBound].last) && isWordEnd(self[place.upperBound...].first)
        }
        if let word = isLast ? words.last : words.first { return word }
        guard part.unicodeScalars.allSatisfy(\.isWrittenWithoutSpaces) else { return nil }
        return places.first { $0.lowerBound == startIndex || $0.upperBound == endIndex }
    }

    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }

    /// The text without the spaces and commas around a word that was removed.
    fileprivate var withoutGaps: String {
        let words = split(separator: " ").map(String.init).filter { $0 != "," }
        let text = words.joined(separator: " ").replacing(" ,", with: ",")
        return String(text.trimmingPrefix { $0 == "," || $0 == " " }).trimmed.withoutLastComma
    }

    private var withoutLastComma: String { hasSuffix(",") ? String(dropLast()) : self }
}

extension Unicode.Scalar {
    /// Whether it is a letter of Chinese, Japanese or Korean.
    fileprivate var isWrittenWithoutSpaces: Bool {
        (0x2E80...0xD7AF).contains(value) || (0xF900...0xFAFF).contains(value) || (0x20000...0x3FFFF).contains(value)
    }
}
