import SQLite

/// Finds the blobs that a database needs: those that any row names, in the trash or not, and those that an operation would
/// bring back which can still be undone or redone.
struct BlobReferences {
    private let connection: Connection
    private let columns: [(table: String, column: String)]

    init(_ connection: Connection) throws {
        self.connection = connection
        columns = try connection.rows(
            """
            SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c
            WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL %' AND (c.name = 'blob' OR c.name LIKE '%\\_blob' ESCAPE '\\')
            """
        ) { ($0.text(0), $0.text(1)) }
    }

    /// Returns all blobs that are needed.
    func all() throws -> Set<BlobID> { try inRows().union(inHistory()) }

    /// Returns the blobs that rows name.
    func inRows() throws -> Set<BlobID> {
        var found: Set<BlobID> = []
        for (table, column) in columns {
            found.formUnion(
                try connection.rows(
                    "SELECT DISTINCT \(quoted(column)) FROM \(quoted(table)) WHERE \(quoted(column)) IS NOT NULL"
                ) { BlobID($0.text(0)) }.compactMap(\.self))
        }
        return found
    }

    /// Returns the ids in the first row that names a blob, with the owner of its table; nil when no row does.
    func place(of blob: BlobID) throws -> BlobCheck.Place? {
        for (table, column) in columns {
            let found = try connection.rows(
                "SELECT * FROM \(quoted(table)) WHERE \(quoted(column)) = ? LIMIT 1", arguments: [blob.text]
            ) { row in
                (0..<row.count).compactMap { index -> String? in
                    guard case .text(let text) = row.value(index) else { return nil }
                    return text.utf8.count == Identifier.length && Identifier.isPrefix(text) ? text : nil
                }
            }
            guard let ids = found.first else { continue }
            return BlobCheck.Place(owner: String(table.prefix { $0 != "_" }), ids: ids)
        }
        return nil
    }

    /// Returns the blobs in the changes of kept operations; with `candidates`, only those among them.
    ///
    /// All columns of a table that names blobs are looked at, since its columns may have stood elsewhere before a migration.
    func inHistory(among candidates: Set<BlobID>? = nil) throws -> Set<BlobID> {
        let tables = Set(columns.map(\.table))
        var found: Set<BlobID> = []
        guard !tables.isEmpty, candidates?.isEmpty != true else { return found }
        func take(_ value: Value?) {
            guard case .text(let text)? = value, let blob = BlobID(text), candidates?.contains(blob) ?? true else {
                return
            }
            found.insert(blob)
        }
        try connection.scan("SELECT changeset FROM core_change WHERE changeset IS NOT NULL", arguments: []) { row in
            try Changeset(bytes: row.blob(0)).forEach { change in
                guard tables.contains(change.table.name) else { return }
                for column in 0..<change.table.columnCount {
                    take(change.old(column))
                    take(change.new(column))
                }
            }
            return true
        }
        return found
    }
}
