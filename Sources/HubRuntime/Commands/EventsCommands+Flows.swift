import HubKit

extension EventsCommands {
    /// A subscriber as `hub flows` shows it, switched on or not.
    private struct Row: Sendable {
        let id: String
        let summary: String
        let patterns: [TopicPattern]
        let status: SubscriberStatus?

        var state: String {
            guard let status else { return "off" }
            return status.cursor?.error == nil ? "on" : "retrying"
        }
    }

    private static let rowFields = [
        Field<Row>("id", "FLOW", help: "its name") { .text($0.id) },
        Field<Row>("state", "STATE", help: "on, off, or retrying after a failure") { .text($0.state) },
        Field<Row>("topics", "ON", help: "what starts it", cell: { patterns($0) }) {
            FieldValue($0.patterns.map(\.text))
        },
        Field<Row>("waiting", "WAITING", help: "how many events wait for it", align: .trailing) {
            FieldValue($0.status?.waiting)
        },
        Field<Row>("dead", "DEAD", help: "how many it failed at for good", align: .trailing) {
            FieldValue($0.status?.dead)
        },
        Field<Row>("seq", "SEQ", help: "the number of the last event it is done with", column: .onRequest) {
            FieldValue($0.status?.cursor.map { Int($0.sequence) })
        },
        Field<Row>("attempts", "TRIES", help: "how often the next event was tried", column: .onRequest) {
            FieldValue($0.status?.cursor?.attempts)
        },
        Field<Row>("retry_at", "NEXT TRY", help: "when it tries again", column: .ifRoom(2)) {
            FieldValue($0.status?.cursor?.retryAt)
        },
        Field<Row>("error", "LAST ERROR", help: "why the last try failed", column: .ifRoom(1)) {
            FieldValue($0.status?.cursor?.error)
        },
        Field<Row>("summary", "WHAT", help: "what it does", column: .ifRoom(3)) { .text($0.summary) },
    ]

    private static let flow = Argument<String>(
        "FLOW", help: "such as birthday-to-task",
        completion: .from(Hub.self) { hub, _ in try hub.flows().map { CompletionWord($0.id, $0.summary) } })

    static let flows = Command(
        group: "flows", aliases: ["flow"], summary: "what happens by itself: flows and hooks", prominence: .full,
        view: "list",
        subcommands: [listFlows, toggle("enable", to: true), toggle("disable", to: false)])

    private static let listFlows = Command(
        "list", summary: "list flows and hooks, and how they are doing",
        examples: [
            Example("hub flows", "what is on, what waits, what fails"),
            Example("hub flows --json=id,waiting,dead", "for a script"),
        ], fields: rowFields
    ) { (hub: Hub, _: Input) in
        let subscribers = try Subscribers(hub).all()
        let running = try await hub.eventStore().read { tx in try tx.status(of: subscribers) }.map { status in
            Row(
                id: status.subscriber.id, summary: status.subscriber.summary, patterns: status.subscriber.patterns,
                status: status)
        }
        let ids = Set(subscribers.map(\.id))
        let off = try hub.flows().filter { !ids.contains("flow.\($0.id)") }.map {
            Row(id: "flow.\($0.id)", summary: $0.summary, patterns: $0.patterns, status: nil)
        }
        return .list(
            running + off, rowFields,
            empty: Note(
                "No flows and no hooks",
                hint:
                    #"hooks.NAME = { on = "app.contacts/birthday-upcoming", run = "COMMAND" } in the config makes one"#
            ))
    }

    private static func toggle(_ verb: String, to isOn: Bool) -> Command {
        Command(
            verb, summary: isOn ? "switch a flow on" : "switch a flow off; what it made stays",
            examples: [
                Example("hub flows \(verb) birthday-to-task", isOn ? "on" : "off"),
                Example("hub flows \(verb) birthday-to-task --dry-run", "look first"),
            ], parameters: [flow], changes: true
        ) { (hub: Hub, input: Input) in
            let word = input[flow].hasPrefix("flow.") ? String(input[flow].dropFirst(5)) : input[flow]
            let ids = try hub.flows().map(\.id)
            guard ids.contains(word) else {
                throw HubError(
                    .notFound, code: "no-flow", "there is no flow \"\(word)\"",
                    hint: Suggestion.nearest(to: word, in: ids).map { "did you mean \($0)?" } ?? "hub flows lists them")
            }
            _ = try hub.configDesk.set("flows.\(word)", to: isOn ? "true" : "false", dryRun: input.dryRun)
            if input.dryRun { return .done("Would switch \(word) \(isOn ? "on" : "off")") }
            return .done("\(word) is \(isOn ? "on" : "off"). Back: hub flows \(isOn ? "disable" : "enable") \(word)")
        }
    }

    private static func patterns(_ row: Row) -> String { row.patterns.map(\.text).joined(separator: " ") }
}
