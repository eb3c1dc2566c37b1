import Testing

@testable import Compression

struct InflateTests {
    /// `hello hello hello`, compressed.
    private static let deflate: [UInt8] = [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x90, 0x00]

    @Test func `all three forms are decompressed`() throws {
        let text = Array("hello hello hello".utf8)
        let gzip: [UInt8] =
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + Self.deflate + [0x80, 0x88, 0xF9, 0xE5, 0x11, 0x00, 0x00, 0x00]
        let zlib: [UInt8] = [0x78, 0x9C] + Self.deflate + [0x3A, 0x2E, 0x06, 0x7D]
        for bytes in [gzip, zlib, Self.deflate] {
            #expect(try Inflate.decompressed(bytes, limit: 17) == text)
            #expect(throws: InflateError.tooLarge(limit: 16)) { try Inflate.decompressed(bytes, limit: 16) }
            #expect(throws: InflateError.broken) { try Inflate.decompressed(Array(bytes.dropLast(3)), limit: 100) }
        }
    }

    @Test func `what is not compressed is refused`() {
        for bytes in [[], Array("plain text".utf8), [0x1F, 0x8B], [0x78, 0x9C]] {
            #expect(throws: InflateError.broken) { try Inflate.decompressed(bytes, limit: 100) }
        }
    }
}
