import Commands
import HubKit
import Storage

/// `hub machines`: the other machines of the person that this one has joined.
enum MachinesCommands {
    static let command = Command(
        group: "machines", aliases: ["machine"], summary: "show the machines that this one is kept in step with",
        prominence: .full, view: "list", subcommands: [list, refused, remove])

    private static let name = Argument<String>(
        "NAME", help: "name of the machine",
        completion: .from(Hub.self) { hub, _ in
            try await MachinePairs(hub).machines().map { CompletionWord($0.name) }
        })
    private static let number = Arguments<Int>("N", .optional, help: "number of an entry, to print the document")

    private static let fields = [
        Field<MachineLine>("name", "NAME", help: "name of the machine") { .text($0.name) },
        Field<MachineLine>("direction", "DIRECTION", help: "which of the two has joined the other") {
            .text($0.isHome ? "joined" : "has joined")
        },
        Field<MachineLine>("seen_at", "LAST SEEN", help: "time of the last exchange") { line in
            line.seenAt.map { FieldValue.instant($0) } ?? .null
        },
        Field<MachineLine>("waiting", "WAITS", help: "number of changes that wait to be sent", align: .trailing) {
            line in
            line.waiting.map { FieldValue.integer($0) } ?? .null
        },
        Field<MachineLine>("refused", "REFUSED", help: "number of documents that wait for you", align: .trailing) {
            line in
            line.held.map { FieldValue.integer($0) } ?? .null
        },
        Field<MachineLine>("failure", "FAILURE", help: "why the last exchange failed") { .text($0.failure) },
    ]

    private static let list = Command(
        "list", summary: "list the machines",
        examples: [
            Example("hub machines", "list the machines, with the changes still to be sent"),
            Example("hub machines list --json", "the same for a script"),
        ], fields: fields
    ) { (hub: Hub, _: Input) in
        .list(
            try await MachinePairs(hub).lines(), fields,
            empty: Diagnostic(
                "No machines",
                suggestions: [Example("hub devices add laptop --hub", "print a line for hub join on another machine")]))
    }

    private static let refusedFields = [
        Field<HeldDocument>("number", "N", help: "number of the entry", align: .trailing) { .integer($0.id) },
        Field<HeldDocument>("at", "WHEN", help: "time of the exchange") { .instant($0.at) },
        Field<HeldDocument>("machine", "MACHINE", help: "the other machine") { .text($0.machine) },
        Field<HeldDocument>("state", "STATE", help: "whether it waits, or was replaced") {
            .text($0.isOpen ? "waits" : "replaced")
        },
        Field<HeldDocument>("item", "ITEM", help: "kind and name of the document") { .text("\($0.kind)/\($0.name)") },
        Field<HeldDocument>("reason", "REASON", help: "what happened") { .text($0.reason) },
    ]

    private static let refused = Command(
        "refused", summary: "list what was not exchanged, or was replaced",
        discussion: [
            "If both machines have changed the same value, that of the machine that was joined counts, and the whole document as it was "
                + "here is kept in this list. What waits is tried again with each exchange. The newest 1,000 are kept."
        ],
        examples: [
            Example("hub machines refused", "list the entries, newest first"),
            Example("hub machines refused 3", "print the document of an entry as JSON"),
        ], parameters: [number], fields: refusedFields
    ) { (hub: Hub, input: Input) in
        let all = try await MachinePairs(hub).held()
        guard let number = input[number].first else {
            return .list(all, refusedFields, empty: Diagnostic("Nothing was refused or replaced"))
        }
        guard let found = all.first(where: { $0.id == number }) else {
            throw HubError(
                .notFound, code: "not-refused", "no entry \(number)", hint: "hub machines refused lists all entries")
        }
        guard let content = found.content else {
            throw HubError(
                .notFound, code: "no-document", "the document of entry \(number) is still here",
                details: [found.reason],
                hint: "nothing of it is lost")
        }
        return .file(content)
    }

    private static let remove = Command(
        "rm", summary: "no longer exchange with a machine",
        discussion: ["What came from it stays. On the other machine, hub devices rm ends the password of this one."],
        examples: [
            Example("hub machines rm desk", "leave the machine named desk"),
            Example("hub machines rm desk -n", "only say what would be done"),
        ], parameters: [name], changes: true
    ) { (hub: Hub, input: Input) in
        let name = input[name]
        let pairs = MachinePairs(hub)
        guard try await pairs.machines().contains(where: { $0.name == name }) else {
            throw HubError(
                .notFound, code: "no-machine", "this machine has not joined \"\(TerminalSanitizer.line(name))\"",
                hint: "hub machines list shows all; one that has joined this one is removed with hub devices rm")
        }
        if input.dryRun { return .done("Would leave \(name)") }
        guard
            try await input.confirm(
                "Leave \(name)? Changes are no longer exchanged.",
                consequence: "this machine would no longer be in step with \(name)")
        else { return .cancelled }
        _ = try await pairs.leave(name)
        return .done("Left \(name); what came from it stays")
    }
}
