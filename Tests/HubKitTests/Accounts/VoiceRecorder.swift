import Commands
import HubKit
import SQLite
import Storage
import Sync
import Synchronization

/// A toy: a voice recorder that is sometimes near. It has an identifier, no URL and no password.
struct VoiceRecorder: AccountPlugin {
    let accounts: AccountManager<VoiceRecorderAccounts>
    let log: Log

    init(context: Context) { self.init(context, Device()) }

    init(_ context: Context, _ device: Device) {
        accounts = AccountManager(context, VoiceRecorderAccounts(store: context.store, device: device))
        log = context.log
    }

    static let itemFields = [Field<Int>("battery", "BATTERY", help: "battery in per cent") { .integer($0) }]
    static func line(_ battery: Int) -> String { "battery \(battery) %" }

    static let descriptor = PluginDescriptor(
        id: "recorder", title: "Recorder", summary: "recordings", content: "recordings",
        firstStep: "hub recorder accounts", configKeys: VoiceRecorderAccounts.kind.keys.all,
        schema: PluginSchema(
            owner: "recorder",
            migrations: [
                Migration("0001-files", "CREATE TABLE recorder_file (name TEXT PRIMARY KEY, kb INTEGER) STRICT;"),
                .syncLog("0002-sync-log", of: "recorder"),
            ]),
        command: Command(
            group: "recorder", summary: "recordings",
            subcommands: [
                AccountCommands<VoiceRecorder>.accounts, AccountCommands<VoiceRecorder>.sync,
                AccountCommands<VoiceRecorder>.status,
            ]),
        services: [.accounts(of: VoiceRecorder.self)],
        providers: Providers(sync: .accounts(of: VoiceRecorder.self), status: .accounts(of: VoiceRecorder.self)))
}

struct VoiceRecorderAccounts: AccountBackend {
    static let kind = AccountKind(
        plugin: "recorder", things: "recordings",
        addresses: AccountAddresses(
            key: "device", "DEVICE", help: "number of the recorder", description: "a number of four digits",
            examples: "0042",
            identify: { text in
                let digits = text.filter { $0 != "-" }
                return digits.count == 4 && digits.allSatisfy(\.isNumber) ? digits : nil
            }),
        secret: nil, interval: .seconds(60), isIntermittent: true, unit: "kB",
        texts: AccountTexts(
            accounts: "recorders", add: ("connect a recorder", "", []), edit: Example("hub recorder", ""),
            remove: "Recordings are kept.", found: ("recorder", "recorders"), sync: ("fetch recordings", ""),
            firstSteps: []))

    let store: Store
    let device: Device

    func connect(to account: Account, password: String?, isBrief: Bool) throws -> Device {
        guard device.isNear else { throw RemoteError.unreachable(reason: "\(account.place) is not near") }
        return device
    }

    func discover(_ account: Account, over connection: Device) async throws -> [Int] { [72] }

    func sync(
        _ account: Account, over connection: Device, _ request: SyncRequest, into report: inout SyncReport<SyncNotes>
    ) async throws {
        var done = 0
        for (name, kilobytes) in connection.files {
            for part in stride(from: 100, through: kilobytes, by: 100) { request.progress(done + part, nil) }
            done += kilobytes
            report.run.received.new += try await store.write(request.operation) {
                try $0.run("INSERT INTO recorder_file VALUES (?, ?) ON CONFLICT DO NOTHING", name, kilobytes)
            }
        }
    }
}

/// The recorder of a toy.
final class Device: Sendable {
    private let state = Mutex((isNear: true, files: [("1.wav", 300)]))

    var isNear: Bool { state.withLock(\.isNear) }
    var files: [(String, Int)] { state.withLock(\.files) }

    func move(near: Bool) { state.withLock { $0.isNear = near } }
    func record(_ name: String) { state.withLock { $0.files.append((name, 200)) } }
}

/// A toy: a price provider with an API key, and nothing to sync.
struct Prices: AccountPlugin {
    struct Accounts: AccountBackend {
        static let kind = AccountKind(
            plugin: "prices", things: "prices",
            addresses: AccountAddresses(
                key: "provider", "PROVIDER", help: "name of the provider", description: "gecko or paprika",
                examples: "gecko", identify: { ["gecko", "paprika"].contains($0) ? $0 : nil }),
            secret: .key, interval: nil, unit: "prices",
            texts: AccountTexts(
                accounts: "providers", add: ("connect a provider", "", []), edit: Example("hub prices", ""), remove: "",
                found: ("plan", "plans"), sync: ("test all providers", ""), firstSteps: []))

        func connect(to account: Account, password: String?, isBrief: Bool) throws -> String { password ?? "" }

        func discover(_ account: Account, over key: String) async throws -> [String] {
            if key != "k1" { throw RemoteError.denied(reason: "unknown key") }
            return ["free"]
        }
    }

    let accounts: AccountManager<Accounts>
    let log: Log

    init(context: Context) {
        accounts = AccountManager(context, Accounts())
        log = context.log
    }

    static let itemFields = [Field<String>("plan", "PLAN", help: "plan of the key") { .text($0) }]
    static func line(_ plan: String) -> String { plan }

    static let descriptor = PluginDescriptor(
        id: "prices", title: "Prices", summary: "prices", content: "prices", firstStep: "hub prices accounts",
        configKeys: Accounts.kind.keys.all,
        schema: PluginSchema(owner: "prices", migrations: [.syncLog("0001-sync-log", of: "prices")]),
        command: Command(
            group: "prices", summary: "prices",
            subcommands: [
                AccountCommands<Prices>.accounts, AccountCommands<Prices>.sync, AccountCommands<Prices>.status,
            ]), providers: Providers(sync: .accounts(of: Prices.self), status: .accounts(of: Prices.self)))
}
