/// The code of a business rule, such as `TTS-3`.
package struct RuleCode: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The code as text.
    package let description: String

    package init(_ text: String) { description = text }

    package init(stringLiteral text: String) { description = text }
}

extension RuleCode {
    /// The form field of a violation of the rule: `name`, `tags`, `kind`, `start`, `end`, `sets`, `dates`, `value`,
    /// `type`, `range`, `legend` or `theme`.
    package var field: String {
        switch description {
        case "TASK-5", "ANL-6", "I-1", "I-2": "name"
        case "TASK-1", "TASK-8", "TASK-9": "kind"
        case "TASK-2": "start"
        case "TASK-6", "I-5": "end"
        case "TASK-4": "dates"
        case "I-3", "I-4", "TAG-1", "TAG-2": "tags"
        case "I-9": "value"
        case "I-10": "theme"
        case "ANL-1", "TSA-1": "type"
        case "ANL-7", "TSA-7", "CATLE-1": "legend"
        default: RuleCode.family[String(description.prefix { $0 != "-" })] ?? "sets"
        }
    }

    /// The field of all other rules of a family.
    private static let family = [
        "ANL": "range", "TSA": "range", "ALGND": "legend", "CMPLE": "legend", "TI": "dates",
    ]
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
