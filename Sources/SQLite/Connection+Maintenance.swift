import CSQLite

extension Connection {
    /// Copies the database as it is now to a new file, while others go on reading and writing.
    ///
    /// No journal is kept of the copy: one that fails is worth nothing.
    package func backup(to path: String) throws {
        let target = try Connection(path)
        try target.execute("PRAGMA journal_mode = OFF")
        guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw SQLiteError(last: target.handle)
        }
        // A single step: in WAL mode it blocks no one, and a writer cannot make it start again.
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw SQLiteError(last: target.handle) }
    }

    /// Returns the errors of the file, its tables and indexes; empty when there are none.
    package func integrityProblems(limit: Int = 100) throws -> [String] {
        try rows("PRAGMA integrity_check(\(limit))") { $0.text(0) }.filter { $0 != "ok" }
    }

    /// Rows of `table` whose foreign key names a row that is not there.
    package func foreignKeyViolations(of table: String) throws -> [ForeignKeyViolation] {
        try rows("PRAGMA foreign_key_check(\(quoted(table)))") {
            ForeignKeyViolation(table: $0.text(0), row: $0.optionalInt(1), parent: $0.text(2), key: $0.int(3))
        }
    }

    /// Moves what the write-ahead log holds into the database file and empties the log.
    /// - Returns: false when readers or another writer kept it from finishing.
    @discardableResult
    package func checkpoint() throws(SQLiteError) -> Bool {
        let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        if code == SQLITE_BUSY || code == SQLITE_LOCKED { return false }
        try check(code)
        return true
    }
}

/// A row whose foreign key leads nowhere.
package struct ForeignKeyViolation: Hashable, Sendable {
    /// The table of the row.
    package let table: String
    /// Its row number; nil in a table without row numbers.
    package let row: Int?
    /// The table that lacks the row it names.
    package let parent: String
    /// Which of the table's foreign keys, as `PRAGMA foreign_key_list` counts them.
    package let key: Int
}

/// `name` as an SQL identifier.
package func quoted(_ name: String) -> String {
    "\""
        + name.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false).map(String.init).joined(
            separator: "\"\"") + "\""
}
