extension String {
    /// The text without white space at either end.
    package var trimmed: String {
        // Most texts start and end with a visible ASCII character.
        let bytes = utf8.span
        if !bytes.isEmpty, bytes[0].isVisibleASCII, bytes[bytes.count - 1].isVisibleASCII { return self }
        return self[...].trimmed
    }

    /// The text without trailing spaces and tabs.
    var withoutTrailingBlanks: String {
        var text = self
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

extension Substring {
    /// The text without white space at either end.
    package var trimmed: String {
        guard let start = firstIndex(where: { !$0.isWhitespace }), let end = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[start...end])
    }
}

extension UInt8 {
    /// Whether the byte is an ASCII character other than a space and the control characters.
    var isVisibleASCII: Bool { (0x21...0x7E).contains(self) }
}
