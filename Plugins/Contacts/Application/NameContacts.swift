import ContactsDomain

/// Names live contacts by their ids, as history and undo show them.
package struct NameContacts: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// The names of those of `ids` that are there and not in the trash.
    package func callAsFunction(_ ids: [String]) async throws -> [String: String] {
        try await contacts.read { transaction in
            Dictionary(uniqueKeysWithValues: try transaction.contactSummaries(ids).map { ($0.id, $0.name) })
        }
    }
}
