package import ContactsDomain
import HubKit
package import Storage

/// The result or plan of a merge of contacts.
package struct ContactMerge: Sendable {
    /// The kept contact after the merge.
    package let kept: ContactSummary
    /// The contacts that were merged into it.
    package let dropped: [ContactSummary]
    /// The changed fields of the kept contact.
    package let changes: [FieldChange]
    /// The conflicting values.
    package let conflicts: [DroppedValue]
    /// The groups and relatives that named a merged contact and now name the kept one; unknown in a plan.
    package internal(set) var referrers: [ContactSummary] = []
}

/// A value that the merge drops.
package struct DroppedValue: Sendable {
    /// The contact whose value is dropped.
    package let contact: ContactSummary
    /// The values of both.
    package let values: MergeConflict
}

extension ContactsPlugin {
    /// Returns the plan of a merge; changes nothing.
    package func planMerge(keep: String, drop: [String], taking: Set<MergeField> = []) async throws -> ContactMerge {
        let region = contacts.rules.callingCode
        return try await contacts.read { try $0.merge(keep, drop, taking, region).result }
    }

    /// Merges the contacts `drop` into `keep`, all or none, as one undoable operation.
    ///
    /// Fields with a single value keep the value of `keep`, unless `taking` contains the field: then the first
    /// differing value of `drop` is used. Throws `not-found`, and `invalid` if a contact would be merged into itself.
    package func merge(
        keep: String, drop: [String], taking: Set<MergeField> = [], operation: Operation
    ) async throws -> ContactMerge {
        let rules = contacts.rules
        return try await contacts.write(operation) { transaction in
            var merge = try transaction.mergeContacts(keep, drop, taking, rules)
            merge.result.referrers = try transaction.followMerges([merge.cards], rules)
            return merge.result
        }
    }
}

/// A merge that is computed and not yet stored.
struct PlannedMerge {
    let card: Card
    let dropped: [Card]
    var result: ContactMerge

    /// The cards, to follow the references to them.
    var cards: (kept: Card, dropped: [Card]) { (card, dropped) }
}

extension Transaction {
    /// Merges contacts, stores the result, and publishes the events; the caller follows the references to them.
    func mergeContacts(
        _ keep: String, _ drop: [String], _ taking: Set<MergeField>, _ rules: IndexingOptions
    ) throws -> PlannedMerge {
        let merge = try merge(keep, drop, taking, rules.callingCode)
        try updateContact(keep, card: merge.card)
        for id in drop { try setDeleted(id, at: now, mergedInto: keep) }
        try reindexContacts([keep] + drop, rules)
        try emit(ContactEvents.changed, merge.result.kept)
        try emit(ContactEvents.removed, merge.result.dropped)
        return merge
    }

    /// Computes a merge.
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
        var cards: [Card] = []
        var conflicts: [DroppedValue] = []
        for id in drop {
            let row = try editableContact(id, expecting: nil)
            let summary = ContactSummary(id: id, row.card.details)
            let source = try mergedSource(of: id, row.card)
            func merged(_ fields: Set<MergeField>) -> CardUnion {
                CardUnion(
                    card, with: row.card, remembering: source, taking: fields, region: region, at: now.milliseconds)
            }
            // The first contact with a different value provides the field.
            let chosen = rest.intersection(merged([]).conflicts.map(\.field))
            rest.subtract(chosen)
            let merge = merged(chosen)
            conflicts += merge.conflicts.map { DroppedValue(contact: summary, values: $0) }
            card = merge.card
            dropped.append(summary)
            cards.append(row.card)
        }
        let result = ContactMerge(
            kept: ContactSummary(id: keep, card.details), dropped: dropped,
            changes: before.details.changes(to: card.details), conflicts: conflicts)
        return PlannedMerge(card: card, dropped: cards, result: result)
    }
}

extension ContactsPlugin {
    /// Merges the strong duplicates whose values do not conflict, as one undoable operation; with `isDryRun` it only
    /// returns the plan.
    package func mergeSafeDuplicates(operation: Operation, isDryRun: Bool = false) async throws -> [ContactMerge] {
        let groups = try await findDuplicates(upTo: .strong)
        let rules = contacts.rules
        if isDryRun {
            return try await contacts.read { transaction in
                try groups.compactMap { try transaction.safeMerge(of: $0, rules)?.result }
            }
        }
        return try await contacts.store.bulk(operation) { bulk in
            var merges: [PlannedMerge] = []
            for group in groups {
                let merge = try await bulk.chunk { transaction in
                    try transaction.safeMerge(of: group, rules).map { _ in
                        try transaction.mergeContacts(group.keep.id, group.drop.map(\.id), [], rules)
                    }
                }
                if let merge { merges.append(merge) }
            }
            let cards = merges.map(\.cards)
            try await bulk.chunk { _ = try $0.followMerges(cards, rules) }
            return merges.map(\.result)
        }
    }
}

extension Transaction {
    /// The merge of a group, if it is unchanged since it was found and has no conflicting values.
    fileprivate func safeMerge(of group: DuplicateGroup, _ rules: IndexingOptions) throws -> PlannedMerge? {
        for member in group.members {
            guard let row = try contact(member.id), row.deletedAt == nil, row.revision == group.revisions[member.id]
            else { return nil }
        }
        let planned = try merge(group.keep.id, group.drop.map(\.id), [], rules.callingCode)
        return planned.result.conflicts.isEmpty ? planned : nil
    }
}
