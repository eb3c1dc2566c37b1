import Hashing

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
        var hash = FNV1a()
        hash.add(sql.utf8)
        return hash.hexadecimal
    }
}
