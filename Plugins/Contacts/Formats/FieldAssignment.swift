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
        if let own = CustomField.propertyName(parts[0]), parts.count == 1 {
            // `x-foo=bar` is short for `custom.X-FOO=bar`.
            self.init(field: .custom, label: own, kind, argument[argument.index(after: equals)...].trimmed)
            return
        }
        guard let field = ContactField(named: parts[0]) else {
            let near = ContactField.suggestion(for: parts[0]).map { "did you mean \($0.rawValue)?" }
            throw ParseError(
                message: "unknown field \"\(parts[0])\"",
                hint: near ?? "the fields are \(ContactField.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        var label = parts.count > 1 ? parts[1] : ""
        // The names of properties and some relations have hyphens.
        let isName = field == .custom && CustomField.isPropertyName(label)
        if !isName, !(field == .relation && RelatedPerson.types.contains(label.lowercased())) {
            label = label.replacing("-", with: " ")
        }
        if isName { label = label.uppercased() }
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

extension FieldAssignment {
    /// The assignments of one command: several values that replace the same field are all its values. Throws if the field can
    /// have only one.
    package static func combined(_ assignments: [FieldAssignment]) throws(ParseError) -> [FieldAssignment] {
        var seen = Set<String>()
        var result: [FieldAssignment] = []
        for var assignment in assignments {
            let isAgain =
                assignment.operator == .set
                && !seen.insert("\(assignment.field.rawValue).\(assignment.label.lowercased())").inserted
            if isAgain {
                guard assignment.field.isList || assignment.field == .note else {
                    throw ParseError(
                        message: "\(assignment.field.rawValue) is given twice", hint: "it has only one value")
                }
                assignment.operator = .add
            }
            result.append(assignment)
        }
        return result
    }

    /// Applies the assignment to `details`.
    package func apply(to details: inout ContactDetails) throws(ParseError) {
        if field == .name, !label.isEmpty { return try setNamePart(&details) }
        do throws(ContactField.Rejection) {
            switch `operator` {
            case .set: try set(&details)
            case .add: try add(&details)
            case .remove: try remove(&details)
            }
        } catch {
            throw ParseError(message: "\(field.rawValue) \"\(value)\": \(error.message)", hint: error.hint)
        }
    }

    private func set(_ details: inout ContactDetails) throws(ContactField.Rejection) {
        let (kind, value) = parsed
        var values: [(label: String, value: String)] = []
        // With a label, only the values with this label are replaced.
        if !kind.isEmpty { values = field.formValues(details).filter { $0.label.lowercased() != kind.lowercased() } }
        if !value.isEmpty || field == .name { values.append((kind, try field.checked(value, label: kind))) }
        try field.assign(values, to: &details)
    }

    private func add(_ details: inout ContactDetails) throws(ContactField.Rejection) {
        let (kind, value) = parsed
        if value.isEmpty { return }
        var values = field.formValues(details)
        // A known value without a label gets this one; under another label it is there as well.
        let same = values.firstIndex { known in
            isSame(known.value, value) && (kind.isEmpty || ["", kind.lowercased()].contains(known.label.lowercased()))
        }
        if let same, field != .note {
            if !kind.isEmpty { values[same].label = kind }
        } else {
            values.append((kind, try field.checked(value, label: kind)))
        }
        try field.assign(values, to: &details)
    }

    private func remove(_ details: inout ContactDetails) throws(ContactField.Rejection) {
        let (kind, value) = parsed
        var values = field.formValues(details)
        if field == .tag || field == .nickname || field == .language {
            // Values of these fields are on one line.
            values = values.flatMap { entry in entry.value.split(separator: ",").map { ("", $0.trimmed) } }
        }
        let count = values.count
        values.removeAll { entry in
            (kind.isEmpty || entry.label.lowercased() == kind.lowercased())
                && (value.isEmpty ? !kind.isEmpty : isSame(entry.value, value))
        }
        guard values.count < count else {
            throw ContactField.Rejection(message: "the contact does not have this value", hint: nil)
        }
        try field.assign(values, to: &details)
    }

    /// The label and the value; `phone="mobile  +48…"` as in a form is also accepted.
    private var parsed: (label: String, value: String) {
        label.isEmpty ? field.split(value) : (label, value)
    }

    /// Whether two values are equivalent.
    private func isSame(_ left: String, _ right: String) -> Bool {
        if left.lowercased() == right.lowercased() { return true }
        if field == .im, !WebAddress.hasScheme(right) {
            return left.split(separator: ":", maxSplits: 1).last?.lowercased() == right.lowercased()
        }
        guard field == .phone else { return false }
        return PhoneNumber(left).match(PhoneNumber(right)) == .certain
    }

    private func setNamePart(_ details: inout ContactDetails) throws(ParseError) {
        let part: WritableKeyPath<StructuredName, String>
        switch label.lowercased() {
        case "given", "first": part = \.given
        case "family", "last": part = \.family
        case "additional", "middle": part = \.additional
        case "prefix": part = \.prefix
        case "suffix": part = \.suffix
        default:
            throw ParseError(
                message: "a name has no part \"\(label)\"",
                hint: "the parts are given, family, additional, prefix, suffix")
        }
        details.setNamePart(part, value)
    }
}
