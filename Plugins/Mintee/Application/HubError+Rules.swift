package import HubKit
package import MinteeDomain

extension HubError {
    /// Something that was entered breaks rules; the first one is the code of the error. Each stands at its field.
    package init(breaking breaches: [RuleBreach], hint: String? = nil) {
        let first = breaches.first ?? RuleBreach("I-1", "")
        let rest = breaches.dropFirst().map { "\($0.rule)  \($0.sentence)" }
        self.init(
            .invalid, code: first.rule.description.lowercased(), first.sentence,
            details: ["\(first.rule)  \(first.rule.text)"] + rest, hint: hint)
        problems = breaches.map { breach in
            FieldProblem(
                field: breach.field, breach.detail.isEmpty ? breach.rule.text : breach.sentence,
                hint: breach.detail.isEmpty ? "\(breach.rule)" : "\(breach.rule): \(breach.rule.text)")
        }
    }

    /// The same for one rule.
    package static func breaking(_ rule: RuleCode, _ subject: String, _ detail: String = "", hint: String? = nil)
        -> HubError
    {
        HubError(breaking: [RuleBreach(rule, subject, detail)], hint: hint)
    }

    /// No task has this id; what is entered for it would belong to none (TI-1).
    static func taskNotFound(_ id: String) -> HubError {
        HubError(
            .notFound, code: "task-not-found", "no task has the id \(id)",
            details: ["TI-1  \(Rule.named("TI-1")?.text ?? "")"], hint: "hub mintee list shows all")
    }

    /// No analysis has this id.
    static func analysisNotFound(_ id: String) -> HubError {
        HubError(
            .notFound, code: "analysis-not-found", "no analysis has the id \(id)", hint: "hub mintee analyses shows all"
        )
    }
}

extension [RuleBreach] {
    /// Throws when there is any.
    func enforce() throws(HubError) {
        if !isEmpty { throw HubError(breaking: self) }
    }
}

extension RuleBreach {
    /// What breaks the rule and how: `"Run": another task is called so`.
    fileprivate var sentence: String {
        let what = subject.isBlank ? "" : "\"\(subject)\""
        if what.isEmpty { return detail.isEmpty ? rule.text : detail }
        return "\(what) \(detail.isEmpty ? "breaks the rule \(rule)" : detail)"
    }
}

extension RuleCode {
    /// What the rule says.
    fileprivate var text: String { Rule.named(self)?.text ?? "breaks the rule \(self)" }
}
