import SQLite

/// The rows of one table whose foreign keys lead nowhere.
struct DanglingRows {
    private struct Key {
        let parent: String
        let columns: [(child: String, parent: String)]
    }

    private let store: StoreConnection
    private let table: String

    init(_ store: StoreConnection, table: String) {
        self.store = store
        self.table = table
    }

    /// The entities that the rows belong to; one nil when the table is not recorded.
    func subjects(recorded: RecordedTable?) throws -> [String?] {
        guard let recorded else { return [nil] }
        return try keys().flatMap { key in
            try store.connection.rows(
                "SELECT DISTINCT \(quoted(recorded.subject)) FROM \(quoted(table)) AS child WHERE \(condition(key))"
            ) { $0.value(0).description }
        }
    }

    /// The rows that are missed: each with its table and the values of the columns by which it is named.
    func missingParents() throws -> [(table: String, key: [String: Value])] {
        try keys().flatMap { key in
            let columns = key.columns.map { quoted($0.child) }.joined(separator: ", ")
            return try store.connection.rows(
                "SELECT DISTINCT \(columns) FROM \(quoted(table)) AS child WHERE \(condition(key))"
            ) { row in
                (
                    key.parent,
                    Dictionary(key.columns.enumerated().map { ($1.parent, row.value($0)) }) { first, _ in first }
                )
            }
        }
    }

    private func condition(_ key: Key) -> String {
        let isSet = key.columns.map { "child.\(quoted($0.child)) IS NOT NULL" }.joined(separator: " AND ")
        let isSame = key.columns.map { "parent.\(quoted($0.parent)) = child.\(quoted($0.child))" }
            .joined(separator: " AND ")
        return "\(isSet) AND NOT EXISTS (SELECT 1 FROM \(quoted(key.parent)) AS parent WHERE \(isSame))"
    }

    private func keys() throws -> [Key] {
        let rows = try store.connection.rows("PRAGMA foreign_key_list(\(quoted(table)))") {
            (id: $0.int(0), parent: $0.text(2), from: $0.text(3), to: $0.optionalText(4))
        }
        return try Dictionary(grouping: rows, by: \.id).sorted { $0.key < $1.key }.map { _, rows in
            let parent = rows[0].parent
            let parentKey = try store.keyColumns(of: parent)
            let columns = rows.enumerated().map { index, row in
                (child: row.from, parent: row.to ?? (index < parentKey.count ? parentKey[index] : row.from))
            }
            return Key(parent: parent, columns: columns)
        }
    }
}
