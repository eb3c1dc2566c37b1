import ContentLines
import TextDecoding

/// The text of properties: unfolded, decoded and unescaped.
extension Card {
    /// The value of a property as text.
    package func text(_ property: Property) -> String {
        if isPlain(property), let plain = plainText(property.value) { return plain }
        return decoded(unescaped(rawContent(property), property), property)
    }

    /// The name of a property as written, without folds.
    func name(_ property: Property) -> String {
        if isPlain(property), let plain = plainText(property.name) { return plain }
        return TextDecoding.decode(unfolded(property.name, property))
    }

    /// The trimmed value of a property as text.
    func trimmedText(_ property: Property) -> String {
        if isPlain(property), let plain = plainText(trimmed(property.value)) { return plain }
        return text(property).trimmed
    }

    /// The trimmed components of a structured value (`N`, `ADR`, `ORG`), split at unescaped semicolons.
    ///
    /// Programs omit empty components at the end, and newer standards add some, so the count varies.
    package func components(_ property: Property) -> [String] {
        split(property, at: ASCII.semicolon)
    }

    /// The items of a list (`CATEGORIES`, `NICKNAME`), split at unescaped commas.
    package func list(_ property: Property) -> [String] {
        split(property, at: ASCII.comma).filter { !$0.isEmpty }
    }

    /// The components as written, still escaped.
    func rawComponents(_ property: Property) -> [String] {
        pieces(of: rawContent(property), at: ASCII.semicolon).map { TextDecoding.decode(Array($0)) }
    }

    private func split(_ property: Property, at separator: UInt8) -> [String] {
        if isPlain(property), let parts = plainParts(property.value, separator) { return parts }
        return pieces(of: rawContent(property), at: separator).map {
            decoded(unescaped($0, property), property).trimmed
        }
    }

    /// Returns `content` split at each `separator` without a backslash before it.
    private func pieces(of content: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = content.startIndex
        var index = start
        while index < content.endIndex {
            if content[index] == separator {
                pieces.append(content[start..<index])
                start = index + 1
            } else if content[index] == ASCII.backslash {
                index += 1
            }
            index += 1
        }
        pieces.append(content[start...])
        return pieces
    }

    /// The value without copying it, if it is not folded.
    private func rawContent(_ property: Property) -> ArraySlice<UInt8> {
        property.flags.contains(.folded) ? content(property)[...] : bytes[property.value]
    }

    /// The value without folds and soft breaks, still escaped and encoded.
    func content(_ property: Property) -> [UInt8] {
        unfolded(property.value, property)
    }

    /// Returns a range of a property without folds and soft breaks.
    ///
    /// 2.1 folds values at a space that belongs to the text, except in base64; the later versions insert the space.
    func unfolded(_ range: Range<Int>, _ property: Property) -> [UInt8] {
        guard property.flags.contains(.folded) else { return Array(bytes[range]) }
        guard range.lowerBound >= property.value.lowerBound else { return bytes.span.unfolded(range) }
        return bytes.span.unfolded(
            range, keepingBlanks: version == .v2 && !property.flags.contains(.base64),
            joiningSoftBreaks: property.flags.contains(.quotedPrintable))
    }
}

/// The fast path for values that need no decoding, which are nearly all.
extension Card {
    /// Whether the bytes of the value are its text, unless a byte needs decoding.
    func isPlain(_ property: Property) -> Bool {
        property.flags.isDisjoint(with: [.folded, .quotedPrintable, .charset])
    }

    /// The range without spaces at either end.
    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, bytes[start].isBlank { start += 1 }
        while start < end, bytes[end - 1].isBlank { end -= 1 }
        return start..<end
    }

    /// The text of a range, or nil if it contains an escape, a control character or invalid UTF-8.
    private func plainText(_ range: Range<Int>) -> String? {
        if range.isEmpty { return "" }
        let text = bytes.span.extracting(range)
        var (high, special): (UInt8, UInt8) = (0, 0)
        // To the end in any case, so that the compiler takes many bytes at once.
        for index in text.indices {
            let byte = text[unchecked: index]
            high |= byte
            special |= byte == ASCII.backslash || byte < 0x20 || byte == 0x7F ? 1 : 0
        }
        if special > 0 { return nil }
        if high < 0x80 { return String(copying: UTF8Span(unchecked: text, isKnownASCII: true)) }
        guard let valid = try? UTF8Span(validating: text) else { return nil }
        return String(copying: valid)
    }

    /// The trimmed texts of a range between separators, or nil as in `plainText`.
    private func plainParts(_ range: Range<Int>, _ separator: UInt8) -> [String]? {
        var parts: [String] = []
        parts.reserveCapacity(8)
        let content = bytes.span.extracting(range)
        var start = range.lowerBound
        for place in content.indices where content[unchecked: place] == separator {
            let index = range.lowerBound + place
            guard let part = plainText(trimmed(start..<index)) else { return nil }
            parts.append(part)
            start = index + 1
        }
        guard let last = plainText(trimmed(start..<range.upperBound)) else { return nil }
        parts.append(last)
        return parts
    }
}

extension Card {
    /// Returns the content without escapes, in one pass.
    ///
    /// In 2.1 only the separators and the backslash itself are escaped. In later versions `\n` is a line break, and an
    /// unknown escape stands for its character (Google writes `\:`).
    private func unescaped(_ content: ArraySlice<UInt8>, _ property: Property) -> [UInt8] {
        let content = property.flags.contains(.quotedPrintable) ? QuotedPrintable.decode(content)[...] : content
        guard content.contains(ASCII.backslash) else { return Array(content) }
        let isOld = version == .v2 && !property.flags.isDisjoint(with: [.bareParameters, .quotedPrintable])
        var text: [UInt8] = []
        text.reserveCapacity(content.count)
        var index = content.startIndex
        while index < content.endIndex {
            let byte = content[index]
            index += 1
            guard byte == ASCII.backslash, index < content.endIndex else {
                text.append(byte)
                continue
            }
            let letter = content[index]
            switch letter {
            case 0x6E where !isOld, 0x4E where !isOld: text.append(ASCII.lf)
            case ASCII.backslash, ASCII.semicolon, ASCII.comma, ASCII.colon: text.append(letter)
            default:
                if isOld { text.append(byte) }
                text.append(letter)
            }
            index += 1
        }
        return text
    }

    /// Decodes the bytes in the declared character set, else as UTF-8, else as Windows-1252, which never fails.
    ///
    /// Line ends become LF; control characters other than TAB and LF are removed.
    private func decoded(_ bytes: [UInt8], _ property: Property) -> String {
        var text: String
        if property.flags.contains(.charset), let charset = parameter("CHARSET", of: property),
            !TextDecoding.isUTF8(charset)
        {
            text = TextDecoding.decode(bytes, charset: charset)
        } else {
            text = TextDecoding.decode(bytes)
        }
        if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { text = TextDecoding.withoutControls(text) }
        return text
    }
}
