package import ContactsDomain
package import HubKit

/// Shows what a person has to decide after a sync.
package struct GetConflicts: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// All open conflicts, the oldest first. One that is none any more is left out.
    package func callAsFunction() async throws -> [ContactConflict] {
        let open = try await contacts.read { transaction in
            try transaction.conflicts().map { ($0, try transaction.contact($0.contact)) }
        }
        return open.compactMap { row, contact in contact.flatMap { ContactConflict(row, of: $0) } }
    }

    /// The conflict of the contact `id`; throws `not-found` when it has none.
    package func callAsFunction(of id: String) async throws -> ContactConflict {
        let found = try await contacts.read { transaction in
            (try transaction.conflict(of: id), try transaction.contact(id))
        }
        guard let row = found.0, let contact = found.1, let conflict = ContactConflict(row, of: contact) else {
            throw HubError.noConflict(id)
        }
        return conflict
    }
}

/// A contact that both sides changed in different ways, with both versions.
package struct ContactConflict: Sendable {
    /// Our version.
    package let contact: Contact
    /// The account on the other side.
    package let account: String
    /// Since when it is open.
    package let since: Instant
    /// When the contact was changed here.
    package let changedHere: Instant
    /// When it was changed there, where their card says so.
    package let changedThere: Instant?
    /// What differs.
    package let values: [CardMerge.Clash]
    /// What only they changed; it is in the contact already.
    package let mergedFromThere: [FieldChange]
    /// What only was changed here.
    package let mergedFromHere: [FieldChange]

    /// The fields, such as `phone mobile`.
    package var fields: [String] { values.map(\.name) }
}

extension ContactConflict {
    /// The conflict of a row; nil when both sides have become equal in what they clashed in.
    init?(_ row: ConflictRow, of stored: ContactRow) {
        let contact = Contact(stored)
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
    /// The contact has no open conflict.
    static func noConflict(_ id: String) -> HubError {
        HubError(
            .notFound, code: "no-conflict", "\(id) has no conflict",
            hint: "see hub contacts conflicts")
    }
}
