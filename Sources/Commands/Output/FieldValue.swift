package import CivilDate

/// One value of a row, in a form that can be written as a table cell, as JSON, or as plain text.
package enum FieldValue: Sendable, Equatable {
    /// Not known, or not there.
    case null
    /// Any text; control characters in it are never written raw to a terminal.
    case text(String)
    /// An id: full in JSON and plain text, its first `shown` characters in a table.
    case id(String, shown: Int)
    /// A whole number.
    case integer(Int)
    /// An exact decimal as text, such as `-58.56`; a string in JSON.
    case decimal(String)
    /// A number as it was read from JSON; a number in JSON.
    case number(String)
    /// Yes or no.
    case bool(Bool)
    /// A moment: near words in a table, RFC 3339 in JSON and plain text.
    case instant(Instant)
    /// A time without a time zone, as a clock on the wall showed it: near words in a table, ISO 8601 in JSON and plain text.
    case localTime(LocalTime)
    /// A day without a time zone, `yyyy-MM-dd`.
    case day(CivilDate)
    /// Several values in order.
    case list([FieldValue])
    /// Named values in order; the names are unique.
    case object([Member])

    /// One named value of an object.
    package struct Member: Sendable, Equatable {
        /// The JSON name.
        package let name: String
        /// Its value.
        package let value: FieldValue

        package init(_ name: String, _ value: FieldValue) {
            self.name = name
            self.value = value
        }
    }
}

extension FieldValue {
    /// The text, or null.
    package init(_ text: String?) { self = text.map(FieldValue.text) ?? .null }

    /// The number, or null.
    package init(_ number: Int?) { self = number.map(FieldValue.integer) ?? .null }

    /// The moment, or null.
    package init(_ instant: Instant?) { self = instant.map(FieldValue.instant) ?? .null }

    /// The day, or null.
    package init(_ day: CivilDate?) { self = day.map(FieldValue.day) ?? .null }

    /// A list of texts.
    package init(_ texts: [String]) { self = .list(texts.map(FieldValue.text)) }
}

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
