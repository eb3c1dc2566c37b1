package import MinteeDomain
package import System

extension HubError {
    /// An error for rule violations. Its code is that of the first one, and each field problem has the code of its
    /// rule, for programs; messages are sentences without codes.
    package init(breaking violations: [RuleViolation], hint: String? = nil) {
        let first = violations.first ?? RuleViolation("I-1", "")
        var sentences = violations.map(\.sentence)
        sentences = sentences.indices.filter { sentences[..<$0].contains(sentences[$0]) == false }.map { sentences[$0] }
        self.init(
            .invalid, code: first.rule.description.lowercased(), sentences.first ?? first.sentence,
            details: Array(sentences.dropFirst()), hint: hint)
        problems = violations.map { violation in
            FieldProblem(
                field: violation.field, violation.detail.isEmpty ? violation.rule.text : violation.sentence,
                code: violation.rule.description)
        }
    }

    /// An error for the violation of one rule.
    package static func breaking(_ rule: RuleCode, _ subject: String, _ detail: String = "", hint: String? = nil)
        -> HubError
    {
        HubError(breaking: [RuleViolation(rule, subject, detail)], hint: hint)
    }
}

extension [RuleViolation] {
    /// Throws an error if there are violations.
    func enforce() throws(HubError) {
        if !isEmpty { throw HubError(breaking: self) }
    }
}

extension RuleViolation {
    /// The violation as a sentence: `"Run" is already the name of another task`.
    fileprivate var sentence: String {
        let what = subject.isBlank ? "" : "\"\(subject.count > 60 ? subject.prefix(60) + "…" : subject)\""
        if what.isEmpty { return detail.isEmpty ? rule.text : detail }
        return detail.isEmpty ? "\(what): \(rule.text)" : "\(what) \(detail)"
    }
}

extension RuleCode {
    /// The requirement of the rule.
    var text: String { Rule.named(self)?.text ?? "invalid value" }
}
