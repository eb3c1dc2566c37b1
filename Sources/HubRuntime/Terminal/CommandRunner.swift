package import Commands
import Glibc
import Storage

/// Takes a command line from its words to its exit code: parse, run, write.
package struct CommandRunner: Sendable {
    /// What surrounds a command: the variables, the terminal, the streams and the time.
    package struct Environment: Sendable {
        /// The environment variables.
        package var variables: [String: String]
        /// The terminal.
        package var profile: TerminalProfile
        /// The sink for results.
        package var output: any ByteSink
        /// The sink for everything else.
        package var messages: any ByteSink
        /// The source of time.
        package var clock: any Clock
        /// The rules of the wall clock.
        package var zone: TimeZoneRules
        /// The answers to questions; nil uses the terminal.
        package var console: (any Console)?

        package init(
            variables: [String: String], profile: TerminalProfile, output: any ByteSink, messages: any ByteSink,
            clock: any Clock, zone: TimeZoneRules = .system, console: (any Console)? = nil
        ) {
            self.variables = variables
            self.profile = profile
            self.output = output
            self.messages = messages
            self.clock = clock
            self.zone = zone
            self.console = console
        }

        /// The environment with the home folder that it names.
        var processEnvironment: ProcessEnvironment { ProcessEnvironment(variables: variables) }
    }

    /// The exit code when the reader of stdout went away, as a shell reports SIGPIPE.
    private static let brokenPipe: Int32 = 141
    /// The exit code when the command was asked to stop, as a shell reports SIGINT.
    private static let interrupted: Int32 = 130

    private let root: Command
    private let makeHost: @Sendable (ParameterValues) -> any PluginHost
    private let expand: @Sendable ([String]) throws -> [String]
    /// The warnings of the host besides the result.
    private let warnings: @Sendable (any PluginHost) -> [Diagnostic]
    /// What a verbose command has changed, item by item.
    private let changes: @Sendable (any PluginHost) async -> [Diagnostic]
    /// The lines that a verbose error ends with: where the command worked.
    private let context: @Sendable (ParameterValues) -> [String]
    private let otherCommands: @Sendable () -> [String]
    private let keep: @Sendable (Output) -> Void
    private let environment: Environment
    /// The lines that close the first screen of help.
    private let helpNotes: @Sendable () -> [String]
    /// The plugins that are not enabled, which that screen names as such.
    private let disabledPlugins: @Sendable () -> Set<String>

    /// A runner for the commands below `root`, whose plugins are built by the host that `makeHost` makes from the
    /// options of the command line. `expand` gets a line that begins with no command, and may put others in its place;
    /// `otherCommands` are the first words that it knows. `keep` gets what was written, once it is.
    package init(
        root: Command, environment: Environment, helpNotes: @escaping @Sendable () -> [String] = { [] },
        disabledPlugins: @escaping @Sendable () -> Set<String> = { [] },
        expand: @escaping @Sendable ([String]) throws -> [String] = { $0 },
        warnings: @escaping @Sendable (any PluginHost) -> [Diagnostic] = { _ in [] },
        changes: @escaping @Sendable (any PluginHost) async -> [Diagnostic] = { _ in [] },
        context: @escaping @Sendable (ParameterValues) -> [String] = { _ in [] },
        otherCommands: @escaping @Sendable () -> [String] = { [] },
        keep: @escaping @Sendable (Output) -> Void = { _ in },
        makeHost: @escaping @Sendable (ParameterValues) -> any PluginHost
    ) {
        self.root = root
        self.makeHost = makeHost
        self.expand = expand
        self.warnings = warnings
        self.changes = changes
        self.context = context
        self.otherCommands = otherCommands
        self.keep = keep
        self.environment = environment
        self.helpNotes = helpNotes
        self.disabledPlugins = disabledPlugins
    }

    /// Runs what was typed after `hub` and returns the exit code. A command works on the main thread, where it may wait for the disk:
    /// nothing else is served by its process.
    @MainActor
    package func run(_ arguments: [String]) async -> Int32 {
        do {
            return try await run(try parse(arguments))
        } catch let failure as ParseFailure {
            return report(failure.hubError, isJSON: asksJSON(arguments), values: ParameterValues())
        } catch {
            return report(CommandRunner.hubError(error), isJSON: asksJSON(arguments), values: ParameterValues())
        }
    }

    private func parse(_ arguments: [String]) throws -> ParsedCommand {
        let parser = CommandLineParser(root: root, environment: environment.variables)
        do {
            return try parser.parse(arguments)
        } catch let failure {
            guard case .unknownCommand = failure.error, failure.path.count == 1 else { throw failure }
            let expanded = try expand(arguments)
            guard expanded != arguments else { throw failure.suggesting(otherCommands()) }
            return try parser.parse(expanded)
        }
    }

    private func run(_ parsed: ParsedCommand) async throws -> Int32 {
        let screen = Screen(environment: environment, values: parsed.values)
        do {
            let result = try await result(of: parsed, screen)
            screen.progressLine?.clear()
            return try await write(result, of: parsed, to: screen)
        } catch SinkError.closed {
            return CommandRunner.brokenPipe
        } catch is CancellationError {
            screen.progressLine?.clear()
            return CommandRunner.interrupted
        } catch {
            screen.progressLine?.clear()
            return report(CommandRunner.hubError(error), isJSON: screen.form.isJSON, values: parsed.values)
        }
    }

    /// What a command returned, and the operation that it has recorded.
    private struct Result {
        var output: Output
        var edit: Operation?
    }

    /// Writes the output and returns the exit code. A change that was made is not a failure because its report cannot be written.
    private func write(_ result: Result, of parsed: ParsedCommand, to screen: Screen) async throws -> Int32 {
        let isDone = !parsed.values[GlobalOptions.dryRun]
        defer { keep(result.output) }
        let hasChanged = isDone && (result.edit != nil || parsed.command.changes && result.output.isReport)
        do {
            try await screen.write(isDone ? result.output.completed(isRecorded: result.edit != nil) : result.output)
        } catch  where hasChanged && !isClosed(error) {
            throw Self.unreportedChange(Self.hubError(error), result.edit)
        }
        return result.output.exit.rawValue
    }

    private func isClosed(_ error: any Error) -> Bool { error as? SinkError == .closed || error is CancellationError }

    private func result(of parsed: ParsedCommand, _ screen: Screen) async throws -> Result {
        var command = parsed.command
        switch parsed.action {
        case .run: break
        case .version:
            guard let version = root.subcommand(named: "version") else { return Result(output: .nothing) }
            command = version
        case .help:
            let renderer = HelpRenderer(
                root: root, width: screen.textWidth, disabled: parsed.path.count == 1 ? disabledPlugins() : [])
            return Result(output: .text(renderer.short(command, path: parsed.path, notes: helpNotes())))
        }
        if screen.form == .fieldHelp { return Result(output: CommandRunner.fields(of: command)) }
        guard let run = command.run else { return Result(output: .nothing) }
        CommandName.set(parsed.path)
        if let path = parsed.values[GlobalOptions.output], path != "-" {
            try OutputTarget(environment.processEnvironment, parsed.values).requireForeign(path)
        }
        if parsed.path.dropFirst().first != "help" { try environment.processEnvironment.requireReadableFolders() }
        let host = makeHost(parsed.values)
        let before = host.lastEdit
        var output = try await run(host, parsed.input(console: screen.console))
        let edit = host.lastEdit
        if parsed.values[GlobalOptions.verbose] { output.notes += await changes(host) }
        return Result(
            output: warnings(host).reduce(output) { $0.noting($1) }, edit: edit?.id == before?.id ? nil : edit)
    }

    /// The answer to `--json=help`.
    private static func fields(of command: Command) -> Output {
        .list(
            command.fields,
            [
                Field("name", "FIELD", help: "name of the field") { .text($0.name) },
                Field("help", "MEANING", help: "meaning of the field") { .text($0.help) },
            ], empty: Diagnostic("this command has no fields to select"))
    }

    /// Whether `--json` was typed, though the rest may be wrong.
    private func asksJSON(_ arguments: [String]) -> Bool {
        let isTyped = arguments.prefix { $0 != "--" }.contains { $0 == "--json" || $0.hasPrefix("--json=") }
        let fields = GlobalOptions.json.parameter.environmentName.flatMap { environment.variables[$0] } ?? ""
        return isTyped || ((try? Parameter.switchState(fields)) ?? true)
    }

    /// Whether causes of errors are wanted whatever the command line says, even when it cannot be read.
    private var isDebugging: Bool {
        (try? Parameter.switchState(environment.variables["HUB_DEBUG"] ?? "")) ?? false
    }

    /// Any error as one that can be shown.
    private static func hubError(_ error: any Error) -> HubError { known(error).namingLibrary }

    private static func known(_ error: any Error) -> HubError {
        switch error {
        case let error as HubError: error
        case let error as ParseFailure: error.hubError
        case let error as SystemError where error.forbidsWriting: HubError(storeFile: error)
        case let error as SystemError:
            HubError(
                .unavailable, code: "system", "\(error)",
                hint: "hub doctor checks folders, disk and libraries")
        case SinkError.system(let number): outputFailure(number)
        default:
            HubError(
                .internal, code: "internal", "internal error",
                hint: "use -v for details, or hub doctor to look for problems", cause: error)
        }
    }

    /// The error for the report of a change that was made. Its code is never that of a failure after which a script tries again.
    private static func unreportedChange(_ error: HubError, _ edit: Operation?) -> HubError {
        HubError(
            .output, code: "change-not-reported", "the change was made, but its report could not be written",
            details: [error.message] + error.details,
            hint: edit.map { "hub history \($0.id.prefix(8)) shows it; undo: hub undo \($0.id.prefix(8))" })
    }

    /// The error for results that the system would not take.
    private static func outputFailure(_ number: Int32) -> HubError {
        let isFull = number == ENOSPC || number == EDQUOT
        let isClosed = number == EBADF
        return HubError(
            isFull ? .busy : .output, code: "cannot-write", "cannot write the output",
            details: [isClosed ? "stdout is closed" : String(cString: strerror(number))],
            hint: isClosed ? "to discard the output: > /dev/null" : "write to another file with -o")
    }

    private func report(_ error: HubError, isJSON: Bool, values: ParameterValues) -> Int32 {
        let isVerbose = values[GlobalOptions.verbose] || isDebugging
        let renderer = MessageRenderer(
            isJSON: isJSON, palette: environment.profile.errorPalette(values[GlobalOptions.color]),
            glyphs: Glyphs(isUTF8: environment.profile.isUTF8), isVerbose: isVerbose,
            context: isVerbose ? context(values) : [])
        let text = renderer.lines(error).map { $0 + "\n" }.joined()
        try? environment.messages.write(Array(text.utf8))
        return error.kind.exitCode
    }
}
