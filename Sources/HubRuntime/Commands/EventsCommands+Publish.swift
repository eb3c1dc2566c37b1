import Commands
import Storage

extension EventsCommands {
    private static let topic = Argument<Topic>("TOPIC", help: "topic, such as app.user/pomodoro-done")
    private static let body = Arguments<String>("BODY", .optional, help: "JSON object; - reads it from stdin")
    private static let subject = Option<String>("subject", "ID", help: "id of the item that the event is about")
    private static let key = Option<String>(
        "key", "KEY", help: "publish only once for this topic and key")

    /// The context of topics that no plugin owns.
    private static let userContext = "user"

    static let publish = Command(
        "publish", summary: "publish an event from a script",
        discussion: [
            "Your own topics are app.user/… (stored, and delivered to hooks) and ui.user/… (sent only to current "
                + "listeners). To test a hook, you can also publish a topic that a plugin declares."
        ],
        examples: [
            Example(#"hub events publish app.user/pomodoro-done '{"minutes": 25}'"#, "publish an event of your own"),
            Example(
                "hub events publish app.user/backup-done --key 2026-11-20",
                "publish once a day, however often the script runs"),
        ], parameters: [topic, body, subject, key], changes: true
    ) { (hub: Hub, input: Input) in
        let topic = input[topic]
        try check(topic, among: try hub.topics().map(\.topic))
        let text = try await text(input)
        let event = Event(topic, subject: input[subject] ?? "", uniqueKey: input[key], body: text)
        guard !input.dryRun else { return .done("Would publish \(topic)") }
        if topic.layer == .ui {
            hub.bus.announce(.some([topic]))
            return .done("Published \(topic) to current listeners")
        }
        let operation = Operation(input, kind: .cache)
        let isNew = try await hub.eventStore().write(operation) { tx in try tx.emit(event) }
        return .done(isNew ? "Published \(topic)" : "\(topic) was already published with this key")
    }

    private static func check(_ topic: Topic, among declared: [Topic]) throws {
        let isOwn = topic.context == userContext
        if topic.layer == .app || topic.layer == .ui, isOwn || declared.contains(topic) { return }
        throw HubError(
            .denied, code: "topic-not-yours", "cannot publish to \(topic)",
            details: [
                topic.layer == .app || topic.layer == .ui
                    ? "no plugin declares it" : "only plugins publish events of the layer \(topic.layer.rawValue)"
            ], hint: "your own topics look like app.user/\(topic.entity)")
    }

    /// Returns the body as given, after checking that it is a JSON object within the size limit.
    private static func text(_ input: Input) async throws -> String {
        guard let given = input[body].first else { return "{}" }
        var bytes = Array(given.utf8)
        if given == "-" {
            bytes = []
            for try await chunk in input.console.standardInput() where bytes.count <= Event.maximumBody {
                bytes += chunk
            }
        }
        do {
            let json = try JSONReader.read(bytes, limits: JSONReader.Limits(bytes: Event.maximumBody))
            guard case .object = json else { throw invalidBody("it is a JSON value of another type") }
        } catch let problem as JSONReader.Problem {
            throw invalidBody(
                problem.kind == .tooLarge
                    ? "it has more than \(Event.maximumBody) bytes" : "not valid JSON at byte \(problem.offset + 1)")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func invalidBody(_ reason: String) -> HubError {
        HubError(
            .invalid, code: "invalid-event-body", "the body is not a JSON object", details: [reason],
            hint: #"put it in quotes: '{"minutes": 25}'"#)
    }
}
