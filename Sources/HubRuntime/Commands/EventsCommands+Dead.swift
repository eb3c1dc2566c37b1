import Commands
import Storage

extension EventsCommands {
    private static let ids = Arguments<String>(
        "ID", .zeroOrMore, help: "id of a dead letter, or a prefix of it",
        completion: .from(Hub.self) { hub, _ in
            try await hub.eventStore().read { tx in try tx.deadEvents() }.map {
                CompletionWord($0.id, "\($0.subscriber) \($0.event.topic)")
            }
        })
    private static let all = Flag("all", help: "all dead letters")

    private static let fields = [
        Field<DeadLetter>("id", "ID", help: "id for retry and drop") {
            .id($0.id, shown: ShortIDs.minimum + 1)
        },
        Field<DeadLetter>("subscriber", "SUBSCRIBER", help: "flow or hook that failed") { .text($0.subscriber) },
        Field<DeadLetter>("at", "SINCE", help: "time of the last failure", column: .ifRoom(1)) { .instant($0.at) },
        Field<DeadLetter>("topic", "TOPIC", help: "topic of the event") { .text($0.event.topic.text) },
        Field<DeadLetter>("subject", "SUBJECT", help: "id of the item that the event is about", column: .ifRoom(3)) {
            .text($0.event.subject)
        },
        Field<DeadLetter>("seq", "SEQ", help: "sequence number of the event", column: .onRequest) {
            .integer(Int($0.event.sequence))
        },
        Field<DeadLetter>("retrying", "RETRYING", help: "whether it is being retried", column: .onRequest) {
            .bool($0.isRetrying)
        },
        Field<DeadLetter>("error", "ERROR", help: "reason of the last failure", column: .ifRoom(2)) { .text($0.error) },
    ]

    static let dead = Command(
        group: "dead", summary: "manage events that could not be delivered", view: "list",
        subcommands: [listDead, retryDead, dropDead])

    private static let listDead = Command(
        "list", summary: "list dead letters, oldest first",
        examples: [
            Example("hub events dead", "show failed events and the reasons"),
            Example("hub events dead --json=id,error", "print ids and errors for a script"),
        ], fields: fields
    ) { (hub: Hub, _: Input) in
        let dead = try await hub.eventStore().read { tx in try tx.deadEvents() }
        return .list(dead, fields, empty: Diagnostic("No dead letters"))
    }

    private static let retryDead = Command(
        "retry", summary: "retry dead letters",
        examples: [
            Example("hub events dead retry --all", "retry all, once the cause is fixed"),
            Example("hub events dead retry 7kt2", "retry one event"),
        ], parameters: [ids, all], changes: true
    ) { (hub: Hub, input: Input) in
        let store = try hub.eventStore()
        let chosen = try await choose(input, store)
        guard !input.dryRun, !chosen.isEmpty else { return report(chosen, "would be retried") }
        try await store.write(Operation(input, kind: .cache)) { tx in
            for dead in chosen { _ = try tx.retryDeadLetter(dead.id) }
        }
        return report(chosen, "retried")
    }

    private static let dropDead = Command(
        "drop", summary: "delete dead letters",
        examples: [
            Example("hub events dead drop 7kt2", "delete one event"),
            Example("hub events dead drop --all --dry-run", "show how many would be deleted"),
        ], parameters: [ids, all], changes: true
    ) { (hub: Hub, input: Input) in
        let store = try hub.eventStore()
        let chosen = try await choose(input, store)
        guard !input.dryRun, !chosen.isEmpty else { return report(chosen, "would be deleted") }
        let question = chosen.count == 1 ? "Delete 1 dead letter?" : "Delete \(chosen.count) dead letters?"
        guard try await input.confirm(question, consequence: "this would permanently delete them") else {
            return .cancelled
        }
        try await store.write(Operation(input, kind: .cache)) { tx in
            for dead in chosen { _ = try tx.deleteDeadLetter(dead.id) }
        }
        return report(chosen, "deleted")
    }

    private static func report(_ chosen: [DeadLetter], _ done: String) -> Output {
        .done(chosen.count == 1 ? "1 dead letter \(done)" : "\(chosen.count) dead letters \(done)")
    }

    /// Returns the dead letters that the ids name, each by a unique prefix; with `--all`, all of them.
    private static func choose(_ input: Input, _ store: Store) async throws -> [DeadLetter] {
        let dead = try await store.read { tx in try tx.deadEvents() }
        if input[all] { return dead }
        guard !input[ids].isEmpty else {
            throw HubError(
                .usage, code: "no-dead-event-named", "no dead letter given",
                hint: "give ids from hub events dead, or --all")
        }
        return try input[ids].map { word in
            let found = dead.filter { $0.id.hasPrefix(word) }
            guard found.count <= 1 else {
                throw HubError(
                    .usage, code: "ambiguous", "\"\(word)\" matches \(found.count) dead letters",
                    details: found.map { "\($0.id)  \($0.subscriber)  \($0.event.topic)" },
                    hint: "type more characters of the id")
            }
            guard let event = found.first else {
                throw HubError(
                    .notFound, code: "no-dead-event", "no dead letter \"\(word)\"",
                    hint: "hub events dead lists all")
            }
            return event
        }
    }
}
