import HubKitTesting
import Notes
import Storage
import TestSupport
import Testing

@testable import HubRuntime

/// The whole hub with Notes alone, over a store in a folder that is gone with the value. Each line runs as a process of
/// its own would run it.
final class NotesHub: Sendable {
    private let home: TemporaryFolder
    var folder: String { home.path }
    let clock = StillClock()
    let environment: ProcessEnvironment

    /// `variables` are more variables of the environment.
    init(_ variables: [String: String] = [:]) throws {
        home = try TemporaryFolder()
        environment = ProcessEnvironment(
            arguments: [],
            variables: [
                "HOME": home.path, "HUB_NO_PAGER": "1", "XDG_RUNTIME_DIR": home.path + "/run", "LC_ALL": "C.UTF-8",
                "TZ": "UTC",
            ].merging(variables) { $1 },
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

    /// The tree of all commands.
    static let commands = RootCommand.make([NotesPlugin.self], width: 80) { [] }

    /// Runs `hub` with the words of `line`.
    @discardableResult
    func run(
        _ line: String, width: Int = 80, isTerminal: Bool = true, console: ScriptedConsole = ScriptedConsole()
    ) async -> Run {
        let (output, messages) = (MemorySink(), MemorySink())
        let hub = Hub(
            plugins: [NotesPlugin.self], environment: environment, clock: clock,
            log: Log(label: "test") { _, _, _ in })
        let runner = CommandRunner(
            root: Self.commands,
            environment: CommandRunner.Environment(
                variables: environment.variables,
                profile: TerminalProfile(
                    outputIsTerminal: isTerminal, errorIsTerminal: true, width: width, environmentColor: false),
                output: output, messages: messages, clock: clock, zone: .utc, console: console),
            makeHost: { _ in hub })
        let exit = await runner.run(ShellWords.split(line) ?? [])
        await hub.openedDatabase?.close()
        return Run(output: output.text, messages: messages.text, exit: exit)
    }

    /// The output of `line`, with every id as `xxx`.
    func shown(_ line: String, width: Int = 80, console: ScriptedConsole = ScriptedConsole()) async -> String {
        await run(line, width: width, console: console).all
            .replacing(/\b[0-9][a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]+\b/) { _ in "xxx" }
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.replacing(/^(ID|xxx)  +/) { $0.1 == "ID" ? "ID   " : "xxx  " } }.joined(separator: "\n")
    }
}
