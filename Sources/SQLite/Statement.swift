import CSQLite

/// A prepared statement, owned by the cache of its connection.
final class Statement {
    let handle: OpaquePointer
    /// Whether it is being stepped; a second user of the same SQL gets a statement of its own.
    var isInUse = false

    /// Prepares the only statement of `sql`: SQLite would ignore those after the first.
    init(_ sql: String, on connection: OpaquePointer, isCached: Bool) throws(SQLiteError) {
        var handle: OpaquePointer?
        var next: OpaquePointer?
        let flags = isCached ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        var sql = sql
        let code = sql.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                guard let start = text.baseAddress else { return SQLITE_OK }
                guard let count = Int32(exactly: text.count) else { return SQLITE_TOOBIG }
                let end = start + text.count
                var rest: UnsafePointer<CChar>? = start
                var code = sqlite3_prepare_v3(connection, start, count, flags, &handle, &rest)
                // Comments, blanks and semicolons may follow: SQLite makes no statement of them.
                while code == SQLITE_OK, next == nil, let tail = rest, tail < end {
                    code = sqlite3_prepare_v3(connection, tail, Int32(end - tail), 0, &next, &rest)
                }
                return code
            }
        }
        sqlite3_finalize(next)
        guard code == SQLITE_OK else {
            sqlite3_finalize(handle)
            throw code == SQLITE_TOOBIG
                ? SQLiteError(code: code, sql: sql) : SQLiteError(last: connection, sql: sql)
        }
        guard next == nil else {
            sqlite3_finalize(handle)
            throw SQLiteError(code: SQLITE_MISUSE, message: "more than one statement", sql: sql)
        }
        guard let handle else { throw SQLiteError(code: SQLITE_MISUSE, message: "empty statement", sql: sql) }
        self.handle = handle
    }

    deinit { sqlite3_finalize(handle) }

    /// Whether running it leaves the database as it is.
    var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// Binds `arguments` to all parameters, in order.
    func bind(_ arguments: [any Bindable]) throws(SQLiteError) {
        let expected = Int(sqlite3_bind_parameter_count(handle))
        guard arguments.count == expected else {
            let message = "\(expected) parameters, but \(arguments.count) arguments"
            throw SQLiteError(code: SQLITE_RANGE, message: message, sql: sql)
        }
        for (index, argument) in arguments.enumerated() {
            let code = bind(argument.sqlValue, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw SQLiteError(code: code, sql: sql) }
        }
    }

    private func bind(_ value: Value, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, Int64(number))
        case .real(let number): return sqlite3_bind_double(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
                return bytes.withMemoryRebound(to: CChar.self) {
                    csqlite_bind_text(handle, index, $0.baseAddress, count)
                }
            }
        case .blob(let bytes):
            guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
            return bytes.withUnsafeBytes { csqlite_bind_blob(handle, index, $0.baseAddress, count) }
        }
    }

    /// Goes to the next row; false when there is none.
    func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw SQLiteError(last: sqlite3_db_handle(handle), sql: sql)
        }
    }

    /// Ends the execution and lets go of what was bound.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }
}
