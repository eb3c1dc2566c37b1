import CSQLite

extension Connection {
    /// Runs a query and makes a value of each row.
    package func rows<T>(
        _ sql: String, arguments: [any Bindable], _ body: (borrowing Row) throws -> T
    ) throws -> [T] {
        try withStatement(sql, arguments) { statement in
            var result: [T] = []
            while try statement.step() { result.append(try body(Row(statement.handle))) }
            return result
        }
    }

    /// Runs a query and makes a value of its first row; nil when there is none.
    package func row<T>(
        _ sql: String, arguments: [any Bindable], _ body: (borrowing Row) throws -> T
    ) throws -> T? {
        try withStatement(sql, arguments) { statement in
            try statement.step() ? try body(Row(statement.handle)) : nil
        }
    }

    /// Runs a query and looks at each row until `body` answers false.
    package func scan(
        _ sql: String, arguments: [any Bindable], _ body: (borrowing Row) throws -> Bool
    ) throws {
        try withStatement(sql, arguments) { statement in
            while try statement.step() { guard try body(Row(statement.handle)) else { return } }
        }
    }

    /// Runs a statement to its end and answers how many rows it inserted, updated or deleted.
    @discardableResult
    package func run(_ sql: String, arguments: [any Bindable]) throws -> Int {
        try withStatement(sql, arguments) { statement in
            while try statement.step() {}
            return statement.isReadOnly ? 0 : Int(sqlite3_changes64(handle))
        }
    }

    /// Runs a query and makes a value of each row.
    package func rows<T>(
        _ sql: String, _ arguments: any Bindable..., body: (borrowing Row) throws -> T
    ) throws -> [T] { try rows(sql, arguments: arguments, body) }

    /// Runs a query and makes a value of its first row; nil when there is none.
    package func row<T>(
        _ sql: String, _ arguments: any Bindable..., body: (borrowing Row) throws -> T
    ) throws -> T? { try row(sql, arguments: arguments, body) }

    /// Runs a statement to its end and answers how many rows it inserted, updated or deleted.
    @discardableResult
    package func run(_ sql: String, _ arguments: any Bindable...) throws -> Int { try run(sql, arguments: arguments) }

    /// Runs all statements of `script`, which take no arguments; stops at the first that fails.
    package func execute(_ script: String) throws(SQLiteError) {
        try check(sqlite3_exec(handle, script, nil, nil, nil), sql: script)
    }

    /// Checks that `sql` would be accepted in the present scope, without running it.
    package func prepare(_ sql: String) throws(SQLiteError) {
        _ = try Statement(sql, on: handle, isCached: false)
    }

    /// The row number that the last INSERT gave.
    package var lastInsertedRow: Int { Int(sqlite3_last_insert_rowid(handle)) }
}
