package import ContactsDomain
package import HubKit

/// Merges contacts: one takes over what the others know, and they go to the trash.
package struct MergeContacts: Sendable {
    /// What a merge does, or would do.
    package struct Result: Sendable {
        /// The contact that stays, as it is after the merge.
        package let kept: ContactSummary
        /// The contacts that it took over.
        package let dropped: [ContactSummary]
        /// What is new in the one that stays, in people's words.
        package let changes: [FieldChange]
        /// What had to be chosen.
        package let conflicts: [Conflict]
    }

    /// A value that one of the contacts loses.
    package struct Conflict: Sendable {
        /// The contact whose value is left out.
        package let contact: ContactSummary
        /// The values.
        package let values: MergeConflict
    }

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// What a merge would do; nothing is changed.
    package func plan(keep: String, drop: [String], taking: Set<MergeField> = []) async throws -> Result {
        let region = contacts.rules.callingCode
        return try await contacts.read { try $0.merge(keep, drop, taking, region).result }
    }

    /// Merges the contacts `drop` into `keep`, all or none, in one step of undo.
    ///
    /// A value that a contact has once stays as `keep` has it, unless `taking` names the field: then it comes from the
    /// first of `drop` that has another. Throws `not-found`, and `invalid` when a contact would be merged into itself.
    package func callAsFunction(
        keep: String, drop: [String], taking: Set<MergeField> = [], operation: Operation
    ) async throws -> Result {
        let rules = contacts.rules
        return try await contacts.write(operation) { transaction in
            try transaction.mergeContacts(keep, drop, taking, rules)
        }
    }
}

/// A merge that is worked out and not yet stored.
struct PlannedMerge {
    let card: Card
    let result: MergeContacts.Result
}

extension Transaction {
    /// Merges contacts, stores what comes of it, and tells of it.
    func mergeContacts(
        _ keep: String, _ drop: [String], _ taking: Set<MergeField>, _ rules: IndexRules
    ) throws -> MergeContacts.Result {
        let merge = try merge(keep, drop, taking, rules.callingCode)
        try updateContact(keep, card: merge.card)
        for id in drop { try setDeleted(id, at: now, mergedInto: keep) }
        try reindexContacts([keep] + drop, rules)
        try emit(ContactEvents.changed, merge.result.kept)
        try emit(ContactEvents.removed, merge.result.dropped)
        return merge.result
    }

    /// Works a merge out.
    func merge(
        _ keep: String, _ drop: [String], _ taking: Set<MergeField>, _ region: CallingCode?
    ) throws -> PlannedMerge {
        guard !drop.isEmpty, !drop.contains(keep), Set(drop).count == drop.count else {
            throw HubError(
                .invalid, code: "merge-self", "a contact cannot be merged into itself",
                hint: "give the contact to keep, then the contacts to merge into it, each once")
        }
        let before = try editableContact(keep, expecting: nil).card
        var (card, rest) = (before, taking)
        var dropped: [ContactSummary] = []
        var conflicts: [MergeContacts.Conflict] = []
        for id in drop {
            let row = try editableContact(id, expecting: nil)
            let summary = ContactSummary(id: id, row.card.details)
            let source = try mergedSource(of: id, row.card)
            func merged(_ fields: Set<MergeField>) -> CardUnion {
                CardUnion(
                    card, with: row.card, remembering: source, taking: fields, region: region, at: now.milliseconds)
            }
            // Each field is taken from the first that has another value of it.
            let chosen = rest.intersection(merged([]).conflicts.map(\.field))
            rest.subtract(chosen)
            let merge = merged(chosen)
            conflicts += merge.conflicts.map { MergeContacts.Conflict(contact: summary, values: $0) }
            card = merge.card
            dropped.append(summary)
        }
        let result = MergeContacts.Result(
            kept: ContactSummary(id: keep, card.details), dropped: dropped,
            changes: before.details.changes(to: card.details), conflicts: conflicts)
        return PlannedMerge(card: card, result: result)
    }
}
