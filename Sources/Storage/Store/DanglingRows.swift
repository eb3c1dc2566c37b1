import SQLite

/// Finds the rows whose foreign keys lead nowhere after some changes.
///
/// Only what the changes touched is looked up: the parents of the rows that they inserted or moved to another parent, and
/// the children of those that they removed. So the time does not depend on the size of the tables.
struct DanglingRows {
    /// A foreign key of a table.
    struct Key {
        let table: String
        let parent: String
        let columns: [(child: String, parent: String)]
    }

    /// A row that is named and not there.
    struct Missing {
        let key: Key
        /// The values of the columns of the key, in their order.
        let values: [Value]
    }

    private let store: StoreConnection
    private let keys: [Key]

    /// The foreign keys of `tables`.
    init(_ store: StoreConnection, tables: [String]) throws {
        self.store = store
        keys = try tables.flatMap { try DanglingRows.keys(of: $0, store) }
    }

    /// Returns the rows that are missing after `changes`, and whether rows still name them.
    func missing(after changes: [Changeset]) throws -> [Missing] {
        var touched = keys.map { _ in Set<[Value]>() }
        let byTable = Dictionary(grouping: keys.indices) { keys[$0].table }
        let byParent = Dictionary(grouping: keys.indices) { keys[$0].parent }
        for changes in changes {
            try changes.forEach { change in
                for index in byTable[change.table.name] ?? [] where change.kind != .delete {
                    let names = keys[index].columns.map(\.child)
                    if let values = try values(of: names, in: change, change.new) { touched[index].insert(values) }
                }
                for index in byParent[change.table.name] ?? [] where change.kind != .insert {
                    let names = keys[index].columns.map(\.parent)
                    if let values = try values(of: names, in: change, change.old) { touched[index].insert(values) }
                }
            }
        }
        return try zip(keys, touched).flatMap { key, touched in
            try touched.filter { try isMissing($0, key) }.map { Missing(key: key, values: $0) }
        }
    }

    /// Returns the entities that name a missing row; one nil when the table is not recorded.
    func subjects(naming missing: Missing, recorded: RecordedTable?) throws -> [String?] {
        guard let recorded else { return [nil] }
        let key = missing.key
        return try store.connection.rows(
            "SELECT DISTINCT \(quoted(recorded.subject)) FROM \(quoted(key.table)) "
                + "WHERE \(condition(key.columns.map(\.child)))", arguments: missing.values
        ) { $0.value(0).description }
    }

    /// Returns the values that a change gave or took from columns; nil if it left them, or if one of them is NULL, which
    /// names no row.
    private func values(of names: [String], in change: Change, _ value: (Int) -> Value?) throws -> [Value]? {
        let columns = try store.columns(of: change.table.name).map { $0.lowercased() }
        let places = names.compactMap { columns.firstIndex(of: $0.lowercased()) }
        guard places.count == names.count else { return nil }
        if change.kind == .update, places.allSatisfy({ change.new($0) == nil }) { return nil }
        let values = places.compactMap { value($0) ?? change.old($0) }
        guard values.count == names.count else { return try storedValues(of: names, in: change, columns) }
        return values.contains(.null) ? nil : values
    }

    /// The values of a row of which the change has only a part.
    private func storedValues(of names: [String], in change: Change, _ columns: [String]) throws -> [Value]? {
        let isKey = change.table.isKey
        let key = isKey.indices.filter { isKey[$0] }
        return try store.connection.rows(
            "SELECT \(names.map(quoted).joined(separator: ", ")) FROM \(quoted(change.table.name)) "
                + "WHERE \(condition(key.map { columns[$0] }))",
            arguments: key.map { change.new($0) ?? change.old($0) ?? .null }
        ) { row in names.indices.map { row.value($0) } }.first.flatMap { $0.contains(.null) ? nil : $0 }
    }

    /// Whether no parent has these values, and a child has.
    private func isMissing(_ values: [Value], _ key: Key) throws -> Bool {
        func has(_ table: String, _ columns: [String]) throws -> Bool {
            try !store.connection.rows(
                "SELECT 1 FROM \(quoted(table)) WHERE \(condition(columns)) LIMIT 1", arguments: values
            ) { _ in true }.isEmpty
        }
        return try !has(key.parent, key.columns.map(\.parent)) && has(key.table, key.columns.map(\.child))
    }

    private func condition(_ columns: [String]) -> String {
        columns.map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
    }

    private static func keys(of table: String, _ store: StoreConnection) throws -> [Key] {
        let rows = try store.connection.rows("PRAGMA foreign_key_list(\(quoted(table)))") {
            (id: $0.int(0), parent: $0.text(2), from: $0.text(3), to: $0.optionalText(4))
        }
        return try Dictionary(grouping: rows, by: \.id).sorted { $0.key < $1.key }.map { _, rows in
            let parent = rows[0].parent
            let parentKey = try store.keyColumns(of: parent)
            let columns = rows.enumerated().map { index, row in
                (child: row.from, parent: row.to ?? (index < parentKey.count ? parentKey[index] : row.from))
            }
            return Key(table: table, parent: parent, columns: columns)
        }
    }
}
