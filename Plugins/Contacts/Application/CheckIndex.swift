import HubKit

/// Compares all that is derived from the cards with the cards.
package struct CheckIndex: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// What is wrong, one sentence each; empty when all is well.
    package func callAsFunction() async throws -> [String] {
        let operation = Operation("contacts check", who: .service("contacts"), kind: .cache)
        return try await contacts.store.write(operation) { try $0.contactIndexProblems() }
    }

    /// Makes everything derived again from the cards, whatever state it is in.
    package func fix() async throws {
        let operation = Operation("contacts reindex", who: .service("contacts"), kind: .cache)
        try await contacts.store.write(operation) { try $0.clearContactIndex() }
        try await contacts.refreshIndex()
    }
}
