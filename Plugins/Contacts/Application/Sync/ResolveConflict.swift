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

    /// Takes our values, theirs, or both where a card can hold both; of fields that `choices` names, as it says.
    ///
    /// Throws `not-found` when the contact has no conflict, and `usage` when a field in conflict is left without an answer.
    package func callAsFunction(
        _ id: String, taking choices: CardMerge.Choices, operation: Operation
    ) async throws -> Result {
        try await decide(id, operation) { row, card in
            let merge = CardMerge(
                ours: card, ourBase: row.base, theirBase: row.base, theirs: row.theirs, choices: choices)
            guard let open = merge.conflicts.first else { return merge.card }
            throw HubError(
                .usage, code: "field-undecided", "\(open.name) is also in conflict, and no version was chosen for it",
                hint: "add --take \"\(open.name)=here\"")
        }
    }

    /// The same with one choice for all fields.
    package func callAsFunction(
        _ id: String, taking choice: CardMerge.Choice, operation: Operation
    ) async throws -> Result {
        try await self(id, taking: CardMerge.Choices(choice), operation: operation)
    }

    /// Takes what a person wrote instead.
    package func callAsFunction(
        _ id: String, writing details: ContactDetails, operation: Operation
    ) async throws -> Result {
        try details.checked()
        return try await decide(id, operation) { _, card in card.updated(to: details, at: nil).card }
    }

    /// Merges outside of the transaction, and once more when the contact was changed meanwhile.
    private func decide(
        _ id: String, _ operation: Operation, _ merge: @Sendable (ConflictRow, Card) throws -> Card
    ) async throws -> Result {
        let rules = contacts.rules
        while true {
            let found = try await contacts.read { transaction -> Draft? in
                guard let open = try transaction.conflict(of: id), let row = try transaction.contact(id) else {
                    return nil
                }
                return Draft(open: open, row: row)
            }
            guard let found, let conflict = ContactConflict(found.open, of: found.row) else {
                throw HubError.noConflict(id)
            }
            let merged = try merge(found.open, found.row.card)
            let result = try await contacts.write(operation) { transaction -> Result? in
                guard let open = try transaction.conflict(of: id), let row = try transaction.contact(id),
                    row.isSameVersion(as: found.row), open.theirs.bytes == found.open.theirs.bytes
                else { return nil }
                // Also a decision for what is here is a change: undo finds it, and the next sync looks at it.
                let card = merged.revised(at: transaction.now.milliseconds)
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
            if let result { return result }
        }
    }

    private struct Draft: Sendable {
        let open: ConflictRow
        let row: ContactRow
    }
}
