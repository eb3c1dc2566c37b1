import CSQLite

/// What SQLite refused, in its own words.
package struct SQLiteError: Error, Hashable, Sendable {
    /// The extended result code, such as `SQLITE_CONSTRAINT_CHECK`.
    package let code: Int32
    /// The library's message.
    package let message: String
    /// The statement that failed, where there is one.
    package let sql: String?

    package init(code: Int32, message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// The error that `connection` reported last.
    init(last connection: OpaquePointer?, sql: String? = nil) {
        self.init(
            code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }

    /// An error of a function that left no message.
    init(code: Int32, sql: String? = nil) {
        self.init(code: code, message: String(cString: sqlite3_errstr(code)), sql: sql)
    }
}

extension SQLiteError {
    /// The result code without its extension.
    package var primaryCode: Int32 { code & 0xff }

    /// Whether another connection held a lock for too long.
    package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    /// Whether there is no room left on the disk.
    package var isDiskFull: Bool { primaryCode == SQLITE_FULL }

    /// Whether the file is damaged, or no database at all.
    package var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// Whether a constraint refused the change.
    package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

    /// Whether `sqlite3_interrupt` ended the statement.
    package var isInterrupt: Bool { primaryCode == SQLITE_INTERRUPT }

    /// Whether the authorizer denied it.
    package var isDenied: Bool { primaryCode == SQLITE_AUTH }

    /// The name of the CHECK constraint that failed, or the columns of the UNIQUE or NOT NULL one.
    package var constraint: String? {
        guard isConstraint, let range = message.firstRange(of: " constraint failed: ") else { return nil }
        return String(message[range.upperBound...])
    }
}

extension SQLiteError: CustomStringConvertible {
    package var description: String {
        "\(message) (SQLite \(code))" + (sql.map { " in: \($0)" } ?? "")
    }
}
