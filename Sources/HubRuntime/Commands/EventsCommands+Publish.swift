import HubKit

extension EventsCommands {
    private static let topic = Argument<Topic>("TOPIC", help: "such as app.user/pomodoro-done")
    private static let body = Arguments<String>("BODY", .optional, help: "a JSON object; - reads it from stdin")
    private static let subject = Option<String>("subject", "ID", help: "the id of what it happened to")
    private static let key = Option<String>(
        "key", "KEY", help: "tell it once: the same topic and key again does nothing")

    /// The context of topics that no plugin owns.
    private static let userContext = "user"

    static let publish = Command(
        "publish", summary: "tell something from a script",
        discussion: [
            "Topics of your own are app.user/… (kept, and delivered to hooks) and ui.user/… (told to who listens now). "
                + "A topic that a plugin declares can be told too, to try a hook."
        ],
        examples: [
            Example(#"hub events publish app.user/pomodoro-done '{"minutes": 25}'"#, "an event of your own"),
            Example("hub events publish app.user/backup-done --key 2026-11-20", "once a day, however often it runs"),
        ], parameters: [topic, body, subject, key], changes: true
    ) { (hub: Hub, input: Input) in
        let topic = input[topic]
        try check(topic, among: try hub.topics().map(\.topic))
        let text = try await text(input)
        let event = Event(topic, subject: input[subject] ?? "", uniqueKey: input[key], body: text)
        guard !input.dryRun else { return .done("\(topic) would be told") }
        if topic.layer == .ui {
            hub.bus.announce(.some([topic]))
            return .done("\(topic) told to who listens now")
        }
        let operation = Operation(input, kind: .cache)
        let isNew = try await hub.eventStore().write(operation) { tx in try tx.emit(event) }
        return .done(isNew ? "\(topic) told" : "\(topic) was told already with this key")
    }

    private static func check(_ topic: Topic, among declared: [Topic]) throws {
        let isOwn = topic.context == userContext
        if topic.layer == .app || topic.layer == .ui, isOwn || declared.contains(topic) { return }
        throw HubError(
            .denied, code: "topic-not-yours", "\(topic) is not yours to tell",
            details: [
                topic.layer == .app || topic.layer == .ui
                    ? "no plugin declares it" : "facts of the layer \(topic.layer.rawValue) come from plugins alone"
            ], hint: "topics of your own look like app.user/\(topic.entity)")
    }

    /// The body as it was given, checked to be an object of a sensible size.
    private static func text(_ input: Input) async throws -> String {
        guard let given = input[body].first else { return "{}" }
        var bytes = Array(given.utf8)
        if given == "-" {
            bytes = []
            for try await chunk in input.interaction.standardInput() where bytes.count <= Event.maximumBody {
                bytes += chunk
            }
        }
        do {
            let json = try JSONReader.read(bytes, limits: JSONReader.Limits(bytes: Event.maximumBody))
            guard case .object = json else { throw invalidBody("it is another kind of JSON") }
        } catch let problem as JSONReader.Problem {
            throw invalidBody(
                problem.kind == .tooLarge
                    ? "it has more than \(Event.maximumBody) bytes" : "byte \(problem.offset + 1) does not fit")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func invalidBody(_ reason: String) -> HubError {
        HubError(
            .invalid, code: "invalid-event-body", "the body is no JSON object", details: [reason],
            hint: #"quote it for the shell: '{"minutes": 25}'"#)
    }
}
