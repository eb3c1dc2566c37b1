/// Base64 (RFC 4648 §4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    /// The value of each letter; 0xFF for every other byte.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    /// Returns the text of `bytes`, on one line, padded to groups of four letters.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var bits = 0
            for index in 0..<3 { bits = bits << 8 | (index < count ? Int(bytes[start + index]) : 0) }
            for index in 0..<4 {
                text.append(index <= count ? alphabet[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of `text`, in which blanks and line ends do not count; nil when it holds another character, or
    /// ends inside a group. The padding may be missing.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        text.withContiguousStorageIfAvailable { decode($0) } ?? Array(text).withUnsafeBufferPointer { decode($0) }
    }

    private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 3)
        var (bits, letters, padding) = (0, 0, 0)
        for byte in text where byte > 0x20 {
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            let value = values[Int(byte)]
            guard value != 0xFF, padding == 0 else { return nil }
            bits = (bits << 6 | Int(value)) & 0xFFFFFF
            letters += 1
            if letters % 4 == 0 {
                bytes.append(UInt8(bits >> 16))
                bytes.append(UInt8(bits >> 8 & 0xFF))
                bytes.append(UInt8(bits & 0xFF))
            }
        }
        let rest = letters % 4
        guard padding == 0 || (letters + padding) % 4 == 0 && padding <= 2 else { return nil }
        switch rest {
        case 1: return nil
        case 2: bytes.append(UInt8(bits >> 4 & 0xFF))
        case 3:
            bytes.append(UInt8(bits >> 10 & 0xFF))
            bytes.append(UInt8(bits >> 2 & 0xFF))
        default: break
        }
        return bytes
    }
}
