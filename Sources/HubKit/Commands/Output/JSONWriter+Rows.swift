import CivilDate

extension JSONWriter {
    /// A value of a field: decimals as strings, moments as RFC 3339 in UTC, days as `yyyy-MM-dd`.
    package mutating func value(_ value: FieldValue) {
        switch value {
        case .null: null()
        case .text(let text), .decimal(let text), .id(let text, _): self.value(text)
        case .integer(let number): self.value(number)
        case .number(let text): self.number(text)
        case .bool(let truth): self.value(truth)
        case .instant(let instant): self.value(instant.rfc3339)
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
