/// The name of a blob: the SHA-256 of its bytes.
///
/// A table names a blob in a TEXT column called `blob`, or ending in `_blob`. That is how a row is known to need it: also the
/// row of a plugin that is disabled.
package struct BlobID: Hashable, Sendable {
    /// The hash as 64 lower-case hexadecimal digits.
    package let text: String

    /// The id that is written as `text`; nil for any other text.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 64, text.utf8.allSatisfy(BlobID.isDigit) else { return nil }
        self.text = String(text)
    }

    /// The id of the 32 bytes of a hash.
    init(hash: [UInt8]) {
        text = hash.reduce(into: "") { text, byte in
            text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

extension BlobID: CustomStringConvertible {
    /// The same as ``text``.
    package var description: String { text }
}
