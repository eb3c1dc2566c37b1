/// Rows of one type with their fields, seen without the type: what a table, JSON or a template is written from.
package struct Rows: Sendable {
    /// The fields, in the order of the columns.
    package let fields: [FieldDescriptor]
    /// The number of rows.
    package let count: Int

    private let makeValue: @Sendable (_ row: Int, _ field: Int) -> FieldValue
    private let makeCell: @Sendable (_ row: Int, _ field: Int) -> String?
    private let makeTone: @Sendable (_ row: Int, _ field: Int) -> Tone
    private let makeDetails: @Sendable (_ row: Int) -> [String]

    /// Keeps `rows` and reads a field of one only when it is written. `details` are lines below a row in a table.
    package init<Row: Sendable>(
        _ rows: [Row], _ fields: [Field<Row>], details: @escaping @Sendable (Row) -> [String] = { _ in [] }
    ) {
        self.fields = fields.map(\.descriptor)
        count = rows.count
        makeValue = { fields[$1].value(rows[$0]) }
        makeCell = { fields[$1].cell?(rows[$0]) }
        makeTone = { fields[$1].tone?(rows[$0]) ?? .plain }
        makeDetails = { details(rows[$0]) }
    }

    /// The value at `row` and `field`, both counted from 0.
    package func value(_ row: Int, _ field: Int) -> FieldValue { makeValue(row, field) }

    /// The cell's own text where it differs from the value.
    package func cell(_ row: Int, _ field: Int) -> String? { makeCell(row, field) }

    /// What the cell's colour says.
    package func tone(_ row: Int, _ field: Int) -> Tone { makeTone(row, field) }

    /// The lines below the row.
    package func details(_ row: Int) -> [String] { makeDetails(row) }
}
