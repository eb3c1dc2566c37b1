import Glibc

/// Reads one line, byte by byte, so that the rest is left for the next reader.
enum InputLine {
    /// The most bytes of a line that is typed; the rest of a longer one is dropped.
    private static let limit = 64 << 10

    /// The line without its end; nil when the input has ended before anything came.
    static func read(from descriptor: Int32) -> String? {
        var bytes: [UInt8] = []
        var isEmpty = true
        while let byte = nextByte(from: descriptor) {
            isEmpty = false
            if byte == UInt8(ascii: "\n") { break }
            if bytes.count < limit { bytes.append(byte) }
        }
        if isEmpty { return nil }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The next byte, waiting for it; nil at the end of the input.
    static func nextByte(from descriptor: Int32) -> UInt8? {
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(descriptor, &byte, 1)
            if count == 1 { return byte }
            if count < 0, errno == EINTR { continue }
            return nil
        }
    }
}
