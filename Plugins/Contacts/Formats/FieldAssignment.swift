/// One `FIELD=VALUE` of the commands `new` and `set`.
///
/// `phone=…` replaces all phone numbers, `phone+=…` adds one, `phone-=…` removes one. The kind stands behind a dot:
/// `phone.mobile=…` replaces the mobile numbers alone, `phone.mobile+=…` adds one. An empty value clears. The parts of a
/// name are `name.given`, `name.family`, `name.additional`, `name.prefix` and `name.suffix`.
package struct FieldAssignment: Hashable, Sendable {
    /// What happens to the values that are there.
    package enum Operator: String, Sendable {
        case set = "=", add = "+=", remove = "-="
    }

    /// Why an assignment was not understood.
    package struct ParseError: Error, Hashable, Sendable {
        /// What is wrong, in one sentence without a full stop.
        package var message: String
        /// What to type instead.
        package var hint: String?
    }

    /// The field.
    package var field: ContactField
    /// The kind of the value or the part of the name, in words; empty when none is given.
    package var label: String
    /// What to do.
    package var `operator`: Operator
    /// The value; may be empty.
    package var value: String

    package init(field: ContactField, label: String = "", _ operator: Operator, _ value: String) {
        self.field = field
        self.label = label
        self.operator = `operator`
        self.value = value
    }

    /// Reads an argument; nil when it has no `=` and so is no assignment but a word.
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
