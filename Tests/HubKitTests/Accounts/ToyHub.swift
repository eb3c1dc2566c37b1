import Commands
import HubKit
import HubKitTesting
import Storage
import Synchronization
import TestSupport
import Testing

/// A hub with one plugin with accounts, whose commands are run as a user types them.
final class ToyHub<P: AccountPlugin>: PluginHost {
    let plugin: P
    let clock = ManualClock()
    let bus = EventBus()
    let locks: FileLocks
    let secrets = MemorySecrets()
    let settings = MemorySettings(P.Accounts.kind.keys.all, plugin: P.descriptor.id)
    let store: Store
    let folder: TemporaryFolder
    private let logged: Lines

    init(state: String? = nil, _ make: (Context) -> P) throws {
        folder = try TemporaryFolder()
        locks = FileLocks(directory: folder.path, clock: SystemClock())
        let database = Database(at: .memory, plugins: [P.descriptor.schema], clock: clock)
        store = database.store(for: P.descriptor.id)
        let logged = Lines()
        self.logged = logged
        plugin = make(
            .testing(
                store, clock: clock, settings: settings, secrets: secrets, locks: locks, bus: bus,
                state: state ?? folder.path + "/state"
            ) { level, text in
                logged.add("\(level): \(text)")
            })
    }

    func plugin<Plugin: Sendable>(_ type: Plugin.Type) throws -> Plugin { try #require(plugin as? Plugin) }

    /// Runs a command line, and returns its lines for people, each message after `!`.
    @discardableResult
    func run(_ line: String, console: ScriptedConsole = ScriptedConsole()) async throws -> [String] {
        let root = Command(group: "hub", summary: "toys", subcommands: [P.descriptor.command])
        let parsed = try CommandLineParser(root: root, environment: [:]).parse(try #require(ShellWords.split(line)))
        let body = try #require(parsed.command.run)
        let output = try await body(self, parsed.input(console: console))
        var lines = output.human ?? []
        if case .text(let text) = output.body { lines = text }
        return lines + output.notes.map { "! " + $0.text }
    }

    /// The code of the error that a command line fails with.
    func error(_ line: String, console: ScriptedConsole = ScriptedConsole()) async -> String? {
        do {
            try await run(line, console: console)
            return nil
        } catch {
            return (error as? HubError)?.code
        }
    }

    /// Runs one round of the background service.
    func round(hasNews: Bool = false) async throws -> Duration {
        var changed: Set<String> = []
        return try await round(hasNews: hasNews, changed: &changed)
    }

    /// Runs one round of the background service after changes in the folders of these accounts.
    func round(hasNews: Bool = false, changed: inout Set<String>) async throws -> Duration {
        try await plugin.accounts.round(hasNews: hasNews, changed: &changed, log: plugin.log)
    }

    /// The lines of `hub status`.
    func status() async throws -> [StatusLine] {
        let provider = try #require(P.descriptor.providers.status)
        return try await provider.lines(self)
    }

    /// The results of `hub sync`.
    func sync() async throws -> [SyncResult] {
        let root = Command(group: "hub", summary: "toys", subcommands: [P.descriptor.command])
        let parsed = try CommandLineParser(root: root, environment: [:]).parse([P.descriptor.id, "sync"])
        let provider = try #require(P.descriptor.providers.sync)
        return try await provider.sync(self, parsed.input(console: ScriptedConsole()))
    }

    /// What the background service has logged.
    var log: [String] { logged.all.withLock(\.self) }

    /// The lines of the log as they are written.
    var logLines: AsyncStream<String> { logged.stream }

    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        func add(_ line: String) {
            all.withLock { $0.append(line) }
            continuation.yield(line)
        }
    }
}

/// A lock held by another process until it is released.
final class OtherProcess: Sendable {
    private let lock: Mutex<(any Sendable)?>

    init(_ lock: (any Sendable)?) { self.lock = Mutex(lock) }

    func release() { lock.withLock { $0 = nil } }
}
