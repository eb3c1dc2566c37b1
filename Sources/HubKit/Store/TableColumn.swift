import SQLite

/// A column as the database declares it.
struct TableColumn: Hashable {
    let name: String
    let type: String
    let isKey: Bool
}

extension Connection {
    /// Returns the columns of `table` in their order; empty when there is no such table.
    func columns(of table: String) throws -> [TableColumn] {
        try rows("PRAGMA table_info(\(quoted(table)))") {
            TableColumn(name: $0.text(1), type: $0.text(2), isKey: $0.int(5) > 0)
        }
    }
}
