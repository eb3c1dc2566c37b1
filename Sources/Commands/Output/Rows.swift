import CivilDate

/// Rows of one type with their fields, seen without the type: what a table, JSON or a template is written from.
package struct Rows: Sendable {
    /// The fields, in the order of the columns.
    package let fields: [FieldDescriptor]
    /// The number of rows.
    package let count: Int

    private let makeValue: @Sendable (_ row: Int, _ field: Int) -> FieldValue
    private let makeCell: @Sendable (_ row: Int, _ field: Int) -> String?
    private let makeTone: @Sendable (_ row: Int, _ field: Int) -> TextStyle
    private let makeDetails: @Sendable (_ row: Int) -> [String]

    /// Keeps `rows` and reads a field of one only when it is written. `details` are lines below a row in a table.
    package init<Row: Sendable>(
        _ rows: [Row], _ fields: [Field<Row>], details: @escaping @Sendable (Row) -> [String] = { _ in [] }
    ) {
        self.fields = fields.map(\.descriptor)
        count = rows.count
        // Functions of a number alone: in the loops over rows and fields nothing then depends on the type of a row.
        let values = fields.map { field in { @Sendable (row: Int) in field.value(rows[row]) } }
        let cells = fields.map { field in field.cell.map { cell in { @Sendable (row: Int) in cell(rows[row]) } } }
        let tones = fields.map { field in field.tone.map { tone in { @Sendable (row: Int) in tone(rows[row]) } } }
        makeValue = { values[$1]($0) }
        makeCell = { cells[$1]?($0) }
        makeTone = { tones[$1]?($0) ?? .plain }
        makeDetails = { details(rows[$0]) }
    }

    /// The value at `row` and `field`, both counted from 0.
    package func value(_ row: Int, _ field: Int) -> FieldValue { makeValue(row, field) }

    /// The cell's own text where it differs from the value.
    package func cell(_ row: Int, _ field: Int) -> String? { makeCell(row, field) }

    /// Returns the meaning of the cell for colour.
    package func tone(_ row: Int, _ field: Int) -> TextStyle { makeTone(row, field) }

    /// The lines below the row.
    package func details(_ row: Int) -> [String] { makeDetails(row) }
}

extension JSONWriter {
    /// A value of a field: decimals as strings, moments as RFC 3339 in UTC, local times as ISO 8601, days as `yyyy-MM-dd`.
    package mutating func value(_ value: FieldValue) {
        switch value {
        case .null: null()
        case .text(let text), .decimal(let text), .id(let text, _): self.value(text)
        case .integer(let number): self.value(number)
        case .number(let text): self.number(text)
        case .bool(let truth): self.value(truth)
        case .instant(let instant): self.value(instant.rfc3339)
        case .localTime(let time): self.value(time.iso8601)
        case .day(let day): self.value(day.description)
        case .list(let values):
            array { writer in for element in values { writer.value(element) } }
        case .object(let members):
            object { writer in
                for member in members {
                    writer.name(member.name)
                    writer.value(member.value)
                }
            }
        }
    }

    /// The chosen fields of one row as an object.
    package mutating func row(_ row: Int, of rows: Rows, fields: [Int]) {
        object { writer in
            for field in fields {
                writer.name(rows.fields[field].name)
                writer.value(rows.value(row, field))
            }
        }
    }
}
