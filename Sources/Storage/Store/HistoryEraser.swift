import SQLite

/// Takes some entities out of the history, newest change first; every changeset that holds any of them is read and written
/// once, however many it holds.
struct HistoryEraser {
    private struct RowID: Hashable {
        let table: String
        let key: [Value]
    }

    private let store: StoreConnection
    private let entry: SchemaCatalog.Entry
    private let subjects: Set<String>
    /// The rows that are the entities' at this point of the history: an update need not say whose row it changes.
    private var owned: Set<RowID> = []

    init(_ store: StoreConnection, entry: SchemaCatalog.Entry, subjects: Set<String>) throws {
        self.store = store
        self.entry = entry
        self.subjects = subjects
        for table in entry.schema.recorded {
            let keys = try store.keyColumns(of: table.name)
            let columns = keys.map { quoted($0) }.joined(separator: ", ")
            for subject in subjects {
                let rows = try store.connection.rows(
                    "SELECT \(columns) FROM \(quoted(table.name)) WHERE \(quoted(table.subject)) = ?", subject
                ) { row in keys.indices.map { row.value($0) } }
                for key in rows { owned.insert(RowID(table: table.name, key: key)) }
            }
        }
    }

    /// Removes every change of the entities' rows, as far back as history goes, what says that they were touched, the
    /// arguments of the commands that touched them, and the events about them.
    ///
    /// For a change that has expired or that a migration has closed, a changeset in which the entities' rows cannot
    /// be separated from others is deleted as a whole: its operation can no longer be undone, and nothing of it is
    /// left.
    mutating func erase() throws {
        let owner = entry.schema.owner
        let touching = try store.changes(touching: subjects, owner: owner)
        try removeWords(of: touching)
        var isCertain = true
        for change in touching {
            let row = try store.connection.row("SELECT schema, changeset FROM core_change WHERE id = ?", change) {
                ($0.int(0), $0.optionalBlob(1))
            }
            guard let (schema, bytes) = row, let bytes else {
                isCertain = false
                continue
            }
            let isClosed = try !store.closedTables(of: owner, since: schema).isDisjoint(with: entry.recorded.keys)
            if isClosed { isCertain = false }
            let changes = Changeset(bytes: bytes)
            if try isClosed || !isCertain && isAmbiguous(changes) {
                try store.connection.run("UPDATE core_change SET changeset = NULL WHERE id = ?", change)
                continue
            }
            let rest = try changes.filter { try !isTheirs($0) }
            if rest.isEmpty {
                try store.connection.run("DELETE FROM core_change WHERE id = ?", change)
            } else if rest.bytes.count < bytes.count {
                try store.connection.run("UPDATE core_change SET changeset = ? WHERE id = ?", rest.bytes, change)
            }
        }
        try store.removeTouches(of: subjects, owner: owner)
    }

    /// Deletes command lines and events, because a command line may contain anything that the user entered.
    private func removeWords(of changes: [Int]) throws {
        try store.connection.run(
            """
            UPDATE core_operation SET command_line = name WHERE command_line <> name AND seq IN (
                SELECT operation FROM core_change WHERE id IN (SELECT value FROM json_each(?)))
            """, "[\(changes.map(String.init).joined(separator: ","))]")
        var names = JSONWriter()
        names.array { names in for subject in subjects.sorted() { names.value(subject) } }
        for table in ["core_event", "core_dead_event"] {
            try store.connection.run(
                "DELETE FROM \(table) WHERE topic GLOB ? AND subject IN (SELECT value FROM json_each(?))",
                "*.\(entry.schema.owner)/*", names.string)
        }
    }

    /// Whether the changes hold an update of a row that may be the entities' or another's: it names no entity.
    private func isAmbiguous(_ changes: Changeset) throws -> Bool {
        var isAmbiguous = false
        try changes.forEach { change in
            guard change.kind == .update, let table = entry.recorded[change.table.name],
                let column = try store.columns(of: table.name).firstIndex(of: table.subject),
                change.old(column) == nil, change.new(column) == nil
            else { return }
            if !owned.contains(RowID(table: table.name, key: change.key)) { isAmbiguous = true }
        }
        return isAmbiguous
    }

    /// Whether a change is of a row of the entities; the change is then taken back in what is known.
    private mutating func isTheirs(_ change: Change) throws -> Bool {
        guard let table = entry.recorded[change.table.name],
            let column = try store.columns(of: table.name).firstIndex(of: table.subject)
        else { return false }
        let id = RowID(table: table.name, key: change.key)
        let (before, after) = (change.old(column)?.description, change.new(column)?.description)
        let wasTheirs = before.map(subjects.contains)
        switch change.kind {
        case .insert:
            guard let after, subjects.contains(after) else { return false }
            owned.remove(id)
        case .delete:
            guard wasTheirs == true else { return false }
            owned.insert(id)
        case .update:
            let isTheirs = wasTheirs == true || after.map(subjects.contains) == true
            guard isTheirs || before == nil && owned.contains(id) else { return false }
            // A row that came from another entity is not theirs before that.
            if wasTheirs == false { owned.remove(id) } else { owned.insert(id) }
        }
        return true
    }
}

extension Database {
    /// Erases what deleted rows leave in the files: blobs that nothing needs any more, old words of full-text indexes, free
    /// pages, free space inside pages, and the log. Call it after data was permanently deleted.
    ///
    /// The database is rewritten for this, which temporarily needs as much space again.
    /// - Returns: false when another process kept the log from being emptied, or the blobs from being collected; its next
    ///   checkpoint does the one, the next ``collectBlobs()`` the other.
    @discardableResult
    package func eraseRemains() async throws -> Bool {
        let areBlobsCollected = try await collectBlobs() != nil
        let owners = catalog.entries.map(\.schema.owner)
        let problems = try await prepare()
        for owner in owners where problems[owner] == nil {
            try await write { store in
                let entry = try store.entry(owner)
                let operation = Operation("erase remains", who: .service("store"), kind: .cache)
                let transaction = Transaction(store, entry: entry, operation: operation, now: store.clock.now)
                try store.inScope(.plugin(entry.number)) { try entry.schema.compact(transaction) }
                return WriteResult(value: (), topics: [])
            }
        }
        return try await writer.use { store in
            try withStoreErrors {
                try store.connection.execute("VACUUM")
                return try store.connection.checkpoint() && areBlobsCollected
            }
        }
    }
}
