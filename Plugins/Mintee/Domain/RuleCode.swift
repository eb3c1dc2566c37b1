/// The code of a business rule, such as `TTS-3`.
package struct RuleCode: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The code as text.
    package let description: String

    package init(_ text: String) { description = text }

    package init(stringLiteral text: String) { description = text }
}

/// A violation of a rule by stored or entered data.
package struct RuleViolation: Hashable, Sendable {
    /// The rule.
    package let rule: RuleCode
    /// The name or id of the violating item.
    package let subject: String
    /// A short description; may be empty.
    package let detail: String
    /// The form field of the violation.
    package let field: String

    /// Creates a violation; `field` defaults to that of the rule.
    package init(_ rule: RuleCode, _ subject: String, _ detail: String = "", field: String? = nil) {
        self.rule = rule
        self.subject = subject
        self.detail = detail
        self.field = field ?? rule.field
    }
}
