import Commands
import HubKit
import SQLite
import Storage
import Sync
import Synchronization

/// A toy: notes in the collections of a server, or in one folder.
struct Jots: AccountPlugin {
    let accounts: AccountManager<JotAccounts>
    let log: Log

    init(context: Context) { self.init(context, JotServer()) }

    init(_ context: Context, _ server: JotServer) {
        accounts = AccountManager(context, JotAccounts(store: context.store, server: server))
        log = context.log
    }

    static let itemFields = [Field<String>("name", "COLLECTION", help: "name of the collection") { .text($0) }]
    static func line(_ item: String) -> String { item }

    static let descriptor = PluginDescriptor(
        id: "jots", title: "Jots", summary: "notes", content: "notes", firstStep: "hub jots accounts",
        configKeys: JotAccounts.kind.keys.all,
        schema: PluginSchema(
            owner: "jots",
            migrations: [
                Migration(
                    "0001-items",
                    """
                    CREATE TABLE jots_item (
                        account TEXT, collection TEXT NOT NULL, name TEXT NOT NULL, isSent INTEGER NOT NULL,
                        PRIMARY KEY (collection, name)) STRICT;
                    """), .syncLog("0002-sync-log", of: "jots"),
            ]),
        command: Command(
            group: "jots", summary: "notes",
            subcommands: [AccountCommands<Jots>.accounts, AccountCommands<Jots>.sync, AccountCommands<Jots>.status]),
        services: [.accounts(of: Jots.self)],
        providers: Providers(sync: .accounts(of: Jots.self), status: .accounts(of: Jots.self)))
}

struct JotAccounts: AccountBackend {
    static let kind = AccountKind(
        plugin: "jots", things: "notes",
        addresses: AccountAddresses(
            "URL|DIR", help: "server or folder", description: "a URL or a folder",
            examples: "https://notes.example.org or ~/notes", server: "server", folder: "folder"),
        collections: .many(
            ConfigKey("accounts.*.only", .list(of: .text), default: [], help: "collections to sync"),
            Option("only", "NAME", help: "sync only this collection")),
        unit: "notes",
        texts: AccountTexts(
            accounts: "servers and folders", add: ("connect a server", "", []), edit: Example("hub jots", ""),
            remove: "Notes are kept.", found: ("collection", "collections"), sync: ("sync notes", ""),
            firstSteps: [Example("hub jots accounts add NAME URL", "connect a server")]))

    let store: Store
    let server: JotServer

    struct State: AccountDetails {
        let count: Int
        var amount: String? { "\(count) notes" }
        var kept: String? { "\(count) notes are kept here" }
    }

    func connect(to account: Account, password: String?, isBrief: Bool) throws -> JotServer {
        if account.isServer, password != server.password { throw RemoteError.denied(reason: "401") }
        return server
    }

    func discover(_ account: Account, over connection: JotServer) async throws -> [String] {
        try connection.collections().keys.sorted()
    }

    func sync(
        _ account: Account, over connection: JotServer, _ request: SyncRequest,
        into report: inout SyncReport<SyncNotes>
    ) async throws {
        let all = try connection.collections().filter { account.wants($0.key) }
        let items = all.flatMap { collection, names in names.map { (collection, $0) } }.sorted { $0 < $1 }
        for (index, item) in items.enumerated() {
            let isNew = try await store.write(request.operation) { transaction in
                try transaction.run(
                    "INSERT INTO jots_item VALUES (?, ?, ?, 1) ON CONFLICT DO NOTHING", account.name, item.0, item.1)
            }
            report.run.received.new += isNew
            request.progress(index + 1, items.count)
        }
        let unsent = try await store.read {
            try $0.rows("SELECT collection, name FROM jots_item WHERE isSent = 0") { ($0.text(0), $0.text(1)) }
        }
        for item in unsent {
            guard try await request.confirm("\(item.1) would be sent") else {
                report.notes.append(.warning("\(item.1) was not sent"))
                report.run.problems += 1
                continue
            }
            connection.put(item.1, in: item.0)
            report.run.sent.new += 1
        }
        if report.run.sent.new > 0 {
            try await store.write(request.operation) { try $0.run("UPDATE jots_item SET isSent = 1") }
        }
    }

    func hasPendingChanges(for account: Account, in transaction: Transaction) throws -> Bool {
        try transaction.row("SELECT 1 FROM jots_item WHERE isSent = 0") { $0.int(0) } != nil
    }

    func state(of account: Account, in transaction: Transaction) throws -> State {
        State(count: try transaction.row("SELECT count(*) FROM jots_item") { $0.int(0) } ?? 0)
    }
}

/// The server of a toy.
final class JotServer: Sendable {
    private struct State {
        var collections = ["Home": ["tea"], "Work": ["plan", "list"]]
        var failure: RemoteError?
    }

    let password = "secret"
    private let state = Mutex(State())

    func collections() throws(RemoteError) -> [String: [String]] {
        let state = state.withLock(\.self)
        if let failure = state.failure { throw failure }
        return state.collections
    }

    func put(_ name: String, in collection: String) {
        state.withLock { $0.collections[collection, default: []].append(name) }
    }
    func fail(_ error: RemoteError?) { state.withLock { $0.failure = error } }
}
