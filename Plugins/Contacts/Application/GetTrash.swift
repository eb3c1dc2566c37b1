package import ContactsDomain
package import HubKit

/// Lists the contacts in the trash, newest first.
package struct GetTrash: Sendable {
    /// A contact in the trash.
    package struct Item: Sendable {
        /// The contact.
        package let contact: ContactSummary
        /// The time when it was moved to the trash.
        package let deletedAt: Instant
    }

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Returns the contacts in the trash, last removed first.
    package func callAsFunction() async throws -> [Item] {
        try await contacts.store.read { transaction in
            try transaction.trashedContacts().map { row in
                Item(contact: ContactSummary(id: row.id, row.card.details), deletedAt: row.deletedAt ?? row.changedAt)
            }
        }
    }
}
