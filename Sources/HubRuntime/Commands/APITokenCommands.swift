import Commands
import HubKit
import Storage

/// `hub api tokens`: the programs that may use the HTTP API, each with a token of its own.
enum APITokenCommands {
    static let command = Command(
        group: "tokens", aliases: ["token"], summary: "let programs use the HTTP API, each with a token of its own",
        prominence: .full, view: "list", subcommands: [list, add, remove])

    private static let name = Argument<String>(
        "NAME", help: "name of the token",
        completion: .from(Hub.self) { hub, _ in
            try await APITokenStore(hub.database()).tokens().map { CompletionWord($0.name) }
        })
    private static let newName = Argument<String>("NAME", help: "name of the program: small letters, digits, - and .")
    private static let scopes = Option<[String]>(
        "scope", "SCOPE", help: "read or write, of all plugins, or of one: contacts:read",
        completion: .from(Hub.self) { hub, _ in
            let plugins = try hub.enabledDescriptors().map(\.id)
            return (["read", "write"] + plugins.flatMap { ["\($0):read", "\($0):write"] }).map { CompletionWord($0) }
        })
    private static let days = Option<Int>("days", "N", in: 1...3650, help: "end after N days (default: never)")

    private static let fields = [
        Field<StoredAPIToken>("name", "NAME", help: "name of the program") { .text($0.name) },
        Field<StoredAPIToken>("scopes", "SCOPE", help: "what it may do") { FieldValue($0.scopes) },
        Field<StoredAPIToken>("created_at", "ADDED", help: "time when it was added", column: .onRequest) {
            .instant($0.createdAt)
        },
        Field<StoredAPIToken>("ends_at", "ENDS", help: "time when it ends") { token in
            token.endsAt.map { FieldValue.instant($0) } ?? .null
        },
        Field<StoredAPIToken>("seen_at", "LAST SEEN", help: "time of its last request") { token in
            token.seenAt.map { FieldValue.instant($0) } ?? .null
        },
    ]

    private static let list = Command(
        "list", summary: "list the tokens",
        examples: [
            Example("hub api tokens", "list the tokens, with the time of their last request"),
            Example("hub api tokens list --json", "the same for a script"),
        ], fields: fields
    ) { (hub: Hub, _: Input) in
        .list(
            try await access(hub).tokens(), fields,
            empty: Diagnostic(
                "No tokens", suggestions: [Example("hub api tokens add script --scope read", "add one and show it")]))
    }

    private static let add = Command(
        "add", summary: "add a token for a program and show it once",
        discussion: [
            "The program sends it with each request: Authorization: Bearer TOKEN. write includes read. Without --scope it may read everything.",
            "No token can delete for good, share, or see accounts and settings. What a program changes is in hub history with "
                + "api:NAME as its author.",
        ],
        examples: [
            Example("hub api tokens add script", "let a program read everything"),
            Example("hub api tokens add shortcut --scope notes:write --scope contacts:read", "only these plugins"),
            Example("hub api tokens add trial --scope write --days 7", "let it change everything for a week"),
        ], parameters: [newName, scopes, days], changes: true
    ) { (hub: Hub, input: Input) in
        let name = input[newName]
        guard DeviceSetup.isName(name) else {
            throw HubError(
                .usage, code: "bad-name", "invalid name \"\(TerminalSanitizer.line(name))\"",
                hint: "use 1 to 32 small letters, digits, - and ., such as script")
        }
        let wanted = try scopes(input[scopes], hub)
        let words = wanted.map(\.text).joined(separator: ", ")
        if input.dryRun { return .done("Would add the token \(name) with the scope \(words)") }
        let end = input[days].map { hub.clock.now + .seconds($0 * 86_400) }
        let token = try await access(hub).add(name, scopes: wanted, endingAt: end)
        let row = Shown(
            name: name, token: token, scopes: wanted.map(\.text), end: end)
        var output = Output.record(
            row, shownFields,
            human: [
                "\(name) can use the HTTP API with the scope \(words):", "  \(token)",
                "It is shown once; hub api tokens rm \(name) ends it.",
            ])
        if try Daemon.holder(hub) == nil {
            output = output.noting(.warning("hub serve is not running", code: "not-served", hint: "hub serve"))
        }
        return output
    }

    /// A token when it is made.
    private struct Shown: Sendable {
        let name: String
        let token: String
        let scopes: [String]
        let end: Instant?
    }

    private static let shownFields = [
        Field<Shown>("name", "NAME", help: "name of the program") { .text($0.name) },
        Field<Shown>("token", "TOKEN", help: "the token, which is shown once") { .text($0.token) },
        Field<Shown>("scopes", "SCOPE", help: "what it may do") { FieldValue($0.scopes) },
        Field<Shown>("ends_at", "ENDS", help: "time when it ends") { row in
            row.end.map { FieldValue.instant($0) } ?? .null
        },
    ]

    private static func scopes(_ texts: [String], _ hub: Hub) throws -> [APIScope] {
        if texts.isEmpty { return [.everything] }
        let plugins = hub.descriptors.map(\.id)
        return try texts.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map { text in
            guard let scope = APIScope(String(text)), scope.plugin.map(plugins.contains) ?? true else {
                throw HubError(
                    .usage, code: "bad-scope", "invalid scope \"\(TerminalSanitizer.line(String(text)))\"",
                    hint: "use read, write, PLUGIN:read or PLUGIN:write; plugins: \(plugins.joined(separator: ", "))")
            }
            return scope
        }
    }

    private static let remove = Command(
        "rm", summary: "remove a token; its program gets nothing more",
        discussion: ["What the program has changed stays. hub history --by api:NAME lists it."],
        examples: [
            Example("hub api tokens rm script", "remove the token named script"),
            Example("hub api tokens rm script -n", "only say what would be done"),
        ], parameters: [name], changes: true
    ) { (hub: Hub, input: Input) in
        let name = input[name]
        guard try await access(hub).tokens().contains(where: { $0.name == name }) else { throw missing(name) }
        if input.dryRun { return .done("Would remove the token \(name)") }
        guard
            try await input.confirm(
                "Remove the token \(name)? Its program needs a new one.",
                consequence: "the program \(name) could no longer use hub")
        else { return .cancelled }
        guard try await access(hub).remove(name) else { throw missing(name) }
        return .done("Removed the token \(name)")
    }

    private static func access(_ hub: Hub) throws -> APIAccess {
        APIAccess(try hub.database(), bus: hub.bus, clock: hub.clock)
    }

    private static func missing(_ name: String) -> HubError {
        HubError(
            .notFound, code: "no-token", "no token named \"\(TerminalSanitizer.line(name))\"",
            hint: "hub api tokens list lists all tokens")
    }
}
