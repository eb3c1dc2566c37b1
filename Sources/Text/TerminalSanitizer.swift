/// Makes text from outside safe to show on a terminal.
///
/// Control characters could move the cursor, change colours or send input; bidirectional controls could make a line
/// read as something else. Both are shown as visible escapes such as `\e` and `\u{202E}`.
package enum TerminalSanitizer {
    /// `text` on one line: line ends and tabs become blanks, all else that is not printable becomes an escape.
    package static func line(_ text: String) -> String { escape(text, keepsLines: false) }

    /// `text` with its line ends and tabs, all else that is not printable becomes an escape.
    package static func block(_ text: String) -> String { escape(text, keepsLines: true) }

    private static func escape(_ text: String, keepsLines: Bool) -> String {
        if !mayBeHarmful(text) || !text.unicodeScalars.contains(where: isHarmful) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\t":
                result.unicodeScalars.append(keepsLines ? scalar : " ")
            case "\r":
                if keepsLines { result += "\\r" } else { result += " " }
            case "\u{1B}": result += "\\e"
            case _ where RawText.isByte(scalar):
                result += "\\x" + String(scalar.value & 0xFF, radix: 16, uppercase: true)
            default:
                if isHarmful(scalar) {
                    result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }

    /// Whether a text has bytes with which the UTF-8 of a harmful scalar begins.
    private static func mayBeHarmful(_ text: String) -> Bool {
        if text.isPrintableASCII { return false }
        var text = text
        return text.withUTF8 { bytes in
            bytes.indices.contains { place in
                let next = place + 1 < bytes.count ? bytes[place + 1] : 0
                return switch bytes[place] {
                case 0..<0x20, 0x7F, 0xF3, 0xF4: true
                case 0xC2: next < 0xA0
                case 0xD8: next == 0x9C
                case 0xE2: next < 0x82
                case 0xEF: next == 0xBB
                default: false
                }
            }
        }
    }

    /// C0 and C1 controls, line and paragraph separators, and the controls of the bidirectional algorithm (UAX #9).
    package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xE0001...0xE007F,
            0x10FE80...0x10FEFF:
            true
        default: false
        }
    }
}
