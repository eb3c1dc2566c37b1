import CSQLite

/// A prepared statement, owned by the cache of its connection.
final class Statement {
    let handle: OpaquePointer
    /// Whether it is being stepped; a second user of the same SQL gets a statement of its own.
    var isInUse = false
    /// The texts and blobs that are bound, as far as there is room: so the library need not copy each into memory of its own.
    private var scratch = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var scratchUse = 0
    /// The room that the last arguments needed beyond that of `scratch`, which the library copied.
    private var missingRoom = 0
    private static let scratchLimit = 64 << 10

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

    deinit {
        sqlite3_finalize(handle)
        scratch.deallocate()
    }

    /// Whether running it leaves the database as it is.
    var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// Binds `arguments` to all parameters, in order.
    func bind(_ arguments: [any Bindable]) throws(SQLiteError) {
        let expected = Int(sqlite3_bind_parameter_count(handle))
        guard arguments.count == expected else {
            let message = "\(expected) parameters, but \(arguments.count) arguments"
            throw SQLiteError(code: SQLITE_RANGE, message: message, sql: sql)
        }
        makeRoom()
        for (index, argument) in arguments.enumerated() {
            let code = bind(argument.sqlValue, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw SQLiteError(code: code, sql: sql) }
        }
    }

    /// Grows the scratch by what was missing, before anything is in it.
    private func makeRoom() {
        let size = scratch.count + missingRoom
        if missingRoom > 0, size <= Self.scratchLimit {
            scratch.deallocate()
            scratch = .allocate(byteCount: size, alignment: 1)
        }
        (scratchUse, missingRoom) = (0, 0)
    }

    private func bind(_ value: Value, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, Int64(number))
        case .real(let number): return sqlite3_bind_double(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
                let (start, isKept) = kept(UnsafeRawBufferPointer(bytes))
                return csqlite_bind_text(handle, index, start, count, isKept)
            }
        case .blob(let bytes):
            guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
            return bytes.withUnsafeBytes { bytes in
                let (start, isKept) = kept(bytes)
                return csqlite_bind_blob(handle, index, start, count, isKept)
            }
        }
    }

    /// Copies bytes into the scratch. Returns where they are, and whether they stay there until the next arguments.
    private func kept(_ bytes: UnsafeRawBufferPointer) -> (UnsafeRawPointer?, Int32) {
        guard bytes.count <= scratch.count - scratchUse, bytes.count > 0, let start = scratch.baseAddress else {
            missingRoom += bytes.count
            return (bytes.baseAddress, 0)
        }
        let place = start + scratchUse
        UnsafeMutableRawBufferPointer(start: place, count: bytes.count).copyMemory(from: bytes)
        scratchUse += bytes.count
        return (UnsafeRawPointer(place), 1)
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
        if missingRoom > 0 { sqlite3_clear_bindings(handle) }
    }

    private var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }
}
