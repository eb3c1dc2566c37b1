import ContactsDomain
package import HubKit

extension ContactsPlugin {
    /// Merges them as one undoable operation; with `isDryRun` it only returns the plan.
    package func mergeSafeDuplicates(operation: Operation, isDryRun: Bool = false) async throws -> [ContactMerge] {
        let groups = try await findDuplicates(upTo: .strong)
        let rules = contacts.rules
        if isDryRun {
            return try await contacts.read { transaction in
                try groups.compactMap { try transaction.safeMerge(of: $0, rules)?.result }
            }
        }
        return try await contacts.store.bulk(operation) { bulk in
            var results: [ContactMerge] = []
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
