import Text
import TextDecoding

/// Encoded words in mail headers (RFC 2047).
enum EncodedWords {
    /// Decodes the encoded words in `text`; other text is not changed.
    ///
    /// White space between two encoded words is removed. Some programs split characters between words, so the bytes of
    /// adjacent words in one character set are joined before decoding.
    static func decode(_ text: String) -> String {
        guard text.contains("=?") else { return text }
        var result = ""
        var run: (charset: String, bytes: [UInt8])?
        var blanks = ""
        func flush() {
            if let run { result += TextDecoding.withoutControls(TextDecoding.decode(run.bytes, charset: run.charset)) }
            run = nil
        }
        var rest = text[...]
        while !rest.isEmpty {
            if rest.hasPrefix("=?"), let word = word(rest) {
                if run?.charset != word.charset { flush() }
                if run == nil { run = (word.charset, []) }
                run?.bytes += word.bytes
                blanks = ""
                rest = rest[word.end...]
            } else {
                let letter = rest.removeFirst()
                if run != nil, letter.isWhitespace {
                    blanks.append(letter)
                    continue
                }
                flush()
                result += blanks
                blanks = ""
                result.append(letter)
            }
        }
        flush()
        return result
    }

    /// The encoded word at the start of `text`: `=?charset*language?encoding?content?=`.
    private static func word(_ text: Substring) -> (charset: String, bytes: [UInt8], end: String.Index)? {
        let parts = text.dropFirst(2).split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[3].first == "=", !parts[0].isEmpty, parts[1].count == 1 else { return nil }
        let charset = parts[0].split(separator: "*").first.map { $0.uppercased() } ?? ""
        let end = text.index(after: parts[3].startIndex)
        switch parts[1] {
        case "B", "b":
            // Some programs omit the padding.
            let content = parts[2].filter { $0 != "=" }
            let padding = String(repeating: "=", count: (4 - content.utf8.count % 4) % 4)
            return Base64.decode((content + padding).utf8).map { (charset, $0, end) }
        case "Q", "q":
            let content = parts[2].utf8.map { $0 == 0x5F ? ASCII.space : $0 }
            return (charset, QuotedPrintable.decode(content[...]), end)
        default: return nil
        }
    }
}
