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

    /// Removes every change of the entities' rows, as far back as history goes, and what says that they were touched.
    mutating func erase() throws {
        let owner = entry.schema.owner
        for change in try store.changes(touching: subjects, owner: owner) {
            let row = try store.connection.row("SELECT schema, changeset FROM core_change WHERE id = ?", change) {
                ($0.int(0), $0.optionalBlob(1))
            }
            guard let (schema, bytes) = row, let bytes else { break }
            guard try store.closedTables(of: owner, since: schema).isDisjoint(with: entry.recorded.keys) else { break }
            let rest = try Changeset(bytes: bytes).filter { try !isTheirs($0) }
            if rest.isEmpty {
                try store.connection.run("DELETE FROM core_change WHERE id = ?", change)
            } else if rest.bytes.count < bytes.count {
                try store.connection.run("UPDATE core_change SET changeset = ? WHERE id = ?", rest.bytes, change)
            }
        }
        try store.removeTouches(of: subjects, owner: owner)
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
