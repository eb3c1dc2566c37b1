import Commands

/// `hub logs`: what `hub serve` reported.
enum LogsCommand {
    private static let follow = Flag("follow", help: "keep printing new lines until Ctrl-C")
    private static let limit = Option<Int>("limit", "N", in: 1...100_000, help: "newest N lines (default: 1000)")

    private static let fields = [
        Field<LogLine>("at", "WHEN", help: "time of the message") { .instant($0.at) },
        Field<LogLine>(
            "level", "LEVEL", help: "severity: error, warning, notice or info",
            tone: { $0.level == .error ? .bad : $0.level == .warning ? .warning : .plain }
        ) { .text($0.level.word) },
        Field<LogLine>("message", "MESSAGE", help: "component and text") {
            .text($0.message)
        },
    ]

    static let command = Command(
        "logs", summary: "show the log of hub serve",
        discussion: [
            "If hub serve runs as a systemd unit, it writes to the journal; "
                + "otherwise it writes the log to the state folder and keeps the last 2 MB. Both are shown."
        ],
        examples: [
            Example("hub logs --since 1d", "show the last 24 hours"),
            Example("hub logs --follow", "follow new lines until Ctrl-C"),
        ], prominence: .full, parameters: [follow, SharedOptions.since, limit], fields: fields
    ) { (hub: Hub, input: Input) in
        let source = LogSource.current(hub)
        let since = input[SharedOptions.since]?.instant(now: hub.clock.now, in: .system)
        let lines = try await source.lines(since: since, limit: input[limit] ?? 1000)
        guard input[follow] else {
            return .list(
                lines, fields,
                empty: Diagnostic("No log messages", hint: "hub status shows whether hub serve is running"))
        }
        let batches = source.following(lines, clock: hub.clock)
        return Output(.stream(fields.map(\.descriptor), batches.map { Rows($0, fields) }))
    }
}
