/// Decodes bytes of an unknown character set.
package enum TextDecoding {
    /// UTF-8 when the bytes are that, else Windows-1252.
    package static func decode(_ bytes: [UInt8]) -> String {
        String(validating: bytes, as: UTF8.self) ?? windows1252(bytes)
    }

    /// The text of a whole file: UTF-8, UTF-16, else Windows-1252; a byte order mark is left out.
    package static func decode(file: [UInt8]) -> String {
        var transcoder = UTF16Transcoder()
        var bytes: [UInt8] = []
        transcoder.feed(file, to: &bytes)
        transcoder.finish(&bytes)
        return decode(bytes)
    }

    /// Line ends as LF, and no other control characters except TAB.
    package static func withoutControls(_ text: String) -> String {
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

    /// Windows-1252, the larger set that the web means by Latin-1.
    package static func windows1252(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            text.append((0x80...0x9F).contains(byte) ? windows[Int(byte - 0x80)] : Unicode.Scalar(byte))
        }
        return String(text)
    }

    /// The characters of 80...9F in Windows-1252; the five undefined ones are U+FFFD.
    private static let windows = Array("€�‚ƒ„…†‡ˆ‰Š‹Œ�Ž��‘’“”•–—˜™š›œ�žŸ".unicodeScalars)
}
