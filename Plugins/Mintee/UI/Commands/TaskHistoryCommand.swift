import HubKit
import MinteeDomain

/// `hub mintee history`: lists the changes of a task.
enum TaskHistoryCommand {
    static let fields = [
        Field<GetTaskHistory.Version>("at", "WHEN", help: "time of the change") { .instant($0.operation.at) },
        Field<GetTaskHistory.Version>("who", "WHO", help: "you, or the service that made the change") {
            .text($0.operation.who.text)
        },
        Field<GetTaskHistory.Version>("operation", "OPERATION", help: "id of the operation") {
            .id($0.operation.id, shown: ShortIDs.minimum)
        },
        Field<GetTaskHistory.Version>("command", "COMMAND", help: "command line", column: .ifRoom(1)) {
            .text($0.operation.commandLine)
        },
        Field<GetTaskHistory.Version>(
            "changes", "CHANGES", help: "changes to the task", cell: { $0.changes.joined(separator: ", ") }
        ) { FieldValue($0.changes) },
    ]

    static let command = Command(
        "history", summary: "show the changes of a task, newest first",
        examples: [
            Example("hub mintee history read", "all changes"),
            Example("hub mintee history 7kt --json=at,changes", "for a script"),
        ], prominence: .more, parameters: [TaskSelection.one], fields: fields
    ) { (mintee: MinteePlugin, input: Input) in
        let record = try await TaskSelection(mintee, input).task(input[TaskSelection.one])
        return .list(
            try await mintee.getHistory(record.id), fields,
            empty: Diagnostic("History does not go back to the last change of \(record.draft.name)"))
    }
}

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
        let breaches = try await mintee.checkRules()
        var output = Output.list(breaches, fields, empty: Diagnostic("All \(Rule.all.count) rules hold"))
        if !breaches.isEmpty { output.exit = .no }
        return output
    }
}
