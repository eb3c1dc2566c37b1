import HubKit

/// Rebuilds the index rows if they were built for other settings or by another version of the collation.
package struct RefreshIndex: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Rebuilds the rows if needed or if `isForced`.
    /// - Returns: whether they were rebuilt.
    @discardableResult
    package func callAsFunction(isForced: Bool = false) async throws -> Bool {
        let rules = contacts.rules
        let isCurrent = try await contacts.store.read { transaction in
            try transaction.isIndexUsable(rules) && transaction.isCollationUsable(rules)
        }
        if isCurrent, !isForced { return false }
        try await contacts.refreshIndex()
        return true
    }
}
