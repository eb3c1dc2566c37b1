import SQLite

extension Database {
    /// Erases what deleted rows leave in the files: blobs that nothing needs any more, old words of full-text indexes, free
    /// pages, free space inside pages, and the log. Call it after data was permanently deleted.
    ///
    /// The database is rewritten for this, which temporarily needs as much space again.
    /// - Returns: false when another process kept the log from being emptied, or the blobs from being collected; its next
    ///   checkpoint does the one, the next ``collectBlobs()`` the other.
    @discardableResult
    package func eraseRemains() async throws -> Bool {
        let areBlobsCollected = try await collectBlobs() != nil
        let owners = catalog.entries.map(\.schema.owner)
        let problems = try await prepare()
        for owner in owners where problems[owner] == nil {
            try await write { store in
                let entry = try store.entry(owner)
                let operation = Operation("erase remains", who: .service("store"), kind: .cache)
                let transaction = Transaction(store, entry: entry, operation: operation, now: store.clock.now)
                try store.inScope(.plugin(entry.number)) { try entry.schema.compact(transaction) }
                return WriteResult(value: (), topics: [])
            }
        }
        return try await writer.use { store in
            try withStoreErrors {
                try store.connection.execute("VACUUM")
                return try store.connection.checkpoint() && areBlobsCollected
            }
        }
    }
}
