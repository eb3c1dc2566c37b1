package import ContactsDomain
import HubKit
package import Storage

/// The result of a decision about a conflict.
package struct ResolvedConflict: Sendable {
    /// The contact after the decision.
    package let contact: Contact
    /// The values that were decided.
    package let values: [CardMerge.Conflict]
    /// Whether the next sync has a change to send.
    package let isSent: Bool
}

/// A conflict is resolved by one edit of the contact, which the next sync sends and undo reverts together with the conflict.
extension ContactsPlugin {
    /// Keeps the local values, the remote ones, or both where possible; `choices` may decide single fields.
    ///
    /// Throws `not-found` if the contact has no conflict, and `usage` if a conflicting field has no choice.
    package func resolveConflict(
        _ id: String, taking choices: CardMerge.Choices, operation: Operation
    ) async throws -> ResolvedConflict {
        try await decide(id, operation) { row, card in
            let merge = CardMerge(
                ours: card, ourBase: row.base, theirBase: row.base, theirs: row.theirs, choices: choices)
            guard let open = merge.conflicts.first else { return merge.card }
            throw HubError(
                .usage, code: "field-undecided", "\(open.name) is also in conflict, and no version was chosen for it",
                hint: "add --take \"\(open.name)=here\"")
        }
    }

    /// Resolves all fields with one choice.
    package func resolveConflict(
        _ id: String, taking choice: CardMerge.Choice, operation: Operation
    ) async throws -> ResolvedConflict {
        try await resolveConflict(id, taking: CardMerge.Choices(choice), operation: operation)
    }

    /// Resolves the conflict with an edited version.
    package func resolveConflict(
        _ id: String, writing details: ContactDetails, operation: Operation
    ) async throws -> ResolvedConflict {
        try details.checked()
        return try await decide(id, operation) { _, card in card.updated(to: details, at: nil).card }
    }

    /// Merges outside the transaction, and again if the contact was changed meanwhile.
    private func decide(
        _ id: String, _ operation: Operation, _ merge: @Sendable (ConflictRow, Card) throws -> Card
    ) async throws -> ResolvedConflict {
        let rules = contacts.rules
        while true {
            let found = try await contacts.read { transaction -> ConflictDraft? in
                guard let open = try transaction.conflict(of: id), let row = try transaction.contact(id) else {
                    return nil
                }
                return ConflictDraft(open: open, row: row)
            }
            guard let found, let conflict = ContactConflict(found.open, of: found.row) else {
                throw HubError.noConflict(id)
            }
            let merged = try merge(found.open, found.row.card)
            let result = try await contacts.write(operation) { transaction -> ResolvedConflict? in
                guard let open = try transaction.conflict(of: id), let row = try transaction.contact(id),
                    row.isSameVersion(as: found.row), open.theirs.bytes == found.open.theirs.bytes
                else { return nil }
                // A decision for the local version is also recorded, so that undo finds it and the next sync checks it.
                let card = merged.revised(at: transaction.now.milliseconds)
                try transaction.updateContact(id, card: card)
                try transaction.closeConflict(of: id, in: open.book)
                try transaction.reindexContacts([id], rules)
                let contact = try Contact.kind.item(id, in: transaction)
                try transaction.emit(ContactEvents.changed, contact.summary)
                let base = try transaction.syncBase(of: id, in: open.book)
                return ResolvedConflict(
                    contact: contact, values: conflict.values, isSent: base?.ours.syncHash != card.syncHash)
            }
            if let result { return result }
        }
    }
}

/// A conflict and its contact as they were read.
private struct ConflictDraft: Sendable {
    let open: ConflictRow
    let row: Contact
}
