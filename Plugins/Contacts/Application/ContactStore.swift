package import HubKit

/// The store of contacts, with derived rows that follow the person's settings.
///
/// Use cases read and write through it: rows that were made for another language, order of names or country are made
/// again before they are used.
package struct ContactStore: Sendable {
    /// The plugin's tables.
    package let store: Store
    /// How the derived rows are to be made.
    package let rules: IndexRules

    /// How many contacts are indexed again in one transaction; it takes a few milliseconds.
    private static let batch = 200

    package init(store: Store, rules: IndexRules) {
        self.store = store
        self.rules = rules
    }

    /// Runs `body` on one consistent view.
    func read<T: Sendable>(_ body: @Sendable (Transaction) throws -> T) async throws -> T {
        let rules = rules
        var takesOldRows = false
        while true {
            let value = try await store.read { [takesOldRows] transaction -> T? in
                try takesOldRows || transaction.isIndexUsable(rules) ? try body(transaction) : nil
            }
            if let value { return value }
            do {
                try await refreshIndex()
            } catch let error as HubError where HubError.unwritableStore.contains(error.code) {
                // Rows of other settings are better than none where no new ones can be made.
                takesOldRows = true
            }
        }
    }

    /// Runs `body` as one change, on the disk when this returns.
    func write<T: Sendable>(
        _ operation: Operation, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        let rules = rules
        while true {
            let value = try await store.write(operation) { transaction -> T? in
                try transaction.prepareIndex(rules) ? try body(transaction) : nil
            }
            if let value { return value }
            try await refreshIndex()
        }
    }

    /// Makes the derived rows of all contacts again, in short steps between which others can write.
    func refreshIndex() async throws {
        let operation = Operation("contacts reindex", who: .service("contacts"), kind: .cache)
        let rules = rules
        var last = ""
        while true {
            let start = last
            let end = try await store.write(operation) { transaction in
                let ids = try transaction.contactIDs(after: start, limit: ContactStore.batch)
                try transaction.reindexContacts(ids, rules)
                if ids.isEmpty { try transaction.setIndexRules(rules) }
                return ids.last
            }
            guard let end else { return }
            last = end
        }
    }
}
