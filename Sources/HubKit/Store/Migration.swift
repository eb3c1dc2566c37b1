/// One step from an older to a newer form of an owner's tables. Once released it never changes.
package struct Migration: Hashable, Sendable {
    /// A name that no other migration of the owner has.
    package let id: String
    /// The statements, run in one transaction.
    package let sql: String

    package init(_ id: String, _ sql: String) {
        self.id = id
        self.sql = sql
    }

    /// A checksum of sixteen hexadecimal digits that shows whether the statements are still the applied ones
    /// (FNV-1a).
    var checksum: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in sql.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
