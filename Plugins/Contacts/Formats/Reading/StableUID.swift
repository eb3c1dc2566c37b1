import Hashing

/// Deterministic ids for imported entries.
package enum StableUID {
    /// Returns a UUID (RFC 9562, version 8) derived from a content hash.
    package static func make(of number: UInt128) -> String {
        let version: UInt128 = 0xF000 << 64
        let variant: UInt128 = 0xC000 << 48
        let bits = number & ~version & ~variant | 0x8000 << 64 | 0x8000 << 48
        let digits = String(bits, radix: 16)
        let text = Array(String(repeating: "0", count: 32 - digits.count) + digits)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(text[$0]) }.joined(separator: "-")
    }

    /// Returns the UUID derived from a name, such as the distinguished name of an entry.
    package static func make(of name: String) -> String {
        make(of: FNV1a128.hash(name.utf8))
    }
}
