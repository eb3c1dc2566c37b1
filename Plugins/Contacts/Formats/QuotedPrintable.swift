import Collation
import TextDecoding

/// The quoted-printable encoding (RFC 2045 §6.7) of vCard 2.1.
enum QuotedPrintable {
    /// Decodes `content`; an `=` without two hexadecimal digits is kept.
    static func decode(_ content: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count)
        var index = content.startIndex
        while index < content.endIndex {
            if content[index] == ASCII.equals, index + 2 < content.endIndex,
                let high = hexadecimal(content[index + 1]), let low = hexadecimal(content[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(content[index])
                index += 1
            }
        }
        return bytes
    }

    /// Encodes `text`, escaping all but letters, digits and safe characters; line breaks become `=0D=0A`.
    static func encode(_ text: String) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var content: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case ASCII.lf: content += Array("=0D=0A".utf8)
            case ASCII.equals, ASCII.semicolon, ASCII.backslash, 0..<0x20, 0x7F...:
                content += [ASCII.equals, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: content.append(byte)
            }
        }
        return content
    }

    /// The value of a hexadecimal digit.
    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

extension TextDecoding {
    /// Whether `name` is UTF-8 or a subset of it.
    static func isUTF8(_ name: String) -> Bool {
        ["UTF-8", "UTF8", "US-ASCII", "ASCII"].contains(name.uppercased())
    }

    /// Decodes text in the character set `name`; an unknown one is ignored.
    static func decode(_ bytes: [UInt8], charset name: String) -> String {
        switch name.uppercased() {
        // As in HTML, Latin-1 means Windows-1252.
        case "ISO-8859-1", "LATIN1", "WINDOWS-1252", "CP1252": windows1252(bytes)
        default: (try? Charset.decode(bytes, as: name)) ?? decode(bytes)
        }
    }
}
