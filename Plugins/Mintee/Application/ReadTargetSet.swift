package import HubKit
package import MinteeDomain

/// Reads one target set, or the bounds of a legend's band, as a person filled them in, before the form around them is saved.
package struct ReadTargetSet: Sendable {
    package init() {}

    /// The set of a pattern, as JSON with the app's own names of keys, and of the fields of a target.
    ///
    /// Throws `invalid` with a problem for each field: `days`, `lower` and `upper`.
    package func callAsFunction(_ pattern: JSONValue?, _ fields: TargetFields) throws(HubError) -> TargetSet {
        let (pattern, breaches) = TaskDocument.readPattern(pattern)
        var problems = breaches.map { breach in
            RuleBreach(breach.rule.isOfChoice ? "I-6" : breach.rule, "", "no days chosen", field: "days")
        }
        let target = fields.target
        if case .failure(let problem) = target { problems.append(problem.breach) }
        if problems.isEmpty, let pattern, case .success(let target) = target { return TargetSet(pattern, target) }
        throw HubError(breaking: problems)
    }

    /// The target of the fields alone. Throws `invalid` with a problem for `lower` or `upper`.
    package func callAsFunction(_ fields: TargetFields) throws(HubError) -> Target {
        switch fields.target {
        case .success(let target): return target
        case .failure(let problem): throw HubError(breaking: [problem.breach])
        }
    }
}

extension TargetFields.Problem {
    /// The rules of targets say themselves what is wrong.
    fileprivate var breach: RuleBreach {
        RuleBreach(rule, "", rule.description.hasPrefix("TTS") ? "" : message, field: field)
    }
}

extension RuleCode {
    /// Whether the rule says that days of a pattern must be chosen.
    fileprivate var isOfChoice: Bool { ["DP-2", "DP-3", "DP-4"].contains(description) }
}
