import SQLite

/// Goes back through the history of one entity, change by change, and knows its rows at every point.
///
/// An update records the column that names the entity only if that changed. The traversal begins with the current
/// rows and meets every deletion and insertion, so it knows which rows belong to the entity at each point.
struct EntityTraversal {
    /// One recorded changeset, with the changes that concern the entity.
    struct Step {
        let id: Int
        let operation: OperationRecord
        let changes: [Change]
    }

    private struct RowID: Hashable {
        let table: String
        let key: [Value]
    }

    private let store: StoreConnection
    private let entry: SchemaCatalog.Entry
    private let subject: String
    private var steps: ArraySlice<(change: Int, operation: Int)>
    private var known: [RowID: [Value]] = [:]

    init(_ store: StoreConnection, entry: SchemaCatalog.Entry, subject: String) throws {
        self.store = store
        self.entry = entry
        self.subject = subject
        steps = try store.connection.rows(
            """
            SELECT id, operation FROM core_change WHERE id IN (\(StoreConnection.changesTouching)) ORDER BY id DESC
            """, entry.schema.owner, subject
        ) { ($0.int(0), $0.int(1)) }[...]
        for table in entry.schema.recorded {
            let layout = try store.layout(of: table.name)
            let rows = try store.connection.rows(
                "SELECT * FROM \(quoted(table.name)) WHERE \(quoted(table.subject)) = ?", subject
            ) { row in (0..<row.count).map { row.value($0) } }
            for row in rows {
                known[RowID(table: table.name, key: zip(layout, row).filter(\.0.isKey).map(\.1))] = row
            }
        }
    }

    /// The entity's rows at this point, by table and column.
    var rows: EntityRows {
        get throws {
            var result: EntityRows = [:]
            for (id, row) in known.sorted(by: { "\($0.key.key)" < "\($1.key.key)" }) {
                let names = try store.columns(of: id.table)
                result[id.table, default: []].append(Dictionary(zip(names, row)) { first, _ in first })
            }
            return result
        }
    }

    /// The operation that the next step takes back; nil when there is none.
    func upcoming() throws -> OperationRecord? { try steps.first.flatMap { try store.operation($0.operation) } }

    /// Goes back by one changeset; nil at the end, and where history was closed or has grown too old.
    mutating func next() throws -> Step? {
        guard let (change, number) = steps.popFirst(), let operation = try store.operation(number) else { return nil }
        let row = try store.connection.row("SELECT schema, changeset FROM core_change WHERE id = ?", change) {
            ($0.int(0), $0.optionalBlob(1))
        }
        guard let (schema, bytes) = row, let bytes else { return end() }
        let closed = try store.closedTables(of: entry.schema.owner, since: schema)
        guard closed.isDisjoint(with: entry.recorded.keys) else { return end() }
        var mine: [Change] = []
        do {
            try Changeset(bytes: bytes).forEach { if try takeBack($0, at: change) { mine.append($0) } }
        } catch is UnknownRow {
            return end()
        }
        return Step(id: change, operation: operation, changes: mine)
    }

    /// Thrown where the history no longer says what a row was.
    private struct UnknownRow: Error {}

    private mutating func end() -> Step? {
        steps = []
        return nil
    }

    /// Takes one change of the changeset with number `position` back in what is known; false when it concerns another
    /// entity.
    private mutating func takeBack(_ change: Change, at position: Int) throws -> Bool {
        guard let table = entry.recorded[change.table.name],
            let column = try store.columns(of: table.name).firstIndex(of: table.subject)
        else { return false }
        let id = RowID(table: table.name, key: change.key)
        let (before, after) = (change.old(column)?.description, change.new(column)?.description)
        switch change.kind {
        case .insert:
            guard after == subject else { return false }
            known[id] = nil
        case .delete:
            guard before == subject else { return false }
            known[id] = (0..<change.table.columnCount).map { change.old($0) ?? .null }
        case .update:
            guard before == subject || after == subject || (before == nil && known[id] != nil) else { return false }
            var row = try known[id] ?? row(id, after: position)
            for index in row.indices { row[index] = change.old(index) ?? row[index] }
            // A row that came from another entity is not this one's before that.
            known[id] = before == nil || before == subject ? row : nil
        }
        return true
    }

    /// A row as it was after the changeset with number `position`, when it was another entity's: that entity may have
    /// changed it since, or moved it on.
    private func row(_ id: RowID, after position: Int) throws -> [Value] {
        let keys = try store.keyColumns(of: id.table).map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
        var values = try store.connection.row(
            "SELECT * FROM \(quoted(id.table)) WHERE \(keys)", arguments: id.key
        ) { row in (0..<row.count).map { row.value($0) } }
        try store.connection.scan(
            "SELECT changeset FROM core_change WHERE owner = ? AND id > ? ORDER BY id DESC",
            arguments: [entry.schema.owner, position]
        ) { later in
            guard let bytes = later.optionalBlob(0) else { throw UnknownRow() }
            try Changeset(bytes: bytes).forEach { change in
                guard change.table.name == id.table, change.key == id.key else { return }
                switch change.kind {
                case .insert: values = nil
                case .delete: values = (0..<change.table.columnCount).map { change.old($0) ?? .null }
                case .update: values = values?.enumerated().map { change.old($0) ?? $1 }
                }
            }
            return true
        }
        guard let values else { throw UnknownRow() }
        return values
    }
}

extension StoreConnection {
    /// The owner's tables that migrations have rebuilt since it had `schema` of them.
    func closedTables(of owner: String, since schema: Int) throws -> Set<String> {
        Set(
            try connection.rows(
                "SELECT closed FROM core_migration WHERE owner = ? AND position >= ? AND closed <> ''", owner, schema
            ) { $0.text(0).split(separator: " ").map(String.init) }.joined())
    }
}
