package import SQLite

/// A table whose rows belong to the items of an export.
package struct ExportTable: Hashable, Sendable {
    /// The table's name.
    package let name: String
    /// The column with the id of the item that a row belongs to.
    package let item: String
    /// The columns that are not in the export, since they are in a file, derived, or of this machine only.
    package let omitted: Set<String>
    /// Columns that are in the export only where their text begins so, since other values are of this machine only.
    package let beginnings: [String: String]

    package init(
        _ name: String, item: String, omitting omitted: Set<String> = [],
        onlyBeginning beginnings: [String: String] = [:]
    ) {
        self.name = name
        self.item = item
        self.omitted = omitted
        self.beginnings = beginnings
    }

    /// Whether a value is in the export.
    func has(_ column: String, _ value: Value) -> Bool {
        guard let beginning = beginnings[column] else { return true }
        if case .text(let text) = value { return text.hasPrefix(beginning) }
        return false
    }
}

/// The rows of one item in the tables of an export.
package struct ItemRows: Sendable {
    /// The rows of one table: values by the names of columns, in the order of the table.
    package struct Table: Sendable {
        /// The table's name.
        package let name: String
        /// The rows in the order of their keys.
        package var rows: [[(column: String, value: Value)]]

        package init(name: String, rows: [[(column: String, value: Value)]]) {
            self.name = name
            self.rows = rows
        }
    }

    /// The id of the item.
    package let id: String
    /// The tables in the order in which rows can be inserted.
    package var tables: [Table]

    package init(id: String, tables: [Table]) {
        self.id = id
        self.tables = tables
    }

    /// Returns the value of a column in the first row of a table; nil without one.
    package subscript(table: String, column: String) -> Value? {
        tables.first { $0.name == table }?.rows.first?.first { $0.column == column }?.value
    }

    /// Returns the text of a column in the first row of a table; nil without one.
    package func text(_ table: String, _ column: String) -> String? {
        if case .text(let text)? = self[table, column] { text } else { nil }
    }

    /// Returns the whole number of a column in the first row of a table; nil without one.
    package func integer(_ table: String, _ column: String) -> Int? {
        if case .integer(let number)? = self[table, column] { number } else { nil }
    }

    /// Sets a column in the rows of a table to bytes.
    package mutating func set(_ column: String, to bytes: [UInt8], in table: String) {
        set(column, to: .blob(bytes), in: table)
    }

    /// Sets a column in the rows of a table.
    package mutating func set(_ column: String, to value: Value, in table: String) {
        for index in tables.indices where tables[index].name == table {
            for row in tables[index].rows.indices {
                tables[index].rows[row].removeAll { $0.column == column }
                tables[index].rows[row].append((column, value))
            }
        }
    }

    /// Whether `stored` has the same values. Columns that this does not have, since it is older, make no difference.
    package func matches(_ stored: ItemRows) -> Bool {
        let known = Dictionary(stored.tables.map { ($0.name, $0.rows) }, uniquingKeysWith: +)
        let named = Set(tables.map(\.name))
        guard stored.tables.allSatisfy({ named.contains($0.name) || $0.rows.isEmpty }) else { return false }
        return tables.allSatisfy { table in
            let rows = known[table.name] ?? []
            guard rows.count == table.rows.count else { return false }
            return zip(table.rows, rows).allSatisfy { row, stored in
                row.allSatisfy { column, value in
                    stored.contains { $0.column == column && Self.isSame(value, $0.value) }
                }
            }
        }
    }

    /// Whole numbers of a column of REAL are written as JSON writes them.
    private static func isSame(_ one: Value, _ other: Value) -> Bool {
        switch (one, other) {
        case (.integer(let number), .real(let real)), (.real(let real), .integer(let number)): Double(number) == real
        default: one == other
        }
    }
}
