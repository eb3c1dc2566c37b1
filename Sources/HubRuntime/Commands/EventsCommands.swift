import HubKit

/// `hub events`: what was told, what is being told, and what could not be delivered.
enum EventsCommands {
    static let command = Command(
        group: "events", aliases: ["event"], summary: "what plugins and scripts tell each other",
        discussion: [
            "An event is one fact in the past tense. A hook in the config runs a command for each event of a kind: "
                + #"hooks.phone = { on = "app.contacts/birthday-upcoming", run = "notify-phone" }"#
        ], prominence: .full, view: "list", subcommands: [list, tail, publish, dead, prune])

    private static let topics = Option<[TopicPattern]>(
        "topic", "GLOB", help: "only these topics: 'app.*', 'domain.contacts/*'",
        completion: .from(Hub.self) { hub, _ in try hub.topics().map { CompletionWord($0.topic.text, $0.summary) } })
    private static let before = Option<DateExpression>(
        "before", "DATE", help: "what is older than this; 30 days unless given")

    private static let list = Command(
        "list", summary: "list what happened lately",
        examples: [
            Example("hub events list --topic 'app.*' --since 2d", "what the plugins found worth telling"),
            Example("hub events list --json --limit 1", "the newest event with all its fields"),
        ], parameters: [topics, SharedOptions.since, SharedOptions.limit], fields: StoredEvent.fields
    ) { (hub: Hub, input: Input) in
        let patterns = patterns(input)
        let since = input[SharedOptions.since]?.instant(now: hub.clock.now, in: .system)
        let events = try await hub.eventStore().read { tx in
            try tx.recentEvents(matching: patterns, since: since, limit: .max)
        }
        // The newest stand last.
        let shown = Array(events.suffix(input.rowLimit(50)))
        return .list(
            shown, StoredEvent.fields, count: Output.count(shown.count, of: events.count, "events"),
            empty: Note("No events"))
    }

    private static let tail = Command(
        "tail", summary: "follow events as they happen",
        discussion: ["It ends with Ctrl-C. With --since it begins in the past; no event is left out in between."],
        examples: [
            Example("hub events tail --json", "one JSON object a line, for scripts"),
            Example("hub events tail --since 1h --topic 'app.*'", "from an hour ago on"),
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
        "prune", summary: "forget old events; what a flow or hook has not had yet stays",
        examples: [
            Example("hub events prune --dry-run", "how many are older than 30 days"),
            Example("hub events prune --before 2026-11-01", "keep those from November on"),
        ], parameters: [before], changes: true
    ) { (hub: Hub, input: Input) in
        let moment = input[before]?.instant(now: hub.clock.now, in: .system)
        let count = try await hub.pruneEvents()(before: moment, dryRun: input.dryRun)
        let events = count == 1 ? "1 event" : "\(count) events"
        return .done(input.dryRun ? "\(events) would be removed" : "\(events) removed")
    }

    private static func patterns(_ input: Input) -> [TopicPattern] {
        input[topics].isEmpty ? [.everything] : input[topics]
    }
}
