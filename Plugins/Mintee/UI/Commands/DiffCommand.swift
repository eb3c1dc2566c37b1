import HubKit
import MinteeDomain

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
        let found = try await mintee.compareVersions(record.id, since: since, until: until)
        return .list(found, fields, empty: Diagnostic("\(record.draft.name) did not change"))
    }
}
