import HubKit

/// `hub logs`: what `hub serve` reported.
enum LogsCommand {
    private static let follow = Flag("follow", help: "keep printing what is new until Ctrl-C")
    private static let limit = Option<Int>("limit", "N", in: 1...100_000, help: "the newest N lines; 1000 unless given")

    private static let fields = [
        Field<LogLine>("at", "WHEN", help: "when it was reported") { .instant($0.at) },
        Field<LogLine>(
            "level", "LEVEL", help: "error, warning, notice or info",
            tone: { $0.level == .error ? .bad : $0.level == .warning ? .warning : .plain }
        ) { .text($0.level.word) },
        Field<LogLine>("message", "MESSAGE", help: "which part of hub it comes from, and the text") {
            .text($0.message)
        },
    ]

    static let command = Command(
        "logs", summary: "show what hub serve reported",
        discussion: [
            "With hub service install it is the journal of the unit; "
                + "else hub serve keeps its last two megabytes in the state folder."
        ],
        examples: [
            Example("hub logs --since 1d", "since yesterday at this time"),
            Example("hub logs --follow", "and what is new, until Ctrl-C"),
        ], prominence: .full, parameters: [follow, SharedOptions.since, limit], fields: fields
    ) { (hub: Hub, input: Input) in
        let source = LogSource.current(hub)
        let since = input[SharedOptions.since]?.instant(now: hub.clock.now, in: .system)
        let lines = try await source.lines(since: since, limit: input[limit] ?? 1000)
        guard input[follow] else {
            return .list(
                lines, fields, empty: Note("hub serve reported nothing", hint: "hub status shows whether it runs"))
        }
        let batches = source.following(lines, clock: hub.clock)
        return Output(.stream(fields.map(\.descriptor), batches.map { Rows($0, fields) }))
    }
}
