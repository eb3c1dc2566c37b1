import CSystem
import Commands
import Glibc
package import HubKit
import Synchronization

/// The program from its first word to its exit code.
package enum Program {
    /// Runs the command line of this process with the built-in `plugins`, and returns the exit code.
    package static func run(_ plugins: [any Plugin.Type]) async -> Int32 {
        system_report_crashes()
        let environment = ProcessEnvironment.current()
        if let line = VersionCommand.line(for: environment),
            (try? DescriptorSink.standardOutput.write(Array("\(line)\n".utf8))) != nil
        {
            return 0
        }
        if lasting.isDisjoint(with: environment.arguments) { system_prepare_short_run() }
        let clock = SystemClock()
        let profile = TerminalProfile.current(environment: environment.variables)
        let running = Running()
        let root = RootCommand.make(
            plugins, width: profile.outputIsTerminal ? profile.width : 80,
            externals: { ExternalCommand.names(in: environment) }, notes: { notes(plugins, environment) },
            disabled: { disabled(plugins, environment) })
        let runner = CommandRunner(
            root: root,
            environment: CommandRunner.Environment(
                variables: environment.variables, profile: profile, output: DescriptorSink.standardOutput,
                messages: DescriptorSink.standardError, clock: clock),
            helpNotes: { notes(plugins, environment) },
            disabledPlugins: { disabled(plugins, environment) },
            expand: { try expand($0, root, plugins, environment) },
            warnings: { ($0 as? Hub)?.configWarnings ?? [] },
            changes: { host in
                guard let hub = host as? Hub else { return [] }
                return await OperationItems(hub).changesMade()
            },
            context: {
                Hub(plugins: plugins, environment: environment, options: $0, log: .standardError(isVerbose: false))
                    .context
            },
            otherCommands: { otherCommands(plugins, environment) },
            keep: { output in rest.withLock { $0.append(output) } },
            makeHost: { options in
                let hub = Hub(
                    plugins: plugins, environment: environment, options: options, clock: clock,
                    log: .standardError(
                        isVerbose: options[GlobalOptions.verbose], isQuiet: options[GlobalOptions.quiet]))
                running.hub.withLock { $0 = hub }
                return hub
            })
        let code = await runner.run(environment.arguments)
        await running.hub.withLock { $0 }?.finish()
        rest.withLock { $0 += [runner, running] as [any Sendable] }
        return code
    }

    /// What the process ends with: to take it apart piece by piece would take longer than to write it.
    private static let rest = Mutex<[any Sendable]>([])

    /// The commands that run for long, and give memory back meanwhile.
    private static let lasting: Set<String> = ["serve", "mcp", "demo"]

    /// The hub of the command, once there is one.
    private final class Running: Sendable {
        let hub = Mutex<Hub?>(nil)
    }

    /// The lines below the first screen of help.
    private static func notes(_ plugins: [any Plugin.Type], _ environment: ProcessEnvironment) -> [String] {
        guard access(Directories(environment: environment).config + "/config.toml", F_OK) != 0 else { return [] }
        let numbers = [2: "both", 3: "all three", 4: "all four", 5: "all five"]
        let which =
            numbers[plugins.count].map { "\($0) plugins are on" }
            ?? "\(plugins.map { $0.descriptor.id }.joined(separator: ", ")) is on"
        return [
            "No config file, and none is needed: \(which).",
            "To have one with every setting explained: hub config init",
        ]
    }

    /// Returns the built-in plugins that the config disables; none if the config cannot be read, since help needs none.
    private static func disabled(_ plugins: [any Plugin.Type], _ environment: ProcessEnvironment) -> Set<String> {
        let hub = Hub(plugins: plugins, environment: environment, log: .standardError(isVerbose: false))
        guard let enabled = try? hub.enabledDescriptors() else { return [] }
        return Set(hub.descriptors.map(\.id)).subtracting(enabled.map(\.id))
    }

    /// Returns the first words that are not built-in commands: aliases and programs.
    private static func otherCommands(_ plugins: [any Plugin.Type], _ environment: ProcessEnvironment) -> [String] {
        let hub = Hub(plugins: plugins, environment: environment, log: .standardError(isVerbose: false))
        return ((try? hub.aliases().keys.sorted()) ?? []) + ExternalCommand.names(in: environment)
    }

    /// The line with its alias expanded, or the program `hub-<word>` in place of this one.
    private static func expand(
        _ arguments: [String], _ root: Command, _ plugins: [any Plugin.Type], _ environment: ProcessEnvironment
    ) throws -> [String] {
        let hub = Hub(plugins: plugins, environment: environment, log: .standardError(isVerbose: false))
        let expanded = try AliasExpansion(root: root, aliases: try hub.aliases()).expand(arguments)
        if expanded == arguments { ExternalCommand(root: root).replaceProcess(with: arguments) }
        return expanded
    }
}
