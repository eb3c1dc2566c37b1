extension FieldValue {
    /// A value of JSON as a field.
    package init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let truth): self = .bool(truth)
        case .number(let text): self = .number(text)
        case .string(let text): self = .text(text)
        case .array(let elements): self = .list(elements.map { FieldValue($0) })
        case .object(let members): self = .object(members.map { Member($0.name, FieldValue($0.value)) })
        }
    }

    /// The row as an object with all its fields.
    package init<Row: Sendable>(_ row: Row, _ fields: [Field<Row>]) {
        self = .object(fields.map { Member($0.descriptor.name, $0.value(row)) })
    }
}
