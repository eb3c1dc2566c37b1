import HubKit

/// Checks the index rows against the cards.
package struct CheckIndex: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Returns the problems, one sentence each; empty if there are none.
    package func callAsFunction() async throws -> [String] {
        let operation = Operation("contacts check", who: .service("contacts"), kind: .cache)
        return try await contacts.store.write(operation) { try $0.contactIndexProblems() }
    }

    /// Rebuilds the index from the cards, whatever its state.
    package func fix() async throws {
        let operation = Operation("contacts reindex", who: .service("contacts"), kind: .cache)
        try await contacts.store.write(operation) { try $0.clearContactIndex() }
        try await contacts.refreshIndex()
    }
}
