import SQLite

extension StoreConnection {
    /// Lets the owner recompute its derived rows and announce the change, after rows were changed without it.
    /// - Returns: the topics that have news.
    func refresh(_ entry: SchemaCatalog.Entry, subjects: [String], operation: Operation) throws -> Set<Topic> {
        guard !subjects.isEmpty else { return [] }
        let transaction = Transaction(self, entry: entry, operation: operation, now: clock.now)
        try inScope(.plugin(entry.number)) {
            try entry.schema.reindex(subjects, transaction)
            try entry.schema.announce(subjects, transaction)
        }
        return transaction.changedTopics
    }

    /// Runs `body` while foreign keys neither refuse nor cascade; this works inside a transaction too.
    func withoutForeignKeys<T>(_ body: () throws -> T) throws -> T {
        try connection.set(.foreignKeys, to: false)
        let result = Result { try body() }
        try connection.set(.foreignKeys, to: true)
        return try result.get()
    }

    /// All tables of the owner.
    func tables(of entry: SchemaCatalog.Entry) throws -> [String] {
        let prefix = entry.schema.owner + "_"
        return try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") { $0.text(0) }.filter {
            $0.hasPrefix(prefix)
        }
    }
}
