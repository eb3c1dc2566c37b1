import SQLite

extension Database {
    /// Copies the database as it is now, with its blobs and `files`, to the file at `path`, while everything goes on, and
    /// checks the copy.
    /// - Returns: the blobs that are missing or damaged, so that the copy is without them.
    @discardableResult
    package func backup(to path: String, with files: [BackupFile] = []) async throws -> [BlobID] {
        let lock = try await blobs?.keep()
        defer { withExtendedLifetime(lock) {} }
        return try await read { [blobs] in try $0.copy(to: path, with: files, blobs: blobs) }
    }

    /// Returns the errors of the file, its tables, indexes and foreign keys; empty when there are none.
    package func integrityProblems() async throws -> [String] {
        try await read { store in
            try store.connection.integrityProblems()
                + store.connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") { $0.text(0) }
                .flatMap { try store.connection.foreignKeyViolations(of: $0) }
                .map { "a row of \($0.table) belongs to a row of \($0.parent) that does not exist" }
        }
    }

    /// Moves the write-ahead log into the database file.
    /// - Returns: False when another connection was reading or writing, so that the checkpoint is incomplete.
    @discardableResult
    package func checkpoint() async throws -> Bool {
        try await writer.use { store in try withStoreErrors { try store.connection.checkpoint() } }
    }

    /// Takes back what commands that were killed have left half done. Opening does so too; the daemon, which opens
    /// once, calls this from time to time.
    package func rollBackAbandoned() async throws {
        guard let locks else { return }
        try await writer.use { store in
            try withStoreErrors { try BulkRollback.rollBackAbandoned(store, locks: locks) }
        }
    }

    /// Returns the reason why the work of a process that died could not be rolled back yet; nil when there is nothing
    /// left to roll back.
    package func rollbackFailure() async throws -> HubError? {
        try await writer.use { store in
            store.rollbackFailure.map { error in
                switch error {
                case let error as HubError: error
                case let error as SQLiteError: HubError(store: error)
                case let error as SystemError: HubError(storeFile: error)
                default: HubError(.internal, code: "rollback-failed", "\(error)")
                }
            }
        }
    }

    /// Whether the database can only be read: its file or its folder is not writable.
    package func isReadOnly() async throws -> Bool { try await writeRefusal() != nil }

    /// Why nothing can be written; nil when the database is open for writing.
    package func writeRefusal() async throws -> HubError? {
        try await writer.use { $0.access == .readOnly ? $0.writeRefusal : nil }
    }

    /// Tries again, at the next opening, the migrations that have failed.
    package func retryMigrations() async throws {
        try await write { store in
            try store.forgetFailures()
            return WriteResult(value: (), topics: [])
        }
        await close()
    }

    /// The identity of this database; a restored one and a copy have another.
    package func replica() async throws -> String {
        try await read { try $0.replica() }
    }
}
