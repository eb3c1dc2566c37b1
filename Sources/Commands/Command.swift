/// One command, or a group of commands: the only table from which parsing, help, completion and man pages come.
///
/// A command never prints. Its `run` returns an ``Output`` or throws a ``HubError``; HubRuntime writes either one.
package struct Command: Sendable {
    /// The body of a command.
    package typealias Run = @Sendable (any PluginHost, Input) async throws -> Output

    /// The share of its group's short help that a command gets; `help --all` lists every command.
    package enum Prominence: Sendable {
        /// A line with its summary.
        case main
        /// Its name, in a line of names.
        case more
        /// Nothing.
        case full
    }

    /// The word that is typed: `list`, `contacts`.
    package let name: String
    /// Other words for the same command, such as the other number: `contact` for `contacts`.
    package let aliases: [String]
    /// The spelled-out main noun of a plugin, which may precede a verb: `hub contacts contact list`.
    package let nouns: [String]
    /// The summary, in a few lower-case words without a full stop.
    package let summary: String
    /// All else there is to say about it, paragraph by paragraph.
    package let discussion: [String]
    /// Command lines that work, most useful first.
    package let examples: [Example]
    /// The share of the group's short help that it gets.
    package let prominence: Prominence
    /// Options, flags and arguments, in the order of the help.
    package let parameters: [Parameter]
    /// Names of options of which at most one may be given.
    package let exclusive: [[String]]
    /// The fields of what it returns, for `--json=…` and its help.
    package let fields: [FieldDescriptor]
    /// The subcommand that a bare group runs.
    package let view: String?
    /// Whether it changes what is kept; then `--dry-run` shows the plan instead.
    package let changes: Bool
    /// Whether help, completion and man pages leave it out.
    package let isHidden: Bool
    /// The body; nil for a group.
    package private(set) var run: Run?
    /// Hints for words that users may try and that are not commands here.
    package private(set) var advice: [String: String] = [:]

    private var makeSubcommands: @Sendable () -> [Command]
    private var find: (@Sendable (_ name: String) -> Command?)?

    /// The commands of a group, in the order of its help.
    package var subcommands: [Command] { makeSubcommands() }

    /// A command that needs no plugin's runtime, or asks the host for what it needs.
    package init(
        _ name: String, aliases: [String] = [], summary: String, discussion: [String] = [], examples: [Example] = [],
        prominence: Prominence = .main, parameters: [any ParameterDeclaration] = [], exclusive: [[String]] = [],
        fields: [any FieldDeclaration] = [], changes: Bool = false, isHidden: Bool = false,
        subcommands: @autoclosure @escaping @Sendable () -> [Command] = [], run: @escaping Run
    ) {
        self.name = name
        self.aliases = aliases
        self.nouns = []
        self.summary = summary
        self.discussion = discussion
        self.examples = examples
        self.prominence = prominence
        self.parameters = parameters.map(\.parameter)
        self.exclusive = exclusive
        self.fields = fields.map(\.descriptor)
        self.view = nil
        self.changes = changes
        self.isHidden = isHidden
        self.makeSubcommands = subcommands
        self.run = run
    }

    /// A command of a plugin; `run` gets the plugin's runtime, which the host builds when it is first asked for.
    package init<Plugin: Sendable>(
        _ name: String, aliases: [String] = [], summary: String, discussion: [String] = [], examples: [Example] = [],
        prominence: Prominence = .main, parameters: [any ParameterDeclaration] = [], exclusive: [[String]] = [],
        fields: [any FieldDeclaration] = [], changes: Bool = false, isHidden: Bool = false,
        subcommands: @autoclosure @escaping @Sendable () -> [Command] = [],
        run: @escaping @Sendable (Plugin, Input) async throws -> Output
    ) {
        self.init(
            name, aliases: aliases, summary: summary, discussion: discussion, examples: examples,
            prominence: prominence,
            parameters: parameters, exclusive: exclusive, fields: fields, changes: changes, isHidden: isHidden,
            subcommands: subcommands()
        ) { (host: any PluginHost, input: Input) in try await run(host.plugin(Plugin.self), input) }
    }

    /// A group of commands: a plugin, a collection, or the whole program.
    ///
    /// The subcommands are made when they are first looked at, so a program start pays for one plugin only. `view`
    /// names the one that the bare group runs; without it the bare group prints its short help. `find` may know some of them by their
    /// names without all others being made.
    package init(
        group name: String, aliases: [String] = [], nouns: [String] = [], summary: String, discussion: [String] = [],
        examples: [Example] = [], prominence: Prominence = .main, view: String? = nil, isHidden: Bool = false,
        find: (@Sendable (_ name: String) -> Command?)? = nil,
        subcommands: @autoclosure @escaping @Sendable () -> [Command]
    ) {
        self.name = name
        self.aliases = aliases
        self.nouns = nouns
        self.summary = summary
        self.discussion = discussion
        self.examples = examples
        self.prominence = prominence
        self.parameters = []
        self.exclusive = []
        self.fields = []
        self.view = view
        self.changes = false
        self.isHidden = isHidden
        self.makeSubcommands = subcommands
        self.find = find
        self.run = nil
    }
}

extension Command {
    /// The same with advice for words that no command here has.
    package func advising(_ advice: [String: String]) -> Command {
        var command = self
        command.advice = advice
        return command
    }

    /// The same with `wrap` around its body, and around those of all its subcommands.
    package func wrapping(
        _ wrap: @escaping @Sendable (any PluginHost, Input, Run) async throws -> Output
    ) -> Command {
        var command = self
        if let run { command.run = { host, input in try await wrap(host, input, run) } }
        let make = makeSubcommands
        command.makeSubcommands = { make().map { $0.wrapping(wrap) } }
        if let find { command.find = { find($0)?.wrapping(wrap) } }
        return command
    }

    /// The subcommand that `word` names, by its name or an alias.
    package func subcommand(named word: String) -> Command? {
        if let command = find?(word) { return command }
        let all = subcommands
        return all.first { $0.name == word } ?? all.first { $0.aliases.contains(word) }
    }

    /// The option or flag with this long name.
    package func option(named name: String) -> Parameter? {
        parameters.first { $0.isOption && $0.name == name }
    }

    /// The positional arguments, in order.
    package var arguments: [Parameter] { parameters.filter { !$0.isOption } }

    /// Options and flags, in the order of the help.
    package var options: [Parameter] { parameters.filter(\.isOption) }

    /// The line that shows how it is typed, after `path`, such as `hub contacts list [WORD…] [options]`.
    package func usage(path: [String]) -> String {
        var parts = path
        if run == nil { parts.append("<command>") }
        parts += arguments.map(\.usage)
        if !options.isEmpty || run == nil { parts.append("[options]") }
        return parts.joined(separator: " ")
    }
}

/// A command line that works, and what it does.
package struct Example: Sendable, Equatable {
    /// The command line, beginning with `hub`.
    package let command: String
    /// Its effect, in a few lower-case words.
    package let summary: String

    package init(_ command: String, _ summary: String) {
        self.command = command
        self.summary = summary
    }
}
