import Commands
import HubKit
import Storage

extension EventsCommands {
    /// A row of `hub flows`: a subscriber, enabled or not.
    private struct Row: Sendable {
        let id: String
        let summary: String
        let patterns: [TopicPattern]
        let status: SubscriberStatus?
        /// The reason why it cannot run; nil when it can.
        var flaw: String?

        var state: String {
            if flaw != nil { return "broken" }
            guard let status else { return "off" }
            return status.cursor?.error == nil ? "on" : "retrying"
        }
    }

    private static let rowFields = [
        Field<Row>("id", "FLOW", help: "name of the flow or hook") { .text($0.id) },
        Field<Row>("state", "STATE", help: "on, off, retrying after a failure, or broken") { .text($0.state) },
        Field<Row>("topics", "ON", help: "topics that trigger it", cell: { patterns($0) }) {
            FieldValue($0.patterns.map(\.text))
        },
        Field<Row>("waiting", "WAITING", help: "number of events not yet delivered to it", align: .trailing) {
            FieldValue($0.status?.waiting)
        },
        Field<Row>("dead", "DEAD", help: "number of events that it failed to handle", align: .trailing) {
            FieldValue($0.status?.dead)
        },
        Field<Row>("seq", "SEQ", help: "sequence number of the last event it handled", column: .onRequest) {
            FieldValue($0.status?.cursor.map { Int($0.sequence) })
        },
        Field<Row>("attempts", "ATTEMPTS", help: "number of attempts at the next event", column: .onRequest) {
            FieldValue($0.status?.cursor?.attempts)
        },
        Field<Row>("retry_at", "NEXT TRY", help: "time of the next attempt", column: .ifRoom(2)) {
            FieldValue($0.status?.cursor?.retryAt)
        },
        Field<Row>("error", "LAST ERROR", help: "reason of the last failure", column: .ifRoom(1)) {
            FieldValue($0.flaw ?? $0.status?.cursor?.error)
        },
        Field<Row>("summary", "DESCRIPTION", help: "description", column: .ifRoom(3)) { .text($0.summary) },
    ]

    private static let flow = Argument<String>(
        "FLOW", help: "name of the flow, such as birthday-to-task",
        completion: .from(Hub.self) { hub, _ in try hub.flows().map { CompletionWord($0.id, $0.summary) } })

    static let flows = Command(
        group: "flows", aliases: ["flow"], summary: "manage automatic actions: flows and hooks", prominence: .full,
        view: "list",
        subcommands: [listFlows, toggle("enable", to: true), toggle("disable", to: false)])

    private static let listFlows = Command(
        "list", summary: "list flows and hooks with their state",
        examples: [
            Example("hub flows", "show what is on, pending or failing"),
            Example("hub flows --json=id,waiting,dead", "print counts for a script"),
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
        let broken = try Subscribers(hub).brokenHooks().map {
            Row(id: "hook.\($0.name)", summary: "invalid hook", patterns: [], status: nil, flaw: $0.message)
        }
        return .list(
            running + broken + off, rowFields,
            empty: Diagnostic(
                "No flows and no hooks",
                hint:
                    #"to add one: hooks.NAME = { on = "app.contacts/birthday-upcoming", run = "COMMAND" }"#
            ))
    }

    private static func toggle(_ verb: String, to isOn: Bool) -> Command {
        Command(
            verb, summary: isOn ? "enable a flow" : "disable a flow; items it created are kept",
            examples: [
                Example("hub flows \(verb) birthday-to-task", isOn ? "enable the flow" : "disable the flow"),
                Example("hub flows \(verb) birthday-to-task --dry-run", "show what would change"),
            ], parameters: [flow], changes: true
        ) { (hub: Hub, input: Input) in
            let word = input[flow].hasPrefix("flow.") ? String(input[flow].dropFirst(5)) : input[flow]
            let ids = try hub.flows().map(\.id)
            guard ids.contains(word) else {
                throw HubError(
                    .notFound, code: "no-flow", "no flow named \"\(word)\"",
                    hint: Suggestion.nearest(to: word, in: ids).map { "did you mean \($0)?" } ?? "hub flows lists all")
            }
            _ = try hub.configManager.set("flows.\(word)", to: isOn ? "true" : "false", dryRun: input.dryRun)
            if input.dryRun { return .done("Would \(isOn ? "enable" : "disable") \(word)") }
            return .done(
                "\(word) is \(isOn ? "on" : "off"). To revert: hub flows \(isOn ? "disable" : "enable") \(word)")
        }
    }

    private static func patterns(_ row: Row) -> String { row.patterns.map(\.text).joined(separator: " ") }
}
