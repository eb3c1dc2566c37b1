import CSQLite

/// One connection to a database file, or to a database in memory.
///
/// It belongs to one isolation domain, keeps its prepared statements, and closes itself when it is released.
package final class Connection {
    /// The mode in which a file is opened.
    package enum Mode: Sendable {
        /// For reading only; it must exist.
        case readOnly
        /// For reading and writing; it must exist.
        case readWrite
        /// For reading and writing; it is made where it is missing.
        case create
    }

    /// The library's version, such as `3.40.1`.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    let handle: OpaquePointer
    /// The scope that statements are prepared and run under: part of the key of the statement cache, and given to the
    /// authorizer. Set it before a statement runs, and set it back afterwards.
    package var scope = 0
    /// Whether statements that would change the database are refused.
    package var refusesWrites = false
    /// The authorizer, held for as long as the connection lives.
    var authorizer: AuthorizerBox?
    private var statements: [StatementKey: Statement] = [:]
    private static let statementLimit = 256
    private static let isPrepared = csqlite_prepare() == SQLITE_OK

    private struct StatementKey: Hashable {
        let scope: Int
        let sql: String

        // The length distinguishes nearly all statements; hashing every byte would cost as much as running many
        // statements.
        func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count &* 64 &+ scope) }
    }

    /// Opens the file at `path`, or a database in memory for `:memory:`.
    package init(_ path: String, mode: Mode = .create) throws(SQLiteError) {
        let flags =
            switch mode {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        // Without it all works, only slower.
        _ = Connection.isPrepared
        var handle: OpaquePointer?
        // Each connection is confined, so the library's own mutexes are left out.
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let handle else {
            // A failed open may leave a handle, which holds the message and must be closed.
            let error = handle == nil ? SQLiteError(code: code) : SQLiteError(last: handle)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// Whether the file could only be opened for reading.
    package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// Runs `body` with a statement for `sql`, from the cache where possible.
    func withStatement<T>(
        _ sql: String, _ arguments: [any Bindable], _ body: (Statement) throws -> T
    ) throws -> T {
        let key = StatementKey(scope: scope, sql: sql)
        let statement: Statement
        if let cached = statements[key], !cached.isInUse {
            statement = cached
        } else {
            let isNew = statements[key] == nil
            statement = try Statement(sql, on: handle, isCached: isNew)
            if isNew {
                if statements.count >= Self.statementLimit { statements = statements.filter { $0.value.isInUse } }
                statements[key] = statement
            }
        }
        guard !refusesWrites || statement.isReadOnly else {
            throw SQLiteError(code: SQLITE_READONLY, message: "a write inside a read transaction", sql: sql)
        }
        statement.isInUse = true
        defer {
            statement.reset()
            statement.isInUse = false
        }
        try statement.bind(arguments)
        return try body(statement)
    }

    /// Checks a result code of a call on this connection.
    func check(_ code: Int32, sql: String? = nil) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw SQLiteError(last: handle, sql: sql) }
    }
}
