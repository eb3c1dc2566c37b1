import CivilDate
import FoundationEssentials
import Glibc
import HubKit
import Mintee
import Synchronization
import TestSupport
import Testing

@testable import HubRuntime

/// The whole hub with Mintee alone, over a store in a folder that is gone with the value. Each line runs as a process of
/// its own would run it.
final class MinteeHub: Sendable {
    private let home: TemporaryFolder
    var folder: String { home.path }
    let clock: SetClock
    let environment: ProcessEnvironment

    init() throws {
        home = try TemporaryFolder()
        clock = SetClock()
        environment = ProcessEnvironment(
            arguments: [],
            variables: [
                "HOME": home.path, "HUB_NO_PAGER": "1", "XDG_RUNTIME_DIR": home.path + "/run", "LC_ALL": "C.UTF-8",
                "TZ": "UTC",
            ],
            home: home.path)
    }

    /// The output and exit code of a command line.
    struct Run {
        var output: String
        var messages: String
        var exit: Int32
        /// Both streams.
        var all: String { output + messages }
    }

    private static let root = RootCommand.make([MinteePlugin.self], width: 80) { [] }

    /// The tree of all commands, for their own checks.
    static var commands: Command { root }

    /// Runs `hub mintee` with the words of `line`.
    @discardableResult
    func run(
        _ line: String, width: Int = 100, console: ScriptedConsole = ScriptedConsole()
    ) async -> Run {
        let (output, messages) = (MemorySink(), MemorySink())
        let hub = Hub(
            plugins: [MinteePlugin.self], environment: environment, clock: clock,
            log: Log(label: "test") { _, _, _ in })
        let runner = CommandRunner(
            root: Self.root,
            environment: CommandRunner.Environment(
                variables: environment.variables,
                profile: TerminalProfile(
                    outputIsTerminal: true, errorIsTerminal: true, width: width, environmentColor: false),
                output: output, messages: messages, clock: clock, zone: .utc, console: console),
            makeHost: { _ in hub })
        let exit = await runner.run(ShellWords.split(line) ?? [])
        await hub.openedDatabase?.close()
        return Run(output: output.text, messages: messages.text, exit: exit)
    }

    /// The output of `line`, with every id as `xxx`.
    func shown(_ line: String, width: Int = 100, answers: [String]? = nil) async -> String {
        let run = await run(line, width: width, console: ScriptedConsole(answers: answers))
        return run.all.replacing(/\b(?!(?:1st|2nd|3rd|4th)\b)[0-9][a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]+\b/) { _ in "xxx" }
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                // Ids are as long as they must be; the column after them is set alike.
                line.replacing(/^(ID|xxx)  +/) { $0.1 == "ID" ? "ID   " : "xxx  " }
            }.joined(separator: "\n")
    }
}

/// A clock set to noon of Friday, 20 November 2026, UTC, until it is set.
final class SetClock: Clock {
    private let moment = Mutex(Instant(milliseconds: 1_795_176_000_000))

    var now: Instant { moment.withLock { $0 } }
    var monotonicNow: Duration { .milliseconds(now.milliseconds) }

    var today: CivilDate { TimeZoneRules.utc.localTime(at: now).day }

    /// Moves the clock on, or back.
    func advance(by duration: Duration) { moment.withLock { $0 = $0 + duration } }

    func sleep(for duration: Duration) async throws { try await Task.sleep(for: .seconds(3600)) }
}
