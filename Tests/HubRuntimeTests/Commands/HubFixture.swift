import CivilDate
import Contacts
import Glibc
import HubKit
import Synchronization
import TestSupport

@testable import HubRuntime

/// The whole hub with contacts, over a store in a folder that is gone with the value.
///
/// Each line is run as a process would run it: by a hub of its own that is closed afterwards. Events stay where they
/// are, for their delivery has tests of its own.
final class HubFixture: Sendable {
    let folder: TemporaryFolder
    let clock = SetClock()
    private let environment: ProcessEnvironment

    init() throws {
        folder = try TemporaryFolder()
        let home = folder.path
        environment = ProcessEnvironment(
            arguments: [],
            variables: [
                "HOME": home, "HUB_NO_PAGER": "1", "XDG_RUNTIME_DIR": home + "/run", "LC_ALL": "C.UTF-8", "TZ": "UTC",
            ], home: home)
    }

    /// The tree of all commands.
    static let root = RootCommand.make([ContactsPlugin.self], width: 80) { [] }

    /// Runs `hub` with the words of `line`.
    func run(_ line: String, console: ScriptedConsole = ScriptedConsole()) async -> SampleHub.Run {
        let (output, messages) = (MemorySink(), MemorySink())
        let hub = hub()
        let runner = CommandRunner(
            root: Self.root,
            environment: CommandRunner.Environment(
                variables: environment.variables,
                profile: TerminalProfile(
                    outputIsTerminal: true, errorIsTerminal: true, width: 100, environmentColor: false),
                output: output, messages: messages, clock: clock, zone: .utc, console: console),
            makeHost: { _ in hub })
        let exit = await runner.run(ShellWords.split(line) ?? [])
        await hub.openedDatabase?.close()
        return SampleHub.Run(output: output.text, messages: messages.text, exit: exit)
    }

    /// Returns the output of `lines`, typed a minute apart. Ids, which are random, become `xxx`.
    func transcript(_ lines: String...) async -> String {
        var shown = ""
        for line in lines {
            shown += await transcript(line, console: ScriptedConsole())
            clock.advance(by: .seconds(60))
        }
        return shown
    }

    /// Returns the output of `line` with scripted answers.
    func transcript(_ line: String, console: ScriptedConsole) async -> String {
        let run = await run(line, console: console)
        let asked = console.transcript.map { $0 + "\n" }.joined()
        return alike("$ hub \(line)\n\(asked)\(run.output)\(run.messages)= \(run.exit)\n")
    }

    /// A hub over the store, as a new process makes it.
    func hub() -> Hub {
        Hub(
            plugins: [ContactsPlugin.self], environment: environment, clock: clock,
            log: Log(label: "test") { _, _, _ in })
    }

    /// The text with every id as `xxx` and the folder of the test as `~`.
    private func alike(_ text: String) -> String {
        text.replacing(folder.path, with: "~").split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.replacing(/\b[0-9][a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]+\b(  +)?/) { "xxx" + ($0.1 == nil ? "" : "  ") }
                .replacing(/^ID  +/) { _ in "ID   " }.replacing(/^REF  +/) { _ in "REF           " }
        }.joined(separator: "\n")
    }
}

/// A clock that is stopped at noon of Friday, 20 November 2026, UTC, until it is set. It does not support sleeping.
final class SetClock: Clock {
    private let moment = Mutex(Instant(milliseconds: 1_795_176_000_000))

    var now: Instant { moment.withLock { $0 } }
    var monotonicNow: Duration { .milliseconds(now.milliseconds) }

    var today: CivilDate { TimeZoneRules.utc.localTime(at: now).day }

    /// Moves the clock on.
    func advance(by duration: Duration) { moment.withLock { $0 = $0 + duration } }

    func sleep(for duration: Duration) async throws { try await Task.sleep(for: .seconds(3600)) }
}
