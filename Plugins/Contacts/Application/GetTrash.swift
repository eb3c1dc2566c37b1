package import ContactsDomain
package import HubKit

/// Lists the contacts in the trash, the newest first.
package struct GetTrash: Sendable {
    /// A contact in the trash.
    package struct Item: Sendable {
        /// The contact.
        package let contact: ContactSummary
        /// Since when it is there.
        package let deletedAt: Instant
    }

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    package func callAsFunction() async throws -> [Item] {
        try await contacts.store.read { transaction in
            try transaction.trashedContacts().map { row in
                Item(contact: ContactSummary(id: row.id, row.card.details), deletedAt: row.deletedAt ?? row.changedAt)
            }
        }
    }
}
