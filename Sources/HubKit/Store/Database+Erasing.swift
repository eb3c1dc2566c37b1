import SQLite

extension Database {
    /// Removes what deleted rows leave behind in the files: old words of full-text indexes, free pages, the free room inside
    /// of pages, and the log. Call it after something was destroyed for good.
    ///
    /// The database is written anew for this, which takes as much room again for a moment.
    /// - Returns: false when another process kept the log from being emptied; its next checkpoint does it.
    @discardableResult
    package func eraseRemains() async throws -> Bool {
        let owners = catalog.entries.map(\.schema.owner)
        let problems = try await prepare()
        for owner in owners where problems[owner] == nil {
            try await write { store in
                let entry = try store.entry(owner)
                let operation = Operation("erase remains", who: .service("store"), kind: .cache)
                let transaction = Transaction(store, entry: entry, operation: operation, now: store.clock.now)
                try store.inScope(.plugin(entry.number)) { try entry.schema.compact(transaction) }
                return Written(value: (), topics: [])
            }
        }
        return try await writer.use { store in
            try withStoreErrors {
                try store.connection.execute("VACUUM")
                return try store.connection.checkpoint()
            }
        }
    }
}
