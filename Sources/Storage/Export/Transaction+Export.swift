import SQLite

/// Rows that leave the store with an export, and come back.
extension Transaction {
    /// Returns ids of items with rows in `table`, in their order, from the first after `last` on.
    package func itemIDs(in table: ExportTable, after last: String?, limit: Int) throws -> [String] {
        try rows(
            """
            SELECT DISTINCT "\(table.item)" FROM "\(table.name)" WHERE ?1 IS NULL OR "\(table.item)" > ?1
            ORDER BY 1 LIMIT ?2
            """, last, limit
        ) { $0.text(0) }
    }

    /// Returns the number of items with rows in `table`.
    package func countItems(in table: ExportTable) throws -> Int {
        try row(#"SELECT count(DISTINCT "\#(table.item)") FROM "\#(table.name)""#) { $0.int(0) } ?? 0
    }

    /// Returns the rows of an item.
    package func itemRows(_ id: String, in tables: [ExportTable]) throws -> ItemRows {
        ItemRows(
            id: id,
            tables: try tables.map { table in
                let columns = try exportColumns(of: table)
                let names = columns.names.map { "\"\($0)\"" }.joined(separator: ", ")
                let keys = columns.keys.map { "\"\($0)\"" }.joined(separator: ", ")
                return ItemRows.Table(
                    name: table.name,
                    rows: try rows(
                        #"SELECT \#(names) FROM "\#(table.name)" WHERE "\#(table.item)" = ? ORDER BY \#(keys)"#, id
                    ) { row in
                        columns.names.indices.map { (column: columns.names[$0], value: row.value($0)) }
                            .filter { table.has($0.column, $0.value) }
                    })
            })
    }

    /// Inserts the rows of an item that is not there. Throws `invalid` when they do not belong to it, or have a column that this
    /// version of hub does not know.
    package func insertItem(_ item: ItemRows, in tables: [ExportTable]) throws {
        for table in item.tables {
            guard let known = tables.first(where: { $0.name == table.name }) else {
                throw Self.unknown("the table \(table.name)")
            }
            let columns = Set(try tableColumns(table.name).map(\.name))
            // An undone import leaves the rows of tables without history.
            if !table.rows.isEmpty, !entry.schema.recorded.contains(where: { $0.name == table.name }) {
                try run(#"DELETE FROM "\#(table.name)" WHERE "\#(known.item)" = ?"#, item.id)
            }
            for row in table.rows {
                guard row.first(where: { $0.column == known.item })?.value == .text(item.id) else {
                    throw HubError(
                        .invalid, code: "export-damaged", "a row of \(table.name) belongs to another item than it says")
                }
                if let column = row.first(where: { !columns.contains($0.column) })?.column {
                    throw Self.unknown("the column \(column) of \(table.name)")
                }
                let names = row.map { "\"\($0.column)\"" }.joined(separator: ", ")
                let places = row.map { _ in "?" }.joined(separator: ", ")
                try run(
                    #"INSERT INTO "\#(table.name)" (\#(names)) VALUES (\#(places))"#, arguments: row.map(\.value))
            }
        }
    }

    /// Computes the derived rows of items that were inserted.
    package func reindexItems(_ ids: [String]) throws { try entry.schema.reindex(ids, self) }

    /// Emits the events that say that items are new here.
    package func announceItems(_ ids: [String]) throws { try entry.schema.announce(ids, self) }

    /// Runs `body`, and takes back its changes when it throws.
    package func attempt<T>(_ body: () throws -> T) throws -> T {
        try run("SAVEPOINT attempt")
        do {
            let value = try body()
            try run("RELEASE attempt")
            return value
        } catch {
            try run("ROLLBACK TO attempt")
            try run("RELEASE attempt")
            throw error
        }
    }

    private static func unknown(_ what: String) -> HubError {
        HubError(
            .invalid, code: "export-newer", "\(what) is unknown to this version of hub",
            hint: "import the folder with the version that hub-export.json names, or a newer one")
    }

    /// The columns of a table that an export has, and those of its key.
    private func exportColumns(of table: ExportTable) throws -> (names: [String], keys: [String]) {
        let columns = try tableColumns(table.name)
        let keys = columns.filter { $0.key > 0 }.sorted { $0.key < $1.key }.map(\.name)
        return (columns.map(\.name).filter { !table.omitted.contains($0) }, keys.isEmpty ? ["rowid"] : keys)
    }

    private func tableColumns(_ table: String) throws -> [(name: String, key: Int)] {
        try rows(#"PRAGMA table_info("\#(table)")"#) { ($0.text(1), $0.int(5)) }
    }
}
