package import HubKit
import SQLite

/// Login codes and sessions in the store, so that `hub web` can make a link that the daemon takes.
package struct DatabaseCredentialStore: WebCredentialStore {
    private let store: Store
    private let operation = Operation("web login", who: .service("web"), kind: .cache)

    /// Keeps credentials in the database of `hub`.
    package init(_ database: Database) { store = database.store(for: "core") }

    /// Returns the stored credentials of a kind.
    package func credentials(_ kind: WebCredential.Kind) async throws -> [WebCredential] {
        try await store.read { tx in
            try tx.rows("SELECT hash, expires, name FROM core_web_credential WHERE kind = ?", kind.rawValue) { row in
                WebCredential(
                    kind: kind, hash: row.blob(0), expires: Instant(milliseconds: Int64(row.int(1))), name: row.text(2))
            }
        }
    }

    /// Stores a credential.
    package func add(_ credential: WebCredential) async throws {
        _ = try await store.write(operation) { tx in
            try tx.run(
                """
                INSERT INTO core_web_credential (kind, hash, expires, name) VALUES (?, ?, ?, ?)
                ON CONFLICT (kind, hash) DO UPDATE SET expires = excluded.expires
                """, credential.kind.rawValue, credential.hash, credential.expires.milliseconds,
                credential.name)
        }
    }

    /// Deletes a credential; returns whether it existed.
    package func remove(_ credential: WebCredential) async throws -> Bool {
        try await store.write(operation) { tx in
            try tx.run(
                "DELETE FROM core_web_credential WHERE kind = ? AND hash = ?", credential.kind.rawValue,
                credential.hash) > 0
        }
    }
}
