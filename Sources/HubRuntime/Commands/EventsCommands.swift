import Commands
import Storage

/// `hub events`: past events, current events, and those that could not be delivered.
enum EventsCommands {
    static let command = Command(
        group: "events", aliases: ["event"], summary: "list, follow and publish events",
        discussion: [
            "An event records one thing that happened. A hook in the config runs a command for each matching event: "
                + #"hooks.phone = { on = "app.contacts/birthday-upcoming", run = "notify-phone" }"#
        ], prominence: .full, view: "list", subcommands: [list, tail, publish, dead, prune])

    private static let topics = Option<[TopicPattern]>(
        "topic", "GLOB", help: "only topics that match: 'app.*', 'domain.contacts/*'",
        completion: .from(Hub.self) { hub, _ in try hub.topics().map { CompletionWord($0.topic.text, $0.summary) } })
    private static let before = Option<DateExpression>(
        "before", "DATE", help: "events older than this (default: 30 days)")

    private static let list = Command(
        "list", summary: "list recent events",
        examples: [
            Example("hub events list --topic 'app.*' --since 2d", "list events raised by plugins"),
            Example("hub events list --json --limit 1", "print the newest event with all its fields"),
        ], parameters: [topics, SharedOptions.since, SharedOptions.limit], fields: StoredEvent.fields
    ) { (hub: Hub, input: Input) in
        let patterns = patterns(input)
        let since = input[SharedOptions.since]?.instant(now: hub.clock.now, in: .system)
        let events = try await hub.eventStore().read { tx in
            try tx.recentEvents(matching: patterns, since: since, limit: .max)
        }
        // The newest events are last.
        let shown = Array(events.suffix(input.rowLimit(50)))
        return .list(
            shown, StoredEvent.fields, count: Output.count(shown.count, of: events.count, "events"),
            empty: Diagnostic("No events"))
    }

    private static let tail = Command(
        "tail", summary: "follow events as they happen",
        discussion: [
            "Press Ctrl-C to stop. With --since, past events are printed first; no event in between is skipped."
        ],
        examples: [
            Example("hub events tail --json", "print one JSON object per line, for scripts"),
            Example("hub events tail --since 1h --topic 'app.*'", "start with the events of the last hour"),
        ], parameters: [topics, SharedOptions.since], fields: StoredEvent.fields
    ) { (hub: Hub, input: Input) in
        let since = input[SharedOptions.since]?.instant(now: hub.clock.now, in: .system)
        hub.listen()
        let store = try hub.eventStore()
        let start = try await store.read { tx in
            if let since { try tx.latestEvent(before: since) } else { try tx.latestEvent() }
        }
        let tail = EventTail(
            after: start, matching: patterns(input), store: store, bus: hub.bus, commits: hub.commitWatch(),
            clock: hub.clock)
        let fields = StoredEvent.fields
        return Output(.stream(fields.map(\.descriptor), tail.map { Rows($0, fields) }))
    }

    private static let prune = Command(
        "prune", summary: "delete old events; undelivered ones are kept",
        examples: [
            Example("hub events prune --dry-run", "show how many are older than 30 days"),
            Example("hub events prune --before 2026-11-01", "keep events from November on"),
        ], parameters: [before], changes: true
    ) { (hub: Hub, input: Input) in
        let moment = input[before]?.instant(now: hub.clock.now, in: .system)
        let count = try await hub.outboxPruner().prune(before: moment, dryRun: input.dryRun)
        let events = NumberFormat.counted(count, "event")
        return .done(input.dryRun ? "\(events) would be deleted" : "\(events) deleted")
    }

    private static func patterns(_ input: Input) -> [TopicPattern] {
        input[topics].isEmpty ? [.everything] : input[topics]
    }
}
