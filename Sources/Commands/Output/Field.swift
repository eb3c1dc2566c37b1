/// The properties of a field that do not depend on a row: its names, its help and its column rules.
package struct FieldDescriptor: Sendable, Equatable {
    /// The edge of the column at which values are aligned; numbers use the trailing one.
    package enum Alignment: Sendable { case leading, trailing }

    /// The rule for showing the field as a column of the table.
    package enum Column: Sendable, Equatable {
        /// In every table.
        case always
        /// While there is room; of two such columns the one with the higher number goes first.
        case ifRoom(Int)
        /// Only when it is asked for by name.
        case onRequest
    }

    /// The name in `--json`, `--plain` and `--format`: lower case, words joined by `_`, a unit at the end.
    package let name: String
    /// The title of the column, in capitals.
    package let title: String
    /// The meaning of the field in a few words, for `--json=help`.
    package let help: String
    /// The edge of the column at which values are aligned.
    package let alignment: Alignment
    /// The rule for showing it as a column of the table.
    package let column: Column
}

/// A field of `Row`: name, column and value in one place, so that table, JSON, plain text and templates agree.
package struct Field<Row: Sendable>: FieldDeclaration {
    /// The name, title, help and column rules of the field.
    package let descriptor: FieldDescriptor
    /// The value of the field in a row.
    package let value: @Sendable (Row) -> FieldValue
    /// The cell of the table when it differs from the value, such as `Bitcoin BTC` for a name; nil in rows where it does not.
    package let cell: (@Sendable (Row) -> String?)?
    /// The tone of the cell; it repeats in colour what the words say already.
    package let tone: (@Sendable (Row) -> TextStyle)?

    /// Creates a field; `cell` is the text for people if it differs from the value.
    package init(
        _ name: String, _ title: String, help: String, align: FieldDescriptor.Alignment = .leading,
        column: FieldDescriptor.Column = .always, cell: (@Sendable (Row) -> String?)? = nil,
        tone: (@Sendable (Row) -> TextStyle)? = nil, _ value: @escaping @Sendable (Row) -> FieldValue
    ) {
        descriptor = FieldDescriptor(name: name, title: title, help: help, alignment: align, column: column)
        self.value = value
        self.cell = cell
        self.tone = tone
    }
}

/// Anything that describes a field; it lets a command list the fields of its row type.
package protocol FieldDeclaration: Sendable {
    /// Names, help and column.
    var descriptor: FieldDescriptor { get }
}

/// The meaning of a piece of text, for colour; never conveyed by colour alone.
package enum TextStyle: Sendable { case plain, strong, faint, good, bad, warning }
