import SQLite

/// The tables of hub itself that are not those of history, events and jobs: settings that hub notes, and logins of the page.
/// They belong to the owner `core`.
extension Transaction {
    /// Returns the setting `name` that hub noted; nil for none.
    package func setting(_ name: String) throws -> String? {
        try row("SELECT value FROM core_setting WHERE name = ?", name) { $0.text(0) }
    }

    /// Stores a setting in place of the previous value.
    package func saveSetting(_ name: String, _ value: String) throws {
        try run(
            "INSERT INTO core_setting VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", name, value)
    }

    /// Returns the credentials of a kind.
    package func credentials(kind: String) throws -> [StoredCredential] {
        try rows("SELECT hash, expires, name FROM core_web_credential WHERE kind = ?", kind) { row in
            StoredCredential(
                kind: kind, hash: row.blob(0), expires: Instant(milliseconds: Int64(row.int(1))), name: row.text(2))
        }
    }

    /// Stores a credential; one with the same hash gets its time of expiry.
    package func save(_ credential: StoredCredential) throws {
        try run(
            """
            INSERT INTO core_web_credential (kind, hash, expires, name) VALUES (?, ?, ?, ?)
            ON CONFLICT (kind, hash) DO UPDATE SET expires = excluded.expires
            """, credential.kind, credential.hash, credential.expires.milliseconds, credential.name)
    }

    /// Deletes a credential, and the subscription to messages of a browser with it.
    /// - Returns: whether it existed.
    package func removeCredential(kind: String, hash: [UInt8]) throws -> Bool {
        try run("DELETE FROM core_push_subscription WHERE session = ?", hash)
        return try run("DELETE FROM core_web_credential WHERE kind = ? AND hash = ?", kind, hash) > 0
    }
}

/// A login code or a session of the page, as it is stored.
package struct StoredCredential: Hashable, Sendable {
    /// The purpose of the secret.
    package let kind: String
    /// The hash of the secret.
    package let hash: [UInt8]
    /// The time at which it expires.
    package let expires: Instant
    /// The browser that has the session, in words.
    package let name: String

    package init(kind: String, hash: [UInt8], expires: Instant, name: String) {
        self.kind = kind
        self.hash = hash
        self.expires = expires
        self.name = name
    }
}
