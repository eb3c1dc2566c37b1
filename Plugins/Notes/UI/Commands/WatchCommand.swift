import Commands
import HubKit
import Sync

/// `hub notes watch`: keeps servers in sync while it runs, and shows what happens.
enum WatchCommand {
    private static let servers = Arguments<String>(
        "SERVER", .zeroOrMore, help: "only these servers (default: all)",
        completion: .from(NotesPlugin.self) { notes, _ in
            try notes.accounts.registry.accounts().map { CompletionWord($0.name, $0.account.place) }
        })

    private static let fields: [Field<NoteServersService.Report>] = [
        Field("at", "WHEN", help: "time") { .instant($0.at) },
        Field("server", "SERVER", help: "name of the server") { .text($0.server) },
        Field("event", "EVENT", help: "connection made or lost, or notes received and sent") { .text($0.words) },
    ]

    static let command = Command(
        "watch", summary: "keep notes and servers in sync, and show what happens",
        discussion: ["hub serve does the same in the background. Press Ctrl-C to stop."],
        examples: [
            Example("hub notes watch", "all servers"),
            Example("hub notes watch home --json", "one server, for a script"),
        ], prominence: .more, parameters: [servers], fields: fields
    ) { (notes: NotesPlugin, input: Input) in
        if input.offline { throw HubError.offline }
        guard try !notes.accounts.registry.accounts(input[servers]).isEmpty else {
            return .list([], fields, empty: Diagnostic("No servers", suggestions: NoteServers.kind.texts.firstSteps))
        }
        let reports = try notes.watchServers(input[servers])
        return Output(.stream(fields.map(\.descriptor), reports.map { Rows([$0], fields) }))
    }
}
