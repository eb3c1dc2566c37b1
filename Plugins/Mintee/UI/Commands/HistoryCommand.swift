import HubKit
import MinteeDomain

/// `hub mintee history`: lists the changes of a task.
enum HistoryCommand {
    static let fields = [
        Field<TaskHistoryEntry>("at", "WHEN", help: "time of the change") { .instant($0.operation.at) },
        Field<TaskHistoryEntry>("who", "WHO", help: "you, or the service that made the change") {
            .text($0.operation.who.text)
        },
        Field<TaskHistoryEntry>("operation", "OPERATION", help: "id of the operation") {
            .id($0.operation.id, shown: ShortIDs.minimum)
        },
        Field<TaskHistoryEntry>("command", "COMMAND", help: "command line", column: .ifRoom(1)) {
            .text($0.operation.commandLine)
        },
        Field<TaskHistoryEntry>(
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
            try await mintee.history(of: record.id), fields,
            empty: Diagnostic("History does not go back to the last change of \(record.draft.name)"))
    }
}

/// `hub mintee diff`: shows the differences of a task between two points in time.
enum DiffCommand {
    private static let fields = [
        Field<TaskDifference>("what", "FIELD", help: "field of the task, or a day") { .text($0.what) },
        Field<TaskDifference>("before", "BEFORE", help: "value before; empty for none") { .text($0.before) },
        Field<TaskDifference>("after", "AFTER", help: "value after; empty for none") { .text($0.after) },
    ]

    static let command = Command(
        "diff", summary: "show changes of a task between two points in time",
        discussion: ["--since defaults to one day ago, --until to now."],
        examples: [
            Example("hub mintee diff read --since 1w", "since last week"),
            Example("hub mintee diff read --since 2026-11-01 --until 2026-11-08", "over one week"),
        ], prominence: .more, parameters: [TaskSelection.one, SharedOptions.since, SharedOptions.until], fields: fields
    ) { (mintee: MinteePlugin, input: Input) in
        let record = try await TaskSelection(mintee, input).task(input[TaskSelection.one])
        let now = mintee.clock.now
        let since = input[SharedOptions.since]?.instant(now: now, in: .system) ?? now - .seconds(86_400)
        let until = SharedOptions.end(of: input[SharedOptions.until], now: now) ?? now
        let found = try await mintee.differences(of: record.id, since: since, until: until)
        return .list(found, fields, empty: Diagnostic("\(record.draft.name) did not change"))
    }
}
