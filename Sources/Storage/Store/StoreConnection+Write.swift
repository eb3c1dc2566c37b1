import SQLite

extension StoreConnection {
    /// Runs `body` as the owner and records what it changed, inside the transaction that is open.
    ///
    /// `isOpen` marks an operation that more changes will follow, so that it can be rolled back if they do not.
    func write<T: Sendable>(
        _ owner: String, _ operation: Operation, isOpen: Bool = false, _ body: (Transaction) throws -> T
    ) throws -> WriteResult<T> {
        let entry = try entry(owner)
        let transaction = Transaction(self, entry: entry, operation: operation, now: clock.now)
        let changes: Changeset
        let value: T
        if operation.kind == .edit, let filter = entry.filter {
            let session = try Session(connection, recording: filter)
            value = try inScope(.plugin(entry.number)) { try body(transaction) }
            changes = try session.changeset()
        } else {
            value = try inScope(.plugin(entry.number)) { try body(transaction) }
            changes = Changeset(bytes: [])
        }
        if !changes.isEmpty {
            let seq = try operationNumber(operation, at: transaction.now, isOpen: isOpen)
            try record(changes, of: entry, under: seq)
        }
        return WriteResult(
            value: value, topics: transaction.changedTopics, edit: changes.isEmpty || isOpen ? nil : operation,
            actions: transaction.commitActions)
    }

    /// Begins a transaction that writes, when it is this process's turn.
    func begin() throws {
        guard access != .readOnly else { throw writeRefusal }
        do {
            guard let writerLock else {
                try connection.run("BEGIN IMMEDIATE")
                return
            }
            try writerLock.begin { try connection.run("BEGIN IMMEDIATE") }
        } catch let error as SQLiteError where error.isBusy {
            throw HubError(busyStore: error, writer: files.flatMap { DatabaseWriter(of: $0) })
        }
    }

    /// Commits the open transaction; answers why it could not, after taking it back.
    func commit() -> HubError? {
        do {
            try connection.run("COMMIT")
            return nil
        } catch {
            if connection.isInTransaction { _ = try? connection.run("ROLLBACK") }
            return (error as? SQLiteError).map { HubError(store: $0) }
                ?? HubError(.internal, code: "commit-failed", "the change could not be committed", cause: error)
        }
    }

    /// Runs `body` in a transaction of its own, for what is done before anybody else can write.
    func transact<T>(_ body: () throws -> T) throws -> T {
        try begin()
        let value: T
        do {
            value = try body()
        } catch {
            if connection.isInTransaction { _ = try? connection.run("ROLLBACK") }
            throw error
        }
        if let failure = commit() { throw failure }
        return value
    }

    /// The number of the operation's row, which is made with its first change.
    func operationNumber(_ operation: Operation, at now: Instant, isOpen: Bool) throws -> Int {
        if let known = try connection.row(
            "SELECT seq FROM core_operation WHERE id = ?", operation.id, body: { $0.int(0) })
        {
            return known
        }
        try connection.run(
            "INSERT INTO core_operation (id, at, name, who, command_line, state) VALUES (?, ?, ?, ?, ?, ?)",
            operation.id, now.milliseconds, operation.name, operation.who.text, operation.commandLine,
            isOpen ? "open" : "done")
        return connection.lastInsertedRow
    }

    /// Keeps a changeset and notes which entities it touched.
    /// - Returns: these entities.
    @discardableResult
    func record(
        _ changes: Changeset, of entry: SchemaCatalog.Entry, under operation: Int
    ) throws -> Set<String> {
        try connection.run(
            "INSERT INTO core_change (operation, owner, schema, changeset) VALUES (?, ?, ?, ?)", operation,
            entry.schema.owner, entry.schema.migrations.count, changes.bytes)
        let change = connection.lastInsertedRow
        let subjects = try EntityResolver(self, entry: entry).subjects(of: changes)
        try touch(subjects, owner: entry.schema.owner, change: change)
        return subjects
    }
}
