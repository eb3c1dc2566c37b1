import Collation

/// From bytes of any character set to text.
enum TextDecoding {
    /// Whether `name` means UTF-8 or a part of it.
    static func isUTF8(_ name: String) -> Bool {
        ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name.uppercased())
    }

    /// UTF-8 when the bytes are that, else Windows-1252.
    static func decode(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? windows1252(bytes)
    }

    /// Text of the character set `name`; of an unknown one as if none had been named.
    static func decode(_ bytes: [UInt8], charset name: String) -> String {
        switch name.uppercased() {
        // As everywhere on the web, Latin-1 means the larger Windows set.
        case "ISO-8859-1", "LATIN1", "WINDOWS-1252", "CP1252": windows1252(bytes)
        default: (try? Charset.decode(bytes, as: name)) ?? decode(bytes)
        }
    }

    /// Line ends as LF, and no other control characters except TAB.
    static func withoutControls(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isAfterCR = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r": result.append("\n")
            case "\n": if !isAfterCR { result.append(scalar) }
            case "\t": result.append(scalar)
            default: if scalar.value >= 0x20, scalar.value != 0x7F { result.append(scalar) }
            }
            isAfterCR = scalar == "\r"
        }
        return String(result)
    }

    private static func windows1252(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            text.append((0x80...0x9F).contains(byte) ? windows[Int(byte - 0x80)] : Unicode.Scalar(byte))
        }
        return String(text)
    }

    /// What 80...9F mean in Windows-1252; the five that mean nothing are U+FFFD.
    private static let windows = Array("€�‚ƒ„…†‡ˆ‰Š‹Œ�Ž��‘’“”•–—˜™š›œ�žŸ".unicodeScalars)
}
