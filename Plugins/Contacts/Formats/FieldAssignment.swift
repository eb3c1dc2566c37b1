/// A `FIELD=VALUE` argument of the commands `new` and `set`.
///
/// `phone=…` replaces all phone numbers, `phone+=…` adds one, `phone-=…` removes one. A label is given after a dot:
/// `phone.mobile=…` replaces only the mobile numbers, `phone.mobile+=…` adds one. An empty value clears. The parts of a
/// name are `name.given`, `name.family`, `name.additional`, `name.prefix` and `name.suffix`.
package struct FieldAssignment: Hashable, Sendable {
    /// The effect on existing values.
    package enum Operator: String, Sendable {
        case set = "=", add = "+=", remove = "-="
    }

    /// The error of an invalid assignment.
    package struct ParseError: Error, Hashable, Sendable {
        /// The reason, in one sentence without a full stop.
        package var message: String
        /// The suggested input.
        package var hint: String?
    }

    /// The field.
    package var field: ContactField
    /// The label of the value or the part of the name; may be empty.
    package var label: String
    /// The operator.
    package var `operator`: Operator
    /// The value; may be empty.
    package var value: String

    package init(field: ContactField, label: String = "", _ operator: Operator, _ value: String) {
        self.field = field
        self.label = label
        self.operator = `operator`
        self.value = value
    }

    /// Parses an argument; nil if it has no `=` and is a plain word.
    package init?(argument: String) throws(ParseError) {
        guard let equals = argument.firstIndex(of: "=") else { return nil }
        var name = argument[..<equals]
        var kind = Operator.set
        if name.hasSuffix("+") { kind = .add } else if name.hasSuffix("-") { kind = .remove }
        if kind != .set { name = name.dropLast() }
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
        guard let field = ContactField(named: parts[0]) else {
            let near = ContactField.suggestion(for: parts[0]).map { "did you mean \($0.rawValue)?" }
            throw ParseError(
                message: "unknown field \"\(parts[0])\"",
                hint: near ?? "the fields are \(ContactField.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let label = parts.count > 1 ? parts[1].replacing("-", with: " ") : ""
        if !label.isEmpty, !field.hasLabel, field != .name {
            throw ParseError(message: "\(field.rawValue) does not have kinds", hint: "write \(field.rawValue)=VALUE")
        }
        if kind != .set, !field.isList, field != .note {
            throw ParseError(
                message: "\(field.rawValue) has only one value", hint: "write \(field.rawValue)=VALUE to replace it")
        }
        self.init(field: field, label: label, kind, argument[argument.index(after: equals)...].trimmed)
    }
}
