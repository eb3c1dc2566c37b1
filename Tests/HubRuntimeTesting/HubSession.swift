package import Commands
import Glibc
package import HubKit
import HubKitTesting
import Synchronization

@testable package import HubRuntime

/// Command lines that run in the process of the test, over one hub that is opened once.
///
/// It is for what commands do. What belongs to a process is not here: descriptors, signals, a working directory (so paths
/// must be absolute), aliases, and programs beside hub.
package final class HubSession: Sendable {
    private let root: Command
    private let environment: ProcessEnvironment
    private let clock: any Clock
    private let makeHub: @Sendable (ParameterValues) -> Hub
    private let hub = Mutex<Hub?>(nil)

    /// Keeps the libraries that `hub doctor` looks for, which the loader would otherwise load and unload for each doctor.
    private static let libraries: Void = {
        for library in Library.all { if let soname = library.soname { dlopen(soname, RTLD_LAZY | RTLD_LOCAL) } }
    }()

    /// `makeHub` makes the hub of all lines from the options of the first that needs one.
    package init(
        root: Command, environment: ProcessEnvironment, clock: any Clock,
        makeHub: @escaping @Sendable (ParameterValues) -> Hub
    ) {
        self.root = root
        self.environment = environment
        self.clock = clock
        self.makeHub = makeHub
        Self.libraries
    }

    /// A session of the whole hub with `plugins`, as a process with `environment` has it.
    package convenience init(_ plugins: [any Plugin.Type], environment: ProcessEnvironment, clock: any Clock) {
        self.init(root: TestHub.root(plugins), environment: environment, clock: clock) { options in
            Hub(
                plugins: plugins, environment: environment, options: options, clock: clock,
                log: Log(label: "test") { _, _, _ in })
        }
    }

    /// Runs `hub` with these words. Without a console it asks and answers nothing, as in a pipe.
    package func run(
        _ arguments: [String], profile: TerminalProfile = TerminalProfile(),
        console: (any Console)? = ScriptedConsole(isShown: false)
    ) async -> TestHub.Run {
        let (output, messages) = (MemorySink(), MemorySink())
        let runner = CommandRunner(
            root: root,
            environment: CommandRunner.Environment(
                variables: environment.variables, profile: profile, output: output, messages: messages, clock: clock,
                zone: .utc, console: console),
            warnings: { ($0 as? Hub)?.configWarnings ?? [] },
            makeHost: { [self] in hub(of: $0) })
        let exit = await runner.run(arguments)
        return TestHub.Run(output: output.text, messages: messages.text, exit: exit)
    }

    private func hub(of options: ParameterValues) -> Hub {
        hub.withLock { hub in
            let made = hub ?? makeHub(options)
            hub = made
            return made
        }
    }

    /// Ends it as a process ends: what is due is done, events are delivered, and the store is closed.
    package func finish() async {
        await hub.withLock { $0 }?.finish()
        hub.withLock { $0 = nil }
    }
}
