import HubKit

extension EventsCommands {
    private static let ids = Arguments<String>(
        "ID", .zeroOrMore, help: "the id of a dead event, or its beginning",
        completion: .from(Hub.self) { hub, _ in
            try await hub.eventStore().read { tx in try tx.deadEvents() }.map {
                CompletionWord($0.id, "\($0.subscriber) \($0.event.topic)")
            }
        })
    private static let all = Flag("all", help: "all of them")

    private static let fields = [
        Field<DeadEvent>("id", "ID", help: "by which it is retried or dropped") {
            .id($0.id, shown: ShortIDs.minimum + 1)
        },
        Field<DeadEvent>("subscriber", "FOR", help: "who failed at it") { .text($0.subscriber) },
        Field<DeadEvent>("at", "SINCE", help: "when it was set aside", column: .ifRoom(1)) { .instant($0.at) },
        Field<DeadEvent>("topic", "TOPIC", help: "what kind of thing happened") { .text($0.event.topic.text) },
        Field<DeadEvent>("subject", "SUBJECT", help: "the id of what it happened to", column: .ifRoom(3)) {
            .text($0.event.subject)
        },
        Field<DeadEvent>("seq", "SEQ", help: "the number of the event", column: .onRequest) {
            .integer(Int($0.event.sequence))
        },
        Field<DeadEvent>("retrying", "RETRYING", help: "whether it is being tried again", column: .onRequest) {
            .bool($0.isRetrying)
        },
        Field<DeadEvent>("error", "ERROR", help: "why the last try failed", column: .ifRoom(2)) { .text($0.error) },
    ]

    static let dead = Command(
        group: "dead", summary: "what a flow or hook failed at for good", view: "list",
        subcommands: [listDead, retryDead, dropDead])

    private static let listDead = Command(
        "list", summary: "list them, oldest first",
        examples: [
            Example("hub events dead", "what failed, and why"),
            Example("hub events dead --json=id,error", "for a script"),
        ], fields: fields
    ) { (hub: Hub, _: Input) in
        let dead = try await hub.eventStore().read { tx in try tx.deadEvents() }
        return .list(dead, fields, empty: Note("No dead events"))
    }

    private static let retryDead = Command(
        "retry", summary: "deliver them once more",
        examples: [
            Example("hub events dead retry --all", "after the cause is gone"),
            Example("hub events dead retry 7kt2", "one of them"),
        ], parameters: [ids, all], changes: true
    ) { (hub: Hub, input: Input) in
        let store = try hub.eventStore()
        let chosen = try await choose(input, store)
        guard !input.dryRun, !chosen.isEmpty else { return report(chosen, "would be tried again") }
        try await store.write(Operation(input, kind: .cache)) { tx in
            for dead in chosen { _ = try tx.retryDeadEvent(dead.id) }
        }
        return report(chosen, "tried again")
    }

    private static let dropDead = Command(
        "drop", summary: "forget them",
        examples: [
            Example("hub events dead drop 7kt2", "one of them"),
            Example("hub events dead drop --all --dry-run", "how many that would be"),
        ], parameters: [ids, all], changes: true
    ) { (hub: Hub, input: Input) in
        let store = try hub.eventStore()
        let chosen = try await choose(input, store)
        guard !input.dryRun, !chosen.isEmpty else { return report(chosen, "would be forgotten") }
        let question = chosen.count == 1 ? "Forget 1 dead event?" : "Forget \(chosen.count) dead events?"
        guard try await input.confirm(question, consequence: "they would be forgotten for good") else {
            return .cancelled
        }
        try await store.write(Operation(input, kind: .cache)) { tx in
            for dead in chosen { _ = try tx.dropDeadEvent(dead.id) }
        }
        return report(chosen, "forgotten")
    }

    private static func report(_ chosen: [DeadEvent], _ done: String) -> Output {
        .done(chosen.count == 1 ? "1 dead event \(done)" : "\(chosen.count) dead events \(done)")
    }

    /// The dead events that the ids name, each by a beginning that names no other; with `--all`, all of them.
    private static func choose(_ input: Input, _ store: Store) async throws -> [DeadEvent] {
        let dead = try await store.read { tx in try tx.deadEvents() }
        if input[all] { return dead }
        guard !input[ids].isEmpty else {
            throw HubError(
                .usage, code: "no-dead-event-named", "no dead event is named",
                hint: "give ids from hub events dead, or --all")
        }
        return try input[ids].map { word in
            let found = dead.filter { $0.id.hasPrefix(word) }
            guard found.count <= 1 else {
                throw HubError(
                    .usage, code: "ambiguous", "\"\(word)\" names \(found.count) dead events",
                    details: found.map { "\($0.id)  \($0.subscriber)  \($0.event.topic)" }, hint: "type more of the id")
            }
            guard let event = found.first else {
                throw HubError(
                    .notFound, code: "no-dead-event", "there is no dead event \"\(word)\"",
                    hint: "hub events dead lists them")
            }
            return event
        }
    }
}
