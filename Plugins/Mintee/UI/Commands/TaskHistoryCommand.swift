import HubKit
import MinteeDomain

/// `hub mintee history`: what was done to a task.
enum TaskHistoryCommand {
    static let fields = [
        Field<GetTaskHistory.Version>("at", "WHEN", help: "when") { .instant($0.operation.at) },
        Field<GetTaskHistory.Version>("who", "WHO", help: "you, or the service that did it") {
            .text($0.operation.who.text)
        },
        Field<GetTaskHistory.Version>("operation", "OPERATION", help: "the operation") {
            .id($0.operation.id, shown: ShortIDs.minimum)
        },
        Field<GetTaskHistory.Version>("command", "COMMAND", help: "what was typed", column: .ifRoom(1)) {
            .text($0.operation.commandLine)
        },
        Field<GetTaskHistory.Version>(
            "changes", "CHANGES", help: "what it changed", cell: { $0.changes.joined(separator: ", ") }
        ) { FieldValue($0.changes) },
    ]

    static let command = Command(
        "history", summary: "what was done to a task, newest first",
        examples: [
            Example("hub mintee history read", "every change of it and by whom"),
            Example("hub mintee history 7kt --json=at,changes", "for a script"),
        ], prominence: .more, parameters: [TaskSelection.one], fields: fields
    ) { (mintee: MinteePlugin, input: Input) in
        let record = try await TaskSelection(mintee, input).task(input[TaskSelection.one])
        return .list(
            try await mintee.getHistory(record.id), fields,
            empty: Note("History does not reach back to the last change of \(record.draft.name)"))
    }
}

/// `hub mintee check`: looks whether everything keeps the rules.
enum CheckCommand {
    static let fields = [
        Field<RuleBreach>("rule", "RULE", help: "the code of the rule") { .text($0.rule.description) },
        Field<RuleBreach>("subject", "WHAT", help: "what breaks it") { .text($0.subject) },
        Field<RuleBreach>("detail", "WHERE", help: "the day, or more about it") { .text($0.detail) },
        Field<RuleBreach>("text", "MUST BE SO", help: "the rule", column: .ifRoom(1)) {
            .text(Rule.named($0.rule)?.text ?? "")
        },
    ]

    static let command = Command(
        "check", summary: "look whether everything keeps the rules",
        examples: [
            Example("hub mintee check", "exit code 1 when something does not"),
            Example("hub mintee check --json=rule,subject", "for a script"),
        ], prominence: .more, fields: fields
    ) { (mintee: MinteePlugin, _: Input) in
        let breaches = try await mintee.checkRules()
        var output = Output.list(breaches, fields, empty: Note("All \(Rule.all.count) rules hold"))
        if !breaches.isEmpty { output.exit = .no }
        return output
    }
}
