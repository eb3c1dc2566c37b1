import Commands
import HubKit
import HubKitTesting
import HubRuntime
import HubRuntimeTesting
import Storage
import Sync
import TestSupport
import Testing

// example
struct Scales: AccountBackend {
    static let kind = AccountKind(
        plugin: "scales", things: "weights",
        addresses: AccountAddresses(
            key: "scale", "SCALE", help: "number of the scale", description: "a number", examples: "42",
            identify: { Int($0).map(String.init) }),
        secret: .key, unit: "weights",
        // The owner of a scale sends a line such as `scale:42:secret`.
        invitation: { line in
            let parts = line.split(separator: ":").map(String.init)
            guard parts.count == 3, parts[0] == "scale" else { return nil }
            return AccountInvitation(address: parts[1], user: "", secret: parts[2])
        },
        texts: AccountTexts(
            accounts: "manage scales", add: ("connect a scale", "", firstSteps),
            edit: Example("hub scales accounts edit desk --every 1h", "sync less often"), remove: "Weights are kept.",
            found: ("weight", "weights"), sync: ("fetch weights", ""), firstSteps: firstSteps))
    private static let firstSteps = [Example("hub scales accounts add desk 42", "asks for the key")]

    /// The results of a sync besides its counts.
    struct Heaviest: SyncDetails {
        var grams = 0

        init() {}
    }

    func connect(to account: Account, password: String?, isBrief: Bool) throws -> [Int] {
        if password != "secret" { throw RemoteError.denied(reason: "wrong key") }
        return [300, 500]
    }

    func discover(_ account: Account, over weights: [Int]) async throws -> [Int] { weights }

    func sync(
        _ account: Account, over weights: [Int], _ request: SyncRequest, into report: inout SyncReport<Heaviest>
    ) async throws {
        report.run.received.new += weights.count
        report.grams = weights.max() ?? 0
    }
}
// end

// example
struct ScalesPlugin: AccountPlugin {
    typealias Status = AccountStatus<NoAccountDetails>

    let accounts: AccountManager<Scales>
    let log: Log

    init(context: Context) {
        accounts = AccountManager(context, Scales())
        log = context.log
    }

    static let itemFields = [Field<Int>("grams", "GRAMS", help: "weight in grams") { .integer($0) }]
    static func line(_ grams: Int) -> String { "\(grams) g" }

    /// A column of `accounts list` and `status`.
    static let accountColumns = [
        Field<Status>("number", "NUMBER", help: "number of the scale") { .text($0.setup.account.place) }
    ]

    /// What `accounts add` says of what it found, and the command that comes next.
    static func summary(of weights: [Int], in account: Account) -> AccountSummary {
        AccountSummary("\(weights.count) weights", lines: weights.map { "  \($0) g" }, next: "status")
    }

    /// What `sync` says beside the counts.
    func notes(on report: SyncReport<Scales.Heaviest>) async throws -> [Diagnostic] {
        [Diagnostic("the heaviest weighs \(report.grams) g")]
    }
}
// end

extension ScalesPlugin {
    // example
    /// What `hub sync --explain scales:ID` says of the weights whose ids begin so.
    func explain(_ prefix: String) async throws -> [ItemExplanation] {
        try numbers().filter { $0.hasPrefix(prefix) }.map { number in
            var item = AccountItem(
                "its weights", in: "", of: "scale \(number)", link: RemoteEntry(href: number, etag: "7"), SyncPolicy())
            item.there = ["500 g"]
            // It is taken from there, since it was changed there.
            return item.explanation
        }
    }
    // end

    // example
    /// The numbers of the scales in the config file, without connecting to any.
    func numbers() throws -> [String] {
        let registry: AccountRegistry = accounts.registry
        let configured: [ConfiguredAccount] = try registry.accounts()
        return configured.map(\.account.place)
    }
    // end

    static let descriptor = PluginDescriptor(
        id: "scales", title: "Scales", summary: "weights", content: "weights", firstStep: "hub scales accounts",
        schema: PluginSchema(owner: "scales", migrations: [.syncLog("0001-sync-log", of: "scales")]),
        command: Command(group: "scales", summary: "weights", subcommands: AccountCommands<ScalesPlugin>.all),
        accounts: AccountDeclaration(of: ScalesPlugin.self))
}

/// Accounts with words and results of their own.
struct AccountExamples {
    private let hub: TestHub

    init() throws { hub = try TestHub(ScalesPlugin.self) }

    @Test func `an account is added, synced and listed in the plugin's words`() async throws {
        let key = try hub.folder.write("secret\n", to: "key")
        let added = await hub.run("scales accounts add desk 42 --key-file \(key)")
        #expect(added.all.contains("2 weights") && added.all.contains("300 g"), "\(added.all)")
        #expect(await hub.run("scales sync").all.contains("the heaviest weighs 500 g"))
        #expect(await hub.run("scales accounts list --plain=name,number").output == "desk\t42\n")
        let host = hub.hub()
        #expect(try host.plugin(ScalesPlugin.self).numbers() == ["42"])
        await host.openedDatabase?.close()
    }
}
