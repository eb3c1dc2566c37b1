import HubKit
package import Storage

/// The store of contacts, with index rows that follow the settings.
///
/// Use cases read and write through it: rows that were built for another language, name order or region are rebuilt
/// before they are used.
package struct ContactStore: EntityStore {
    /// The plugin's tables.
    package let store: Store
    /// The options of the index rows.
    package let rules: IndexingOptions

    /// The number of contacts that are reindexed in one transaction; takes a few milliseconds.
    private static let batch = 200

    package init(store: Store, rules: IndexingOptions) {
        self.store = store
        self.rules = rules
    }

    /// Runs `body` on a consistent snapshot.
    package func read<T: Sendable>(_ body: @Sendable (Transaction) throws -> T) async throws -> T {
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
                // Outdated rows are better than none if no new ones can be written.
                takesOldRows = true
            }
        }
    }

    /// Runs `body` as one change, which is durable when this returns.
    @discardableResult
    package func write<T: Sendable>(
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

    /// Rebuilds the index rows if they were built for other settings or by another version of the collation.
    func refreshIndexIfNeeded() async throws {
        let rules = rules
        let isCurrent = try await store.read { transaction in
            try transaction.isIndexUsable(rules) && transaction.isCollationUsable(rules)
        }
        if !isCurrent { try await refreshIndex() }
    }

    /// Rebuilds the index rows of all contacts, in short transactions so that others can write in between.
    func refreshIndex() async throws {
        let operation = Operation("contacts reindex", who: .service("contacts"), kind: .cache)
        let rules = rules
        var last = ""
        while true {
            let start = last
            let end = try await store.write(operation) { transaction in
                let ids = try transaction.contactIDs(after: start, limit: ContactStore.batch)
                try transaction.reindexContacts(ids, rules)
                if ids.isEmpty { try transaction.setIndexingOptions(rules) }
                return ids.last
            }
            guard let end else { return }
            last = end
        }
    }
}

extension ContactsPlugin {
    /// Checks the index rows against the cards and returns the problems, one sentence each; empty if there are none.
    package func indexProblems() async throws -> [String] {
        let operation = Operation("contacts check", who: .service("contacts"), kind: .cache)
        return try await contacts.store.write(operation) { try $0.contactIndexProblems() }
    }

    /// Rebuilds the index from the cards, whatever its state.
    package func rebuildIndex() async throws {
        let operation = Operation("contacts reindex", who: .service("contacts"), kind: .cache)
        try await contacts.store.write(operation) { try $0.clearContactIndex() }
        try await contacts.refreshIndex()
    }

    /// Counts one use of the contact `id`, so that `query` can list the most used first.
    ///
    /// Errors, such as a full disk or a busy store, are ignored, since this is only a convenience.
    package func recordUsage(of id: String) async {
        do {
            let operation = Operation("contacts use", who: .service("contacts"), kind: .cache)
            try await contacts.write(operation) { try $0.noteUse(of: id) }
        } catch {
            log.debug("could not record the use of a contact: \(error)")
        }
    }
}
