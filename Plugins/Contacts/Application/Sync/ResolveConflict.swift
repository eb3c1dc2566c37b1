package import ContactsDomain
package import HubKit

/// Decides a conflict: one edit of the contact, which the next sync sends and which undo takes back, conflict and all.
package struct ResolveConflict: Sendable {
    /// What a decision did.
    package struct Result: Sendable {
        /// The contact as it is now.
        package let contact: Contact
        /// What was decided.
        package let values: [CardMerge.Clash]
        /// Whether the next sync has something to send.
        package let isSent: Bool
    }

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Takes our values, theirs, or both where a card can hold both.
    ///
    /// Throws `not-found` when the contact has no conflict.
    package func callAsFunction(
        _ id: String, taking choice: CardMerge.Choice, operation: Operation
    ) async throws -> Result {
        try await decide(id, operation) { row, card in
            CardMerge(ours: card, ourBase: row.base, theirBase: row.base, theirs: row.theirs, choice: choice).card
        }
    }

    /// Takes what a person wrote instead.
    package func callAsFunction(
        _ id: String, writing details: ContactDetails, operation: Operation
    ) async throws -> Result {
        try details.checked()
        return try await decide(id, operation) { _, card in card.updated(to: details, at: nil).card }
    }

    private func decide(
        _ id: String, _ operation: Operation, _ merge: @escaping @Sendable (ConflictRow, Card) -> Card
    ) async throws -> Result {
        let rules = contacts.rules
        return try await contacts.write(operation) { transaction in
            guard let open = try transaction.conflict(of: id), let row = try transaction.contact(id),
                let conflict = try transaction.conflict(open)
            else { throw HubError.noConflict(id) }
            // Also a decision for what is here is a change: undo finds it, and the next sync looks at it.
            let card = merge(open, row.card).revised(at: transaction.now.milliseconds)
            try transaction.updateContact(id, card: card)
            try transaction.closeConflict(of: id, in: open.book)
            try transaction.reindexContacts([id], rules)
            guard let stored = try transaction.contact(id) else { throw HubError.contactNotFound(id) }
            let contact = Contact(stored)
            try transaction.emit(ContactEvents.changed, contact.summary)
            let base = try transaction.syncBase(of: id, in: open.book)
            return Result(
                contact: contact, values: conflict.values, isSent: base?.ours.syncHash != card.syncHash)
        }
    }
}
