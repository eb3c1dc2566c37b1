/// Reads command lines by the table of commands.
///
/// Options may be anywhere, so it makes two passes: the first finds the command, the second reads the values with the
/// command's options. Whether an option before the command takes a value is looked up in all commands that may still
/// follow.
package struct CommandLineParser: Sendable {
    let root: Command
    private let globals: [Parameter]
    private let environment: [String: String]

    /// A parser for the commands below `root`; `environment` gives the options that the command line does not.
    package init(
        root: Command, globals: [any ParameterDeclaration] = GlobalOptions.all, environment: [String: String] = [:]
    ) {
        self.root = root
        self.globals = globals.map(\.parameter)
        self.environment = environment
    }

    /// Reads what was typed after `hub`.
    package func parse(_ arguments: [String]) throws(ParseFailure) -> ParsedCommand {
        let tokens = Token.split(arguments)
        var found = try locate(tokens)
        let asksHelp = found.asksHelp || tokens.contains { $0.isFlag(GlobalOptions.help.parameter) }
        let asksVersion = tokens.contains { $0.isFlag(GlobalOptions.version.parameter) }
        if !asksHelp, let view = found.command.view, let command = found.command.subcommand(named: view) {
            found.path.append(command)
        }
        if asksHelp || asksVersion || found.command.run == nil {
            if !asksHelp, found.command.run == nil { try checkOptions(tokens, found) }
            return ParsedCommand(
                action: asksHelp ? .help : asksVersion ? .version : .help, command: found.command,
                path: found.path.map(\.name), values: lenientValues(tokens), arguments: arguments)
        }
        var reader = ValueReader(command: found.command, globals: globals)
        do throws(ParseError) {
            try reader.read(tokens, skipping: found.words)
            try reader.fill(from: environment)
            try reader.check()
        } catch {
            throw ParseFailure(error: error, path: found.path.map(\.name), command: found.command)
        }
        return ParsedCommand(
            action: .run, command: found.command, path: found.path.map(\.name), values: reader.values,
            arguments: arguments)
    }

    /// A command that was found: the way to it, and the positions of the words that name it.
    private struct Location {
        var path: [Command]
        var words: Set<Int> = []
        /// Whether `help` was typed after a group, as in `hub contacts help list`.
        var asksHelp = false

        // The path begins with the root and only grows.
        var command: Command { path[path.count - 1] }
    }

    private func locate(_ tokens: [Token]) throws(ParseFailure) -> Location {
        var location = Location(path: [root])
        var index = 0
        while index < tokens.count {
            defer { index += 1 }
            switch tokens[index] {
            case .word(let word):
                let command = location.command
                if let next = command.subcommand(named: word) {
                    location.path.append(next)
                } else if command.nouns.contains(word) {
                    // The spelled-out main noun says nothing new.
                } else if word == "help", !command.subcommands.isEmpty {
                    location.asksHelp = true
                } else if command.run == nil || location.asksHelp {
                    throw ParseFailure(
                        error: .unknownCommand(word, nearest: nearestCommand(to: word, in: command)),
                        path: location.path.map(\.name), command: command)
                } else {
                    return location
                }
                location.words.insert(index)
            case .long(let name, value: nil) where takesValue(location.command) { $0.name == name }:
                index += 1
            case .short(let letters) where takesNextWord(letters, location.command):
                index += 1
            case .long, .short, .end: break
            }
        }
        return location
    }

    /// Refuses options that a group alone does not know, so that `hub --bogus` does not look as if it were understood.
    private func checkOptions(_ tokens: [Token], _ found: Location) throws(ParseFailure) {
        var reader = ValueReader(command: found.command, globals: globals)
        do throws(ParseError) {
            try reader.read(tokens, skipping: found.words)
            try reader.check()
        } catch {
            throw ParseFailure(error: error, path: found.path.map(\.name), command: found.command)
        }
    }

    /// The option of every command, of `command`, or of the first command below it that has such a one.
    func option(below command: Command, where matches: (Parameter) -> Bool) -> Parameter? {
        if let global = globals.first(where: matches) { return global }
        if let own = command.options.first(where: matches) { return own }
        guard command.run == nil else { return nil }
        for next in command.subcommands {
            if let found = option(below: next, where: matches) { return found }
        }
        return nil
    }

    private func takesValue(_ command: Command, where matches: (Parameter) -> Bool) -> Bool {
        option(below: command, where: matches)?.takesValue ?? false
    }

    /// Whether the last letter of a cluster is an option whose value is the next word.
    private func takesNextWord(_ letters: String, _ command: Command) -> Bool {
        for (offset, letter) in letters.enumerated() where takesValue(command, where: { $0.short == letter }) {
            return offset == letters.count - 1
        }
        return false
    }

    private func nearestCommand(to word: String, in command: Command) -> String? {
        let visible = command.subcommands.filter { !$0.isHidden }
        let nearest = Suggestion.nearest(to: word, in: visible.flatMap { [$0.name] + $0.aliases })
        // By the name that help lists, also when another word for it is nearer.
        return nearest.flatMap { near in visible.first { $0.name == near || $0.aliases.contains(near) }?.name }
    }

    /// The options that every command shares, as far as they can be read; errors wait for a command that runs.
    private func lenientValues(_ tokens: [Token]) -> ParameterValues {
        var reader = ValueReader(command: root, globals: globals)
        for token in tokens { try? reader.read([token], skipping: []) }
        try? reader.fill(from: environment)
        return reader.values
    }
}
