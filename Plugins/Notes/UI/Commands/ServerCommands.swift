import Commands
import NotesDomain
import Storage
import Synchronization

/// `hub notes serve` and `hub notes server`: the notes server and its accounts.
enum ServerCommands {
    private static let store = Option<String>(
        "store", "URL", help: "serve a PostgreSQL database, such as postgres://hub@db/hub")

    static let serve = Command(
        "serve", summary: "serve the shared notes to other machines",
        discussion: [
            "It runs until Ctrl-C, or SIGTERM, which first sends the clients away. hub serve does the same in the background if notes.server.enabled is true.",
            "Only notes with an owner are served: those that were shared, and those that clients created. The server can "
                + "read its notes. Without accounts it serves only this machine; to create one, use hub notes server users "
                + "invite NAME.",
        ],
        examples: [
            Example("hub notes serve", "on ports 3000 and 3001 of this machine"),
            Example("hub notes serve --dry-run", "print the address without serving"),
            Example("hub notes serve --store postgres:///hub", "one of several servers of a database"),
        ], prominence: .more, parameters: [store]
    ) { (host: any PluginHost, input: Input) in
        if input.dryRun {
            let notes = try host.plugin(NotesPlugin.self)
            try notes.useServerStore(input[store])
            return .done("Would serve \(notes.serverSettings.url)")
        }
        let upkeep = Mutex<Task<Void, Never>?>(nil)
        defer { upkeep.withLock { $0?.cancel() } }
        try await host.serveListeners(of: "notes") { host in
            let notes = try host.plugin(NotesPlugin.self)
            try notes.useServerStore(input[store])
            // A database that is away, or has an older form, is found out before anyone is served.
            do { _ = try await notes.serverStatus() } catch let error as HubError { throw error.ofStart }
            await notes.recordWaiting()
            upkeep.withLock { $0 = Task { await notes.keepUpServer() } }
        } ready: { addresses in
            await input.console.show(
                ["The notes server listens on \(addresses.joined(separator: " and "))"]
                    + (input.console.isInteractive ? ["Press Ctrl-C to stop."] : []))
        }
        return .nothing
    }

    static let tree = Command(
        group: "server", summary: "show the state of the notes server and manage its accounts",
        examples: [
            Example("hub notes server status", "address and access"),
            Example("hub notes server users invite maria", "create an account for maria"),
        ], prominence: .more, view: "status", subcommands: [status, users, audit, instances, drain, migrate])

    // MARK: Status

    private static let statusFields: [Field<ServerStatus>] = [
        Field("address", "ADDRESS", help: "address for clients") { .text($0.url) },
        Field("enabled", "ENABLED", help: "whether hub serve opens the server") { .bool($0.isEnabled) },
        Field("store", "STORE", help: "where the notes are: sqlite, or a database") { .text($0.store) },
        Field("accounts", "ACCOUNTS", help: "number of accounts") { .integer($0.accounts) },
        Field("without_account", "WITHOUT ACCOUNT", help: "what clients without an account may do") {
            .text($0.legacy.rawValue)
        },
        Field("notes", "NOTES", help: "number of notes that are served") { .integer($0.notes) },
        Field("requests", "REQUESTS", help: "pending requests for access") { .integer($0.requests) },
        Field("servers", "SERVERS", help: "running servers of the database") { count($0.group?.servers) },
        Field("connections", "CONNECTIONS", help: "clients that are connected to them") {
            count($0.group?.connections)
        },
        Field("lag", "LAG", help: "changes that the slowest of them has not sent yet") { count($0.group?.lag) },
        Field("backlog", "BACKLOG", help: "changes kept for clients that come back") { count($0.group?.backlog) },
    ]

    /// A number that only a database has.
    private static func count(_ number: Int?) -> FieldValue { number.map { .integer($0) } ?? .null }

    private static let status = Command(
        "status", summary: "show the state of the notes server",
        examples: [
            Example("hub notes server status", "address, accounts and notes"),
            Example("hub notes server status --json=address", "for a script"),
        ], fields: statusFields
    ) { (notes: NotesPlugin, _: Input) in
        try notes.useServerStore()
        return .record(try await notes.serverStatus(), statusFields)
    }

    // MARK: Servers of a database

    private static let instanceFields: [Field<ServerInstance>] = [
        Field("name", "NAME", help: "name of the server until it ends") {
            .id($0.name, shown: min(8, $0.name.count))
        },
        Field("host", "HOST", help: "name of its machine") { .text($0.host) },
        Field("connections", "CONNECTIONS", help: "clients that are connected to it", align: .trailing) {
            .integer($0.connections)
        },
        Field("lag", "LAG", help: "changes that it has not sent yet", align: .trailing) { .integer($0.lag) },
        Field("draining", "DRAINING", help: "whether it sends its clients away") { .bool($0.isDraining) },
        Field("seen_at", "SEEN", help: "when it said last that it is there") { .instant($0.seenAt) },
    ]

    private static let instances = Command(
        "instances", summary: "list the running servers of the database",
        examples: [
            Example("hub notes server instances", "with their clients"),
            Example("hub notes server instances --json=name,host", "for a script"),
        ], fields: instanceFields
    ) { (notes: NotesPlugin, _: Input) in
        try notes.useServerStore()
        return .list(try await notes.serverInstances(), instanceFields, empty: Diagnostic("No server is running"))
    }

    private static let instance = Argument<String>("SERVER", help: "beginning of its name, or the name of its machine")

    private static let drain = Command(
        "drain", summary: "let a server of the database send its clients away",
        discussion: [
            "It takes no new WebSockets, /readyz says 503, and after plugins.notes.server.drain_seconds the clients are told "
                + "to connect elsewhere. It goes on answering requests, until it is stopped. SIGTERM does the same and then "
                + "ends the server."
        ],
        examples: [
            Example("hub notes server drain web1", "the one on this machine"),
            Example("hub notes server drain 7kt", "by its name"),
        ], parameters: [instance], changes: true
    ) { (notes: NotesPlugin, input: Input) in
        try notes.useServerStore()
        if input.dryRun { return .done("Would drain \(TerminalSanitizer.line(input[instance]))") }
        let drained = try await notes.drainInstance(input[instance])
        return .done("Told \(TerminalSanitizer.line(drained.host)) to drain; it looks every 5 seconds")
    }

    // MARK: Audit

    private static let about = Option<String>(
        "of", "NAME", help: "only what this account did, or was done to it or the note with this id")
    private static let entries = Option<Int>(
        "limit", "N", in: 1...NotesPlugin.maximumAuditCount, help: "number of entries (default: 100)")

    private static let auditFields: [Field<AuditEntry>] = [
        Field("at", "TIME", help: "when it was done") { .instant($0.at) },
        Field("person", "ACCOUNT", help: "who did it; empty for a command here") { .text($0.person) },
        Field("action", "ACTION", help: AuditEntry.Action.allCases.map(\.rawValue).joined(separator: ", ")) {
            .text($0.action.rawValue)
        },
        Field("subject", "SUBJECT", help: "the account or the id of the note") { .text($0.subject) },
        Field("detail", "DETAIL", help: "what changed; of access, +NAME, -NAME, and ~NAME for reading only") {
            .text($0.detail)
        },
    ]

    private static let audit = Command(
        "audit", summary: "list who did what at the notes server",
        discussion: [
            "Logins, refused tokens, invitations, removed accounts, changed access, requests for it and deletions are recorded, "
                + "the newest \(NumberFormat.grouped(AuditEntry.maximumCount)) of \(AuditEntry.days) days. A login is the first use "
                + "of an invitation within an hour."
        ],
        examples: [
            Example("hub notes server audit", "the latest entries"),
            Example("hub notes server audit --of maria", "of one account"),
        ], parameters: [about, entries], fields: auditFields
    ) { (notes: NotesPlugin, input: Input) in
        try notes.useServerStore()
        return .list(
            try await notes.serverAudit(of: input[about], limit: input[entries] ?? 100), auditFields,
            empty: Diagnostic("No entries"))
    }

    // MARK: Migration

    private static let source = Option<String>(
        "from", "STORE", help: "sqlite, or the URL of a PostgreSQL database")
    private static let target = Option<String>(
        "to", "STORE", help: "the store that gets everything, written in the same way")

    private static let reportFields: [Field<MigrationReport>] = [
        Field("from", "FROM", help: "the old store") { .text($0.from) },
        Field("to", "TO", help: "the new store") { .text($0.to) },
        Field("copied", "COPIED", help: "notes that were copied") { .integer($0.copied) },
        Field("unchanged", "UNCHANGED", help: "notes that were there already") { .integer($0.unchanged) },
        Field("merged", "MERGED", help: "copied notes that had other edits there, which are kept") {
            .integer($0.merged)
        },
        Field("tokens", "INVITATIONS", help: "invitations of accounts") { .integer($0.tokens) },
        Field("contents", "CONTENTS", help: "contents of attachments that were copied") { .integer($0.contents) },
        Field("missing_contents", "MISSING", help: "attachments whose content the old store lacks") {
            .integer($0.missingContents)
        },
        Field("digest", "DIGEST", help: "SHA-256 of all notes that were compared", column: .onRequest) {
            .text($0.digest)
        },
    ]

    private static let migrate = Command(
        "migrate", summary: "copy everything the notes server has to another store",
        discussion: [
            "Notes, attachments, accounts and requests for access are copied, and each note is read back and compared. What is there "
                + "already stays, so the same command goes on after an interruption. Run it while the server runs, then "
                + "stop the server and run it again; start the server with the new store when nothing was copied."
        ],
        examples: [
            Example("hub notes server migrate --from sqlite --to postgres:///hub", "from this machine"),
            Example("hub notes server migrate --from postgres:///hub --to sqlite", "and back"),
        ], parameters: [source, target], fields: reportFields, changes: true
    ) { (notes: NotesPlugin, input: Input) in
        guard let from = input[source], let to = input[target] else {
            throw HubError(
                .usage, code: "store-missing", "both stores must be named",
                hint: "hub notes server migrate --from sqlite --to postgres:///hub")
        }
        if input.dryRun { return .done("Would copy the served notes") }
        return .record(
            try await notes.migrate(from: from, to: to, operation: Operation(input)), reportFields)
    }

    // MARK: Accounts

    private static let name = Argument<String>("NAME", help: "name of the account, used to share notes with it")

    private static let users = Command(
        group: "users", aliases: ["user"], summary: "manage the accounts of the notes server",
        examples: [
            Example("hub notes server users", "all accounts"),
            Example("hub notes server users invite maria", "print an invitation for maria"),
        ], view: "list", subcommands: [list, invite, limit, remove])

    private static let fields: [Field<ServerAccount>] = [
        Field("name", "NAME", help: "name of the account") { .text($0.name) },
        Field("tokens", "TOKENS", help: "number of invitations", align: .trailing) { .integer($0.tokens) },
        Field("created_at", "CREATED", help: "time of the first invitation", column: .ifRoom(1)) {
            .instant($0.createdAt)
        },
        Field("used_at", "USED", help: "time of the last use, to the hour", column: .ifRoom(2)) {
            $0.usedAt.map { .instant($0) } ?? .null
        },
        Field("notes", "NOTES", help: "notes that it owns, those in the trash too", align: .trailing) {
            .integer($0.usage.notes)
        },
        Field("texts", "TEXTS", help: "bytes that their texts take with all edits", align: .trailing) {
            .integer($0.usage.texts)
        },
        Field("attachments", "ATTACHMENTS", help: "bytes of their attachments", align: .trailing) {
            .integer($0.usage.attachments)
        },
        Field("max_notes", "MAX NOTES", help: "limit of its own; without one, that of the settings", column: .onRequest)
        {
            count($0.limits?.notes)
        },
        Field("max_texts", "MAX TEXTS", help: "limit of its own in bytes", column: .onRequest) {
            count($0.limits?.texts)
        },
        Field("max_attachments", "MAX ATTACHMENTS", help: "limit of its own in bytes", column: .onRequest) {
            count($0.limits?.attachments)
        },
    ]

    private static let list = Command(
        "list", summary: "list the accounts",
        examples: [
            Example("hub notes server users list", "by name"),
            Example("hub notes server users list --json=name", "for a script"),
        ], fields: fields
    ) { (notes: NotesPlugin, _: Input) in
        try notes.useServerStore()
        return .list(
            try await notes.serverAccounts(), fields,
            empty: Diagnostic(
                "No accounts", suggestions: [Example("hub notes server users invite maria", "create the first one")]))
    }

    private static let invite = Command(
        "invite", summary: "create an account, or another token for one",
        discussion: [
            "Use the printed line with hub notes servers add on the other machine. Send it over a secure channel: it is a "
                + "password. hub stores only its hash, so it cannot be shown again.",
            "An account with your own name (the setting plugins.notes.name) has access to your shared notes.",
        ],
        examples: [
            Example("hub notes server users invite maria", "for maria"),
            Example("hub notes server users invite me", "for your own second machine"),
        ], parameters: [name], changes: true
    ) { (notes: NotesPlugin, input: Input) in
        try notes.useServerStore()
        if input.dryRun { return .done("Would invite \(TerminalSanitizer.line(input[name]))") }
        let invitation = try await notes.invite(input[name], operation: Operation(input))
        var output = Output.text([invitation.text])
        if invitation.url.hasPrefix("http://"), notes.serverSettings.isLoopback {
            output.notes.append(
                .warning(
                    "other machines cannot reach \(invitation.url)", code: "server-local",
                    hint: "set plugins.notes.server.address, certificate, key and names first"))
        }
        return output
    }

    private static let noteLimit = Option<Int>("notes", "N", in: 0...1_000_000_000, help: "most notes it may own")
    private static let textLimit = Option<Int>(
        "texts", "MB", in: 0...1_000_000_000, help: "most MB that their texts may take")
    private static let attachmentLimit = Option<Int>(
        "attachments", "MB", in: 0...1_000_000_000, help: "most MB of attachments")

    private static let limit = Command(
        "limit", summary: "set the limits of an account",
        discussion: [
            "What is not given has no limit. Without any option the account has the limits of the settings again: "
                + "plugins.notes.server.max_notes, max_texts_mb and max_attachments_mb.",
            "An account at a limit keeps everything and can delete; what would add more is refused. Notes count for "
                + "their owner, also what others write into them.",
        ],
        examples: [
            Example("hub notes server users limit maria --notes 1000 --attachments 500", "two limits"),
            Example("hub notes server users limit maria", "those of the settings"),
        ], parameters: [name, noteLimit, textLimit, attachmentLimit], changes: true
    ) { (notes: NotesPlugin, input: Input) in
        try notes.useServerStore()
        let limits = AccountLimits(
            notes: input[noteLimit], texts: input[textLimit].map { $0 * ServerSettings.megabyte },
            attachments: input[attachmentLimit].map { $0 * ServerSettings.megabyte })
        let account = TerminalSanitizer.line(input[name])
        if input.dryRun { return .done("Would set the limits of \(account)") }
        try await notes.setLimits(limits.isEmpty ? nil : limits, of: input[name], operation: Operation(input))
        return .done("Set the limits of \(account)")
    }

    private static let remove = Command(
        "rm", summary: "remove an account",
        discussion: ["Its connections are closed. Its notes and access are kept in case it is invited again."],
        examples: [
            Example("hub notes server users rm maria", "all tokens of maria"),
            Example("hub notes server users rm maria --dry-run", "only show what would be removed"),
        ], parameters: [name], changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let name = TerminalSanitizer.line(input[name])
        try notes.useServerStore()
        if input.dryRun { return .done("Would remove the account \(name)") }
        try await notes.removeAccount(input[ServerCommands.name], operation: Operation(input))
        return .done("Removed the account \(name)")
    }
}
