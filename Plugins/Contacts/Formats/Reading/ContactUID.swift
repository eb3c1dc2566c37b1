import Hashing

/// Makes values of `UID` for contacts: UUIDs (RFC 9562) in the text form that vCard 3.0 uses.
package enum ContactUID {
    /// Returns a new random UUID (version 4).
    package static func random() -> String { text(UInt128.random(in: .min ... .max), version: 4) }

    /// Returns the UUID (version 8) that belongs to a content hash.
    package static func stable(of number: UInt128) -> String { text(number, version: 8) }

    /// Returns the UUID (version 8) that belongs to a name, such as the distinguished name of an entry.
    package static func stable(of name: String) -> String { stable(of: FNV1a128.hash(name.utf8)) }

    private static func text(_ number: UInt128, version: UInt128) -> String {
        let (versionBits, variantBits): (UInt128, UInt128) = (0xF000 << 64, 0xC000 << 48)
        let bits = number & ~versionBits & ~variantBits | version << 76 | 0x8000 << 48
        let digits = String(bits, radix: 16)
        let text = Array(String(repeating: "0", count: 32 - digits.count) + digits)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(text[$0]) }.joined(separator: "-")
    }
}
