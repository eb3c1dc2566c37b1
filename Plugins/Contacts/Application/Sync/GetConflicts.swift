package import ContactsDomain
package import System

extension ContactsPlugin {
    /// Returns the conflicts that a sync has left to the user, oldest first, without those that no longer differ.
    package func conflicts() async throws -> [ContactConflict] {
        let open = try await contacts.read { transaction in
            try transaction.conflicts().map { ($0, try transaction.contact($0.contact)) }
        }
        return open.compactMap { row, contact in contact.flatMap { ContactConflict(row, of: $0) } }
    }

    /// Returns the conflict of the contact `id`. Throws `not-found` if it has none.
    package func conflict(of id: String) async throws -> ContactConflict {
        let found = try await contacts.read { transaction in
            (try transaction.conflict(of: id), try transaction.contact(id))
        }
        guard let row = found.0, let contact = found.1, let conflict = ContactConflict(row, of: contact) else {
            throw HubError.noConflict(id)
        }
        return conflict
    }
}

/// A contact with conflicting changes on both sides.
package struct ContactConflict: Sendable {
    /// The local version.
    package let contact: Contact
    /// The account of the other version.
    package let account: String
    /// The time when the conflict was found.
    package let since: Instant
    /// The time of the local change.
    package let changedHere: Instant
    /// The time of the remote change, if the card states it.
    package let changedThere: Instant?
    /// The conflicting values.
    package let values: [CardMerge.Conflict]
    /// The remote changes that were merged into the contact.
    package let mergedFromThere: [FieldChange]
    /// The local changes without a conflict.
    package let mergedFromHere: [FieldChange]

    /// The conflicting fields, such as `phone mobile`.
    package var fields: [String] { values.map(\.name) }
}

extension ContactConflict {
    /// Returns the conflict of a row; nil if the conflicting values have become equal.
    init?(_ row: ConflictRow, of stored: Contact) {
        let contact = stored
        let merge = CardMerge(ours: stored.card, ourBase: row.base, theirBase: row.base, theirs: row.theirs)
        if merge.conflicts.isEmpty { return nil }
        let clashing = Set(merge.conflicts.map(\.field))
        let (base, theirs) = (row.base.details, row.theirs.details)
        let there = base.changes(to: theirs).filter { !clashing.contains($0.field) }
        let here = base.changes(to: contact.details).filter { !clashing.contains($0.field) && !there.contains($0) }
        self.init(
            contact: contact, account: row.account, since: row.since, changedHere: row.changedHere,
            changedThere: row.theirs.revisedAt.map { Instant(milliseconds: $0) }, values: merge.conflicts,
            mergedFromThere: there, mergedFromHere: here)
    }
}

extension HubError {
    /// The error for a contact without an open conflict.
    static func noConflict(_ id: String) -> HubError {
        HubError(
            .notFound, code: "no-conflict", "\(id) has no conflict",
            hint: "see hub contacts conflicts")
    }
}
