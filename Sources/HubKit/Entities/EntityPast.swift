import SQLite
package import Storage

/// What an item was at an earlier time, value by value, for the list of all that was different: of entities whose versions cannot be
/// restored, and of values that have a history of their own, such as the text of a note.
package struct EntityPast: Sendable {
    /// A value of a field; a field may have several, such as the lines of a text.
    package typealias FieldText = (field: String, value: String)

    let values: @Sendable (_ id: String, PastRows) async throws -> [FieldText]

    /// Creates the description. `values` makes the values of an item of its rows; those that are empty are not shown.
    package init(_ values: @escaping @Sendable (_ id: String, PastRows) async throws -> [FieldText]) {
        self.values = values
    }

    /// The lines of a text as values, the first of a long one.
    package static func lines(_ text: String, field: String) -> [FieldText] {
        text.split(whereSeparator: \.isNewline).lazy.filter { $0.contains { !$0.isWhitespace } }.prefix(shownLines)
            .map { (field, String($0)) }
    }

    private static let shownLines = 500
}

/// The recorded rows of an item at an earlier time.
package struct PastRows: Sendable {
    private let rows: EntityRows
    private let snapshot: HistorySnapshot

    init(_ rows: EntityRows, _ snapshot: HistorySnapshot) {
        self.rows = rows
        self.snapshot = snapshot
    }

    /// The time.
    package var moment: Instant { snapshot.moment }

    /// Whether the item had a row in `table`.
    package func has(_ table: String) -> Bool { rows[table]?.isEmpty == false }

    /// Returns the value that the item's row in `table` had in `column`; empty for none.
    package func text(_ column: String, of table: String) -> String { texts(column, of: table).first ?? "" }

    /// Returns the values that the item's rows in `table` had in `column`.
    package func texts(_ column: String, of table: String) -> [String] {
        (rows[table] ?? []).map { row in row[column].map { $0 == .null ? "" : $0.description } ?? "" }
    }

    /// Reads what the rows do not say, such as names of other items, as it is now.
    package func now<T: Sendable>(_ body: @Sendable (Transaction) throws -> T) async throws -> T {
        try await snapshot.store.read(body)
    }
}
