import ContactsDomain
package import HubKit

/// Merges the duplicates of which nobody need decide anything: those whose cards say the same, and those that very
/// likely are one when no value of theirs must be chosen.
package struct MergeSafeDuplicates: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Merges them, in one step of undo, or with `isDryRun` only tells what would be merged.
    package func callAsFunction(operation: Operation, isDryRun: Bool = false) async throws -> [MergeContacts.Result] {
        let groups = try await FindDuplicates(contacts)(upTo: .strong)
        let rules = contacts.rules
        if isDryRun {
            return try await contacts.read { transaction in
                try groups.compactMap { try transaction.safeMerge(of: $0, rules)?.result }
            }
        }
        return try await contacts.store.bulk(operation) { bulk in
            var results: [MergeContacts.Result] = []
            for group in groups {
                let result = try await bulk.chunk { transaction in
                    try transaction.safeMerge(of: group, rules).map { _ in
                        try transaction.mergeContacts(group.keep.id, group.drop.map(\.id), [], rules)
                    }
                }
                if let result { results.append(result) }
            }
            return results
        }
    }
}

extension Transaction {
    /// The merge of a group, when all of it is as it was found and nothing is to be chosen.
    fileprivate func safeMerge(of group: DuplicateGroup, _ rules: IndexRules) throws -> PlannedMerge? {
        for member in group.members {
            guard let row = try contact(member.id), row.deletedAt == nil, row.revision == group.revisions[member.id]
            else { return nil }
        }
        let planned = try merge(group.keep.id, group.drop.map(\.id), [], rules.callingCode)
        return planned.result.conflicts.isEmpty ? planned : nil
    }
}
