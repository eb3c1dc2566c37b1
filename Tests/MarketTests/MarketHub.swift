import Commands
import FoundationEssentials
import HubKit
import HubKitTesting
import Market
import Storage
import TestSupport
import Testing

@testable import HubRuntime

/// The whole hub with Market alone, over a store in a folder that is gone with the value. Each line runs as a process of its
/// own would run it.
final class MarketHub: Sendable {
    private let home: TemporaryFolder
    let clock: MarketClock
    private let environment: ProcessEnvironment

    var folder: String { home.path }

    /// A hub whose config file has these lines under `[plugins]`; without them it has demo data.
    init(_ config: [String] = [#"market.providers = ["demo"]"#], clock: MarketClock = MarketClock()) throws {
        home = try TemporaryFolder()
        self.clock = clock
        environment = Self.environment(of: home.path)
        try configure(config)
    }

    private static func environment(of home: String) -> ProcessEnvironment {
        ProcessEnvironment(
            arguments: [],
            variables: [
                "HOME": home, "HUB_NO_PAGER": "1", "XDG_RUNTIME_DIR": home + "/run", "LC_ALL": "C.UTF-8", "TZ": "UTC",
                "no_proxy": "*",
            ],
            home: home)
    }

    /// A hub with a copy of the folder of another, at the same time.
    init(copying other: MarketHub) throws {
        home = try TemporaryFolder()
        clock = MarketClock()
        environment = Self.environment(of: home.path)
        for name in try FileManager.default.contentsOfDirectory(atPath: other.folder) {
            try FileManager.default.copyItem(atPath: "\(other.folder)/\(name)", toPath: "\(home.path)/\(name)")
        }
    }

    /// Replaces the config file.
    func configure(_ lines: [String]) throws {
        try FileManager.default.createDirectory(
            atPath: home.path + "/.config/hub", withIntermediateDirectories: true)
        try write("[plugins]\n" + lines.joined(separator: "\n") + "\n", to: ".config/hub/config.toml")
    }

    /// Writes a file of the home folder.
    func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

    /// Writes a file of the home folder.
    func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: home.path + "/" + path))
    }

    /// The output and exit code of a command line.
    struct Run: Sendable {
        var output: String
        var messages: String
        var exit: Int32
        /// Both streams.
        var all: String { output + messages }
    }

    private static let root = RootCommand.make([MarketPlugin.self], width: 80) { [] }

    /// The tree of all commands, for their own checks.
    static var commands: Command { root }

    /// Runs `hub` with the words of `line`.
    @discardableResult
    func run(
        _ line: String, width: Int = 100, console: ScriptedConsole = ScriptedConsole()
    ) async -> Run {
        let (output, messages) = (MemorySink(), MemorySink())
        let hub = host()
        let runner = CommandRunner(
            root: Self.root,
            environment: CommandRunner.Environment(
                variables: environment.variables,
                profile: TerminalProfile(
                    outputIsTerminal: true, errorIsTerminal: true, width: width, environmentColor: false),
                output: output, messages: messages, clock: clock, zone: .utc, console: console),
            makeHost: { _ in hub })
        let exit = await runner.run(ShellWords.split(line) ?? [])
        await hub.deliverEvents()
        await hub.openedDatabase?.close()
        return Run(output: output.text, messages: messages.text, exit: exit)
    }

    private func host() -> Hub {
        Hub(
            plugins: [MarketPlugin.self], environment: environment, clock: clock,
            log: Log(label: "test") { _, _, _ in })
    }

    /// The JSON that a route of the page answers in a process of its own.
    func call(
        _ method: Route.Method, _ pattern: String, _ body: String = "", id: String? = nil,
        query: [String: String] = [:],
        revision: Int? = nil
    ) async throws -> JSONValue {
        let route = try #require(MarketPlugin.descriptor.routes.first { $0.method == method && $0.pattern == pattern })
        let hub = host()
        let request = RouteRequest(
            captures: id.map { ["id": $0] } ?? [:], query: query, ifMatch: revision.map(String.init),
            body: Array(body.utf8),
            operation: Operation("market page"))
        do {
            let answer = try await route.answer(hub, request)
            await hub.openedDatabase?.close()
            switch answer {
            case .output(let output), .page(let output, _), .created(let output, _):
                return try JSONReader.read(try await WebRoute.json(output))
            default: return .null
            }
        } catch {
            await hub.openedDatabase?.close()
            throw error
        }
    }

    /// Runs `body` with the plugin of one process.
    func market<Value: Sendable>(_ body: (MarketPlugin) async throws -> Value) async throws -> Value {
        let hub = host()
        let value: Value
        do { value = try await body(try hub.plugin(MarketPlugin.self)) } catch {
            await hub.openedDatabase?.close()
            throw error
        }
        await hub.openedDatabase?.close()
        return value
    }
}
