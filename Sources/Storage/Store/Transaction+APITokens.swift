import SQLite

/// The programs that may use the HTTP API with a token of their own. The table belongs to the owner `core`.
extension Transaction {
    /// Returns all tokens by the names of their programs.
    package func apiTokens() throws -> [StoredAPIToken] {
        try rows("\(StoredAPIToken.select) ORDER BY name", body: StoredAPIToken.init)
    }

    /// Returns the token with a hash; nil if there is none.
    package func apiToken(hash: [UInt8]) throws -> StoredAPIToken? {
        try row("\(StoredAPIToken.select) WHERE hash = ?", hash, body: StoredAPIToken.init)
    }

    /// Returns the token of the program `name`; nil if there is none.
    package func apiToken(_ name: String) throws -> StoredAPIToken? {
        try row("\(StoredAPIToken.select) WHERE name = ?", name, body: StoredAPIToken.init)
    }

    /// Stores a new token, which ends at `end`, or never.
    package func addAPIToken(_ name: String, hash: [UInt8], scopes: [String], endingAt end: Instant?) throws {
        try run(
            "INSERT INTO core_api_token (name, hash, scopes, created_at, ends_at) VALUES (?, ?, ?, ?, ?)", name, hash,
            scopes.joined(separator: " "), now.milliseconds, end?.milliseconds)
    }

    /// Removes a token.
    /// - Returns: whether it existed.
    package func removeAPIToken(_ name: String) throws -> Bool {
        try run("DELETE FROM core_api_token WHERE name = ?", name) > 0
    }

    /// Notes that the program with a token was here.
    package func noteAPITokenSeen(_ name: String) throws {
        try run("UPDATE core_api_token SET seen_at = ? WHERE name = ?", now.milliseconds, name)
    }
}

/// A token of the HTTP API as it is stored.
package struct StoredAPIToken: Hashable, Sendable {
    /// The name of the program.
    package let name: String
    /// The SHA-256 of the token.
    package let hash: [UInt8]
    /// What it allows.
    package let scopes: [String]
    /// The time when it was added.
    package let createdAt: Instant
    /// The time when it ends; nil for never.
    package let endsAt: Instant?
    /// The time of its last request, to the minute; nil if there was none.
    package let seenAt: Instant?

    fileprivate static let select =
        "SELECT name, hash, scopes, created_at, ends_at, seen_at FROM core_api_token"

    fileprivate init(_ row: borrowing Row) {
        name = row.text(0)
        hash = row.blob(1)
        scopes = row.text(2).split(separator: " ").map(String.init)
        createdAt = Instant(milliseconds: Int64(row.int(3)))
        endsAt = row.optionalInt(4).map { Instant(milliseconds: Int64($0)) }
        seenAt = row.optionalInt(5).map { Instant(milliseconds: Int64($0)) }
    }
}
