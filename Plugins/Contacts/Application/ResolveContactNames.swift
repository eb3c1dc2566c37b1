import ContactsDomain

/// Looks up the names of live contacts by id, for history and undo.
package struct ResolveContactNames: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Returns the names of the live contacts of `ids`.
    package func callAsFunction(_ ids: [String]) async throws -> [String: String] {
        try await contacts.read { transaction in
            Dictionary(uniqueKeysWithValues: try transaction.contactSummaries(ids).map { ($0.id, $0.name) })
        }
    }
}
