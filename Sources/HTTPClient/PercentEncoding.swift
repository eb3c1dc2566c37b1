/// Percent-encoding of paths and queries (RFC 3986 §2.1).
package enum PercentEncoding {
    /// `text` as one segment of a path: everything that is not unreserved is encoded.
    package static func segment(_ text: String) -> String {
        String(decoding: text.utf8.flatMap { isUnreserved($0) ? [$0] : escape($0) }, as: UTF8.self)
    }

    /// Returns `text` with its escapes decoded; invalid UTF-8 becomes U+FFFD.
    package static func decoded(_ text: String) -> String { String(decoding: bytes(text).map(\.byte), as: UTF8.self) }

    /// A path or query with what it may not hold encoded; escapes stay as they are.
    static func repaired(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let isLegal =
                byte == UInt8(ascii: "%")
                ? hex(bytes, index) != nil : isUnreserved(byte) || Array("!$&'()*+,;=:@/?".utf8).contains(byte)
            if isLegal { output.append(byte) } else { output += escape(byte) }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// A path in which exactly the characters that are not unreserved are encoded, slashes between segments aside.
    static func canonical(_ path: String) -> String {
        String(
            decoding: bytes(path).flatMap { byte, wasEscaped in
                isUnreserved(byte) || (byte == UInt8(ascii: "/") && !wasEscaped) ? [byte] : escape(byte)
            }, as: UTF8.self)
    }

    private static func bytes(_ text: String) -> [(byte: UInt8, wasEscaped: Bool)] {
        let bytes = Array(text.utf8)
        var output: [(byte: UInt8, wasEscaped: Bool)] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), let value = hex(bytes, index) {
                output.append((value, true))
                index += 3
            } else {
                output.append((bytes[index], false))
                index += 1
            }
        }
        return output
    }

    private static func hex(_ bytes: [UInt8], _ percent: Int) -> UInt8? {
        guard percent + 2 < bytes.count, let high = digit(bytes[percent + 1]), let low = digit(bytes[percent + 2])
        else { return nil }
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: Array("-._~".utf8).contains(byte)
        }
    }
}
