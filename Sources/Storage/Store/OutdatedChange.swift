package import SQLite

/// A change of a row that undo or redo would make, but that does not fit: the row was changed later.
package struct OutdatedChange: Sendable {
    /// Applies a change to the row as it is now, three ways, and returns the values that the later change has replaced
    /// and that stay, in words. Returns nil to refuse the undo as a whole, then nothing may be written.
    package typealias Merge = @Sendable (OutdatedChange, Transaction) throws -> [String]?

    /// The table of the row.
    package let table: String
    /// The row's primary key.
    package let key: [Value]
    /// The values that the change expects, by column, without the columns that it leaves alone.
    package let expected: [String: Value]
    /// The values that it would set, by column.
    package let wanted: [String: Value]

    /// Creates the change of a conflict; nil if the conflict is not an update of a row with other values.
    init?(_ conflict: Conflict, columns: [String]) {
        guard conflict.kind == .update, conflict.reason == .data else { return nil }
        table = conflict.table
        key = conflict.key
        var (expected, wanted): ([String: Value], [String: Value]) = ([:], [:])
        for (column, new) in zip(columns.indices, conflict.newValues) {
            guard let new, conflict.values.indices.contains(column), let old = conflict.values[column] else { continue }
            expected[columns[column]] = old
            wanted[columns[column]] = new
        }
        (self.expected, self.wanted) = (expected, wanted)
    }
}
