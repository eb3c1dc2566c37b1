/// One row's change inside a changeset. Values are decoded when they are asked for.
package struct Change: Sendable {
    /// The kind of a change.
    package enum Kind: Sendable {
        case insert, update, delete
    }

    /// The table as the changeset knew it.
    package struct Table: Sendable {
        /// The table's name.
        package let name: String
        /// Which columns form the primary key.
        package let isKey: [Bool]
        /// The bytes that introduce the table.
        let header: Range<Int>

        /// The number of columns that were recorded.
        package var columnCount: Int { isKey.count }
    }

    /// The table of the row.
    package let table: Table
    /// The kind of the change.
    package let kind: Kind
    /// Whether a foreign key's action or a trigger did it, not a statement.
    package let isIndirect: Bool
    /// The changeset's bytes; a change is a window into them.
    let bytes: [UInt8]
    /// The range of the change in the bytes.
    let range: Range<Int>
    /// The start of each column's old value; empty for an insert.
    let oldFields: [Int]
    /// The start of each column's new value; empty for a delete.
    let newFields: [Int]

    /// The column's value before the change; nil where the record does not hold it (in an insert, and in an update for
    /// columns that are neither key nor changed).
    package func old(_ column: Int) -> Value? { value(column, in: oldFields) }

    /// The column's value after the change; nil where the record does not hold it (in a delete, and in an update for
    /// columns that did not change).
    package func new(_ column: Int) -> Value? { value(column, in: newFields) }

    /// The values of the primary key, in the order of the columns.
    package var key: [Value] {
        table.isKey.indices.filter { table.isKey[$0] }.map { (kind == .insert ? new($0) : old($0)) ?? .null }
    }

    private func value(_ column: Int, in fields: [Int]) -> Value? {
        guard column < fields.count else { return nil }
        return bytes.withUnsafeBytes { bytes in
            var cursor = ByteCursor(bytes, at: fields[column])
            // The reader went over the same field before, so it is whole.
            return (try? cursor.readField()) ?? nil
        }
    }
}
