/// Words that are not UTF-8, such as a file name on the command line, in a `String`: each of their bytes from 0x80 on becomes a
/// scalar of a range for private use that has no other meaning, U+10FE80 to U+10FEFF. Only paths may have such scalars.
package enum RawText {
    private static let base: UInt32 = 0x10FE00
    /// The scalars that stand for bytes.
    private static let scalars: ClosedRange<UInt32> = 0x10FE80...0x10FEFF

    /// Whether a scalar stands for a byte.
    package static func isByte(_ scalar: Unicode.Scalar) -> Bool { scalars.contains(scalar.value) }

    /// Returns bytes as text; UTF-8 is taken as it is, except for the scalars that stand for bytes.
    package static func text(_ name: ByteString) -> String {
        if let text = name.text, !contains(text) { return text }
        var result = String.UnicodeScalarView()
        var rest = name.bytes[...]
        while let byte = rest.first {
            var (iterator, decoder) = (rest.makeIterator(), UTF8())
            if case .scalarValue(let scalar) = decoder.decode(&iterator), !isByte(scalar) {
                result.append(scalar)
                rest = rest.dropFirst(UTF8.width(scalar))
            } else {
                if let scalar = Unicode.Scalar(base + UInt32(byte)) { result.append(scalar) }
                rest = rest.dropFirst()
            }
        }
        return String(result)
    }

    /// Returns the bytes that ``text(_:)`` made a text of.
    package static func bytes(_ text: String) -> ByteString {
        guard contains(text) else { return ByteString(text) }
        var result: [UInt8] = []
        for scalar in text.unicodeScalars {
            if isByte(scalar) {
                result.append(UInt8(scalar.value - base))
            } else {
                result += UTF8.encode(scalar) ?? .init()
            }
        }
        return ByteString(result)
    }

    /// Whether a text has bytes that are not UTF-8.
    package static func contains(_ text: String) -> Bool {
        // All of these scalars begin with this byte.
        text.utf8.contains(0xF4) && text.unicodeScalars.contains(where: isByte)
    }
}

extension ByteString {
    /// The bytes of a path that may have been given on the command line.
    package init(path: String) { self = RawText.bytes(path) }
}
