package import HubKit
package import MinteeDomain

extension HubError {
    /// Something that was entered breaks rules. The first one is the code of the error, and each the code of the problem
    /// at its field: for programs. People read sentences.
    package init(breaking breaches: [RuleBreach], hint: String? = nil) {
        let first = breaches.first ?? RuleBreach("I-1", "")
        var sentences = breaches.map(\.sentence)
        sentences = sentences.indices.filter { sentences[..<$0].contains(sentences[$0]) == false }.map { sentences[$0] }
        self.init(
            .invalid, code: first.rule.description.lowercased(), sentences.first ?? first.sentence,
            details: Array(sentences.dropFirst()), hint: hint)
        problems = breaches.map { breach in
            FieldProblem(
                field: breach.field, breach.detail.isEmpty ? breach.rule.text : breach.sentence,
                code: breach.rule.description)
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
        var error = HubError(
            .notFound, code: "task-not-found", "no task has the id \(id)", hint: "hub mintee list shows all tasks")
        error.problems = [FieldProblem(field: "id", error.message, code: "TI-1")]
        return error
    }

    /// No analysis has this id.
    static func analysisNotFound(_ id: String) -> HubError {
        HubError(
            .notFound, code: "analysis-not-found", "no analysis has the id \(id)",
            hint: "hub mintee analyses shows all analyses"
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
