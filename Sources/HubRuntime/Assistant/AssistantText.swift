/// Texts of the store as an assistant gets them.
enum AssistantText {
    /// The most bytes of one text; the rest is got with an offset.
    static let limit = 4000

    /// The text with characters that cannot be seen, or that change the order of others, written out: with them a text can say something
    /// to an assistant that its reader does not see. Joiners stay, since scripts and emoji need them.
    static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isHidden(scalar) {
                shown.append(contentsOf: "<U+\(String(scalar.value, radix: 16, uppercase: true))>".unicodeScalars)
            } else {
                shown.append(scalar)
            }
        }
        return String(shown)
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\t", "\r", "\u{200C}", "\u{200D}": false
        default:
            scalar.properties.generalCategory == .format || scalar.properties.generalCategory == .control
                || (0xE0000...0xE0FFF).contains(scalar.value)
        }
    }

    /// The beginning of a text that is longer than the limit, with how much is left out.
    static func shortened(_ text: String) -> String {
        guard text.utf8.count > limit else { return text }
        let start = prefix(of: text[...], limit)
        return "\(start)… (\(text.utf8.count - start.utf8.count) more bytes)"
    }

    /// Whether a place is inside of a character.
    static func isInside(_ place: Substring.Index, of text: Substring) -> Bool {
        place < text.endIndex && text.utf8[place] & 0xC0 == 0x80
    }

    /// The longest beginning of whole characters with at most so many bytes.
    static func prefix(of text: Substring, _ bytes: Int) -> Substring {
        var end = text.utf8.index(text.startIndex, offsetBy: bytes, limitedBy: text.endIndex) ?? text.endIndex
        while end > text.startIndex, isInside(end, of: text) { end = text.utf8.index(before: end) }
        return text[..<end]
    }
}
