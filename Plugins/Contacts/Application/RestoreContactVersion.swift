import ContactsDomain
package import HubKit

/// Restores an earlier version of a contact as a new change.
package struct RestoreContactVersion: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Restores the card that the contact `id` had at `moment`.
    ///
    /// Throws `not-found` if it did not exist then, or if history does not go back that far.
    package func callAsFunction(_ id: String, at moment: Instant, operation: Operation) async throws -> Contact {
        let history = contacts.store.database.history
        guard let rows = try await history.rows(of: id, owner: contacts.store.owner, at: moment) else {
            throw HubError(
                .notFound, code: "history-too-short", "the history does not go back that far",
                hint: "see hub contacts history \(id)")
        }
        guard let card = rows.contactCard else {
            throw HubError(.notFound, code: "not-there-then", "the contact did not exist at that time")
        }
        let rules = contacts.rules
        return try await contacts.write(operation) { transaction in
            guard let row = try transaction.contact(id) else { throw HubError.contactNotFound(id) }
            if row.card.bytes != card.bytes { try transaction.updateContact(id, card: card) }
            if row.deletedAt != nil { try transaction.setDeleted(id, at: nil) }
            try transaction.reindexContacts([id], rules)
            guard let stored = try transaction.contact(id) else { throw HubError.contactNotFound(id) }
            let contact = Contact(stored)
            try transaction.emit(ContactEvents.changed, contact.summary)
            return contact
        }
    }
}
