package import Storage

/// Login codes and sessions in the store, so that `hub web` can make a link that the daemon takes.
package struct DatabaseCredentialStore: WebCredentialStore {
    private let store: Store
    private let operation = Operation("web login", who: .service("web"), kind: .cache)

    /// Keeps credentials in the database of `hub`.
    package init(_ database: Database) { store = database.store(for: "core") }

    /// Returns the stored credentials of a kind.
    package func credentials(_ kind: WebCredential.Kind) async throws -> [WebCredential] {
        try await store.read { try $0.credentials(kind: kind.rawValue) }.map {
            WebCredential(kind: kind, hash: $0.hash, expires: $0.expires, name: $0.name)
        }
    }

    /// Stores a credential.
    package func add(_ credential: WebCredential) async throws {
        let stored = StoredCredential(
            kind: credential.kind.rawValue, hash: credential.hash, expires: credential.expires, name: credential.name)
        try await store.write(operation) { try $0.save(stored) }
    }

    /// Deletes a credential; returns whether it existed.
    package func remove(_ credential: WebCredential) async throws -> Bool {
        try await store.write(operation) {
            try $0.removeCredential(kind: credential.kind.rawValue, hash: credential.hash)
        }
    }
}
