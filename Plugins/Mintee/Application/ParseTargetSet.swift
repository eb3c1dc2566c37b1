package import HubKit
package import MinteeDomain

/// Parses one target set, or one value range of a legend, before the surrounding form is saved.
package struct ParseTargetSet: Sendable {
    package init() {}

    /// Returns the target set of a pattern, as JSON with the app's key names, and of the fields of a target.
    ///
    /// Throws `invalid` with a problem for each field: `days`, `lower` and `upper`.
    package func callAsFunction(_ pattern: JSONValue?, _ fields: TargetFields) throws(HubError) -> TargetSet {
        let (pattern, breaches) = TaskDocument.readPattern(pattern)
        var problems = breaches.map { breach in
            RuleViolation(breach.rule.isOfChoice ? "I-6" : breach.rule, "", "no days chosen", field: "days")
        }
        let target = fields.target
        if case .failure(let problem) = target { problems.append(problem.breach) }
        if problems.isEmpty, let pattern, case .success(let target) = target { return TargetSet(pattern, target) }
        throw HubError(breaking: problems)
    }

    /// Returns the target of the fields alone. Throws `invalid` with a problem for `lower` or `upper`.
    package func callAsFunction(_ fields: TargetFields) throws(HubError) -> Target {
        switch fields.target {
        case .success(let target): return target
        case .failure(let problem): throw HubError(breaking: [problem.breach])
        }
    }
}

extension TargetFields.Problem {
    /// The violation; target rules are described by their own text.
    fileprivate var breach: RuleViolation {
        RuleViolation(rule, "", rule.description.hasPrefix("TTS") ? "" : message, field: field)
    }
}

extension RuleCode {
    /// Whether the rule requires a pattern to have days.
    fileprivate var isOfChoice: Bool { ["DP-2", "DP-3", "DP-4"].contains(description) }
}
