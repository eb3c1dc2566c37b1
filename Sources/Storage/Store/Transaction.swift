package import SQLite

/// The database inside one `read` or `write`: one consistent view, and in a write one whole change.
///
/// A plugin's store layer extends it with methods in the terms of its domain. It is invalid once its closure has
/// ended.
package final class Transaction {
    let store: StoreConnection
    let entry: SchemaCatalog.Entry
    /// The operation; nil in a read.
    package let operation: Operation?
    /// The moment at which the closure began.
    package let now: Instant
    /// The topics that have news once this commits.
    private(set) var changedTopics: Set<Topic> = []
    /// What is called once this commits.
    private(set) var commitActions: [@Sendable () -> Void] = []

    init(_ store: StoreConnection, entry: SchemaCatalog.Entry, operation: Operation?, now: Instant) {
        self.store = store
        self.entry = entry
        self.operation = operation
        self.now = now
    }

    /// Whose tables are seen: a plugin's id, or `core`.
    package var owner: String { entry.schema.owner }

    /// Runs a query and makes a value of each row.
    package func rows<T>(
        _ sql: String, _ arguments: any Bindable..., body: (borrowing Row) throws -> T
    ) throws -> [T] { try store.connection.rows(sql, arguments: arguments, body) }

    /// Runs a query and makes a value of each row.
    package func rows<T>(
        _ sql: String, arguments: [any Bindable], body: (borrowing Row) throws -> T
    ) throws -> [T] { try store.connection.rows(sql, arguments: arguments, body) }

    /// Runs a query and makes a value of its first row; nil when there is none.
    package func row<T>(
        _ sql: String, _ arguments: any Bindable..., body: (borrowing Row) throws -> T
    ) throws -> T? { try store.connection.row(sql, arguments: arguments, body) }

    /// Runs a query and makes a value of its first row; nil when there is none.
    package func row<T>(
        _ sql: String, arguments: [any Bindable], body: (borrowing Row) throws -> T
    ) throws -> T? { try store.connection.row(sql, arguments: arguments, body) }

    /// Runs a query and looks at each row until `body` answers false.
    package func scan(
        _ sql: String, _ arguments: any Bindable..., body: (borrowing Row) throws -> Bool
    ) throws { try store.connection.scan(sql, arguments: arguments, body) }

    /// Runs a query and looks at each row until `body` answers false.
    package func scan(
        _ sql: String, arguments: [any Bindable], body: (borrowing Row) throws -> Bool
    ) throws { try store.connection.scan(sql, arguments: arguments, body) }

    /// Runs a statement to its end and answers how many rows it inserted, updated or deleted.
    @discardableResult
    package func run(_ sql: String, _ arguments: any Bindable...) throws -> Int {
        try store.connection.run(sql, arguments: arguments)
    }

    /// Runs a statement to its end and answers how many rows it inserted, updated or deleted.
    @discardableResult
    package func run(_ sql: String, arguments: [any Bindable]) throws -> Int {
        try store.connection.run(sql, arguments: arguments)
    }

    /// The row number that the last INSERT gave.
    package var lastInsertedRow: Int { store.connection.lastInsertedRow }

    /// Tells all listening processes, once this has committed, that what `topic` stands for is to be read again.
    package func afterCommit(_ topic: Topic) { changedTopics.insert(topic) }

    /// Calls `action` once this has committed, before its caller goes on: those of all transactions one after the other, in the order
    /// in which they were done. It is called on the writer's thread, and must not wait.
    package func whenCommitted(_ action: @escaping @Sendable () -> Void) { commitActions.append(action) }

    /// Runs `body` with the rights of HubKit, whose tables plugins cannot access. For modules of HubKit only.
    func asCore<T>(_ body: () throws -> T) rethrows -> T { try store.inScope(.store, body) }
}

extension Transaction {
    /// Removes some entities from the history for good, so that what they held can be found nowhere.
    ///
    /// Call it before their rows are deleted, in an operation that is not recorded: emptying the trash.
    package func forgetHistory(of subjects: [String]) throws {
        try asCore {
            try removeHistory(of: subjects)
            try forgetServed(of: subjects)
            try store.forgetDocuments(of: subjects, owner: owner)
        }
    }

    private func removeHistory(of subjects: [String]) throws {
        var eraser = try HistoryEraser(store, entry: entry, subjects: Set(subjects))
        try eraser.erase()
        try run(
            "DELETE FROM core_operation WHERE state <> 'open' AND seq NOT IN (SELECT operation FROM core_change)")
    }
}
