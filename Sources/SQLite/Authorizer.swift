import CSQLite

/// An action of a statement that is being prepared; checked once for every table and column it names.
package struct AuthorizerRequest {
    /// The action, one of SQLite's authorizer codes.
    package let action: Action
    private let arguments: (UnsafePointer<CChar>?, UnsafePointer<CChar>?)

    /// The kinds of action (SQLite's authorizer action codes).
    package struct Action: RawRepresentable, Hashable, Sendable {
        /// The action code of `sqlite3_set_authorizer`.
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }

        /// `CREATE INDEX`.
        package static let createIndex = Action(rawValue: SQLITE_CREATE_INDEX)
        /// `CREATE TABLE`.
        package static let createTable = Action(rawValue: SQLITE_CREATE_TABLE)
        /// `CREATE VIEW`.
        package static let createView = Action(rawValue: SQLITE_CREATE_VIEW)
        /// `CREATE VIRTUAL TABLE`.
        package static let createVirtualTable = Action(rawValue: SQLITE_CREATE_VTABLE)
        /// `DROP INDEX`.
        package static let dropIndex = Action(rawValue: SQLITE_DROP_INDEX)
        /// `DROP TABLE`.
        package static let dropTable = Action(rawValue: SQLITE_DROP_TABLE)
        /// `DROP VIEW`.
        package static let dropView = Action(rawValue: SQLITE_DROP_VIEW)
        /// `DROP TABLE` of a virtual table.
        package static let dropVirtualTable = Action(rawValue: SQLITE_DROP_VTABLE)
        /// `ALTER TABLE`.
        package static let alterTable = Action(rawValue: SQLITE_ALTER_TABLE)
        /// `REINDEX`.
        package static let reindex = Action(rawValue: SQLITE_REINDEX)
        /// `INSERT` into a table.
        package static let insert = Action(rawValue: SQLITE_INSERT)
        /// `UPDATE` of a column.
        package static let update = Action(rawValue: SQLITE_UPDATE)
        /// `DELETE` from a table.
        package static let delete = Action(rawValue: SQLITE_DELETE)
        /// A column is read.
        package static let read = Action(rawValue: SQLITE_READ)
        /// `SELECT`.
        package static let select = Action(rawValue: SQLITE_SELECT)
        /// A recursive common table expression.
        package static let recursive = Action(rawValue: SQLITE_RECURSIVE)
        /// A function is called.
        package static let function = Action(rawValue: SQLITE_FUNCTION)
        /// `PRAGMA`.
        package static let pragma = Action(rawValue: SQLITE_PRAGMA)
        /// `SAVEPOINT`, `RELEASE` or `ROLLBACK TO`.
        package static let savepoint = Action(rawValue: SQLITE_SAVEPOINT)
        /// `BEGIN`, `COMMIT` or `ROLLBACK`.
        package static let transaction = Action(rawValue: SQLITE_TRANSACTION)
    }

    init(action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?) {
        self.action = Action(rawValue: action)
        arguments = (first, second)
    }

    /// The first name: of a table, index, view, pragma or savepoint step; ALTER TABLE gives the schema here.
    package var name: String { arguments.0.map { String(cString: $0) } ?? "" }

    /// The second name: of a column, a function, the table of an index, the table altered, the argument of a pragma.
    package var detail: String { arguments.1.map { String(cString: $0) } ?? "" }
}

/// The context of the C callback: the rule, and the connection with the current scope.
final class AuthorizerBox {
    unowned let connection: Connection
    let allows: (AuthorizerRequest, Int) -> Bool

    init(_ connection: Connection, _ allows: @escaping (AuthorizerRequest, Int) -> Bool) {
        self.connection = connection
        self.allows = allows
    }
}

extension Connection {
    /// Installs the rule that every statement must pass when it is prepared; `allows` gets the connection's scope.
    ///
    /// Install it once: installing it again would prepare all statements again. Change `scope` instead.
    package func authorize(_ allows: @escaping (AuthorizerRequest, _ scope: Int) -> Bool) throws(SQLiteError) {
        let box = AuthorizerBox(self, allows)
        authorizer = box
        try check(sqlite3_set_authorizer(handle, askAuthorizer, Unmanaged.passUnretained(box).toOpaque()))
    }
}

/// The callback of `sqlite3_set_authorizer`.
private func askAuthorizer(
    context: UnsafeMutableRawPointer?, action: Int32, first: UnsafePointer<CChar>?, second: UnsafePointer<CChar>?,
    schema: UnsafePointer<CChar>?, trigger: UnsafePointer<CChar>?
) -> Int32 {
    guard let context else { return SQLITE_DENY }
    let box = Unmanaged<AuthorizerBox>.fromOpaque(context).takeUnretainedValue()
    return box.allows(AuthorizerRequest(action: action, first, second), box.connection.scope) ? SQLITE_OK : SQLITE_DENY
}
