import SQLite
package import Storage

/// The rules that tables must follow so that every edit of them can be undone; tests hold all schemas to them.
package enum TableRules {
    /// The breaches of one plugin's tables, one sentence each.
    package static func breaches(of schema: PluginSchema) throws -> [String] {
        do {
            return try schema.withTablesInMemory(SystemClock()) { try breaches(of: schema, in: $0) }
        } catch let error as HubError {
            return [error.description]
        }
    }

    private static func breaches(of schema: PluginSchema, in connection: Connection) throws -> [String] {
        let prefix = schema.owner + "_"
        let tables = try connection.rows(
            "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main'"
        ) { Table(name: $0.text(0), type: $0.text(1), hasRowID: !$0.bool(2), isStrict: $0.bool(3)) }.filter {
            $0.name.hasPrefix(prefix)
        }
        let names = Set(tables.map(\.name))
        let missing = schema.recorded.filter { !names.contains($0.name) }.map {
            "\($0.name) is recorded, but does not exist"
        }
        return try missing
            + tables.filter { $0.type == "table" }.flatMap { table in
                try breaches(of: table, recorded: schema.recorded, connection)
            } + schema.migrations.flatMap { unnamedChecks(in: $0) }
    }

    private struct Table {
        let name: String
        let type: String
        let hasRowID: Bool
        let isStrict: Bool
    }

    private static func breaches(
        of table: Table, recorded: [RecordedTable], _ connection: Connection
    ) throws -> [String] {
        var found: [String] = []
        if !table.isStrict { found.append("\(table.name) is not STRICT") }
        let columns = try connection.rows("SELECT name, type, pk, hidden FROM pragma_table_xinfo(?)", table.name) {
            (name: $0.text(0), type: $0.text(1), key: $0.int(2), hidden: $0.int(3))
        }
        let keys = columns.filter { $0.key > 0 }
        if keys.isEmpty { found.append("\(table.name) has no primary key") }
        // The integrity check of SQLite 3.40 looks for the other columns at the wrong places and reports false NULLs.
        if !table.hasRowID, columns.prefix(keys.count).contains(where: { $0.key == 0 }) {
            found.append("\(table.name) has no rowid, and its key columns are not the first ones")
        }
        guard let record = recorded.first(where: { $0.name == table.name }) else { return found }
        if !columns.contains(where: { $0.name == record.subject }) {
            found.append("\(table.name) has no column \(record.subject) that names its subject")
        }
        if columns.contains(where: { $0.hidden > 1 }) {
            found.append("\(table.name) is recorded and has a generated column")
        }
        let sql = try connection.row("SELECT sql FROM sqlite_master WHERE name = ?", table.name) { $0.text(0) } ?? ""
        if keys.count == 1, keys[0].type == "INTEGER", !sql.uppercased().contains("AUTOINCREMENT") {
            found.append("\(table.name) may use the id of a removed row again: AUTOINCREMENT is missing")
        }
        let isRecorded = Set(recorded.map(\.name))
        for parent in try connection.rows("PRAGMA foreign_key_list(\(quoted(table.name)))", body: { $0.text(2) })
        where !isRecorded.contains(parent) {
            found.append("\(table.name) is recorded and belongs to \(parent), which is not")
        }
        return found + (try unreachableOrders(in: table.name, connection))
    }

    /// A swap of two values in a unique column can never be undone.
    private static func unreachableOrders(in table: String, _ connection: Connection) throws -> [String] {
        let orders: Set<String> = ["position", "rank", "sort", "place", "ordinal"]
        return try connection.rows("SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND origin <> 'pk'", table) {
            $0.text(0)
        }.flatMap { index in
            try connection.rows("SELECT name FROM pragma_index_info(?)", index) { $0.text(0) }
        }.filter(orders.contains).map { "\(table).\($0) is an order and UNIQUE" }
    }

    /// Checks without a name: an error could not say which rule was broken.
    private static func unnamedChecks(in migration: Migration) -> [String] {
        let words = migration.sql.uppercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        return words.indices.filter { words[$0] == "CHECK" && ($0 < 2 || words[$0 - 2] != "CONSTRAINT") }.map { _ in
            "the migration \"\(migration.id)\" has a CHECK without a name"
        }
    }
}
