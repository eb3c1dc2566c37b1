import HubKit
import MinteeDomain

/// `hub mintee check`: checks all data against the rules.
enum CheckCommand {
    static let fields = [
        Field<RuleViolation>("rule", "RULE", help: "code of the rule") { .text($0.rule.description) },
        Field<RuleViolation>("subject", "SUBJECT", help: "name or id of the violating item") { .text($0.subject) },
        Field<RuleViolation>("detail", "DETAIL", help: "day or further details") { .text($0.detail) },
        Field<RuleViolation>("text", "REQUIREMENT", help: "text of the rule", column: .ifRoom(1)) {
            .text(Rule.named($0.rule)?.text ?? "")
        },
    ]

    static let command = Command(
        "check", summary: "check all tasks against the rules",
        examples: [
            Example("hub mintee check", "exit code 1 if a rule is violated"),
            Example("hub mintee check --json=rule,subject", "for a script"),
        ], prominence: .more, fields: fields
    ) { (mintee: MinteePlugin, _: Input) in
        let breaches = try await mintee.ruleViolations()
        var output = Output.list(breaches, fields, empty: Diagnostic("All \(Rule.all.count) rules hold"))
        if !breaches.isEmpty { output.exit = .no }
        return output
    }
}
