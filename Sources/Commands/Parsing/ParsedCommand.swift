/// A command line that was understood.
package struct ParsedCommand: Sendable {
    /// The action to take.
    package enum Action: Sendable, Equatable {
        /// Run the command.
        case run
        /// Show the command's help: it was asked for, or a group without a view was named alone.
        case help
        /// Show the version.
        case version
    }

    /// The action to take.
    package let action: Action
    /// The command.
    package let command: Command
    /// The names that lead to it, beginning with `hub`.
    package let path: [String]
    /// All values, those of the options that every command shares included.
    package let values: ParameterValues
    /// The arguments after `hub`.
    package let arguments: [String]

    /// Returns the input for the command's `run`.
    package func input(console: any Console) -> Input {
        Input(
            values: values, operation: path.dropFirst().joined(separator: " "),
            commandLine: ShellWords.join(arguments), console: console)
    }
}

/// An incomplete command line, with what is known about its next word.
package struct PartialCommand: Sendable {
    /// The commands that were named, the root first.
    package let path: [Command]
    /// The words that are not commands, options or values of options.
    package let words: [String]
    /// The option whose value comes next; nil when none does.
    package let awaiting: Parameter?
    /// Whether `--` was typed, so that only words follow.
    package let hasOnlyWords: Bool

    /// The last command that was named.
    package var command: Command {
        // The path begins with the root and only grows.
        path[path.count - 1]
    }
}

extension CommandLineParser {
    /// Returns what is known after `arguments`, the words before the one being typed; mistakes in them are ignored.
    package func partial(_ arguments: [String]) -> PartialCommand {
        var path = [root]
        var words: [String] = []
        var awaiting: Parameter?
        var hasOnlyWords = false
        for token in Token.split(arguments) {
            if awaiting != nil {
                awaiting = nil
                continue
            }
            let command = path[path.count - 1]
            switch token {
            case .end: hasOnlyWords = true
            case .word(let word):
                if words.isEmpty, !hasOnlyWords, let next = command.subcommand(named: word) {
                    path.append(next)
                } else if !command.nouns.contains(word) || !words.isEmpty {
                    words.append(word)
                }
            case .long(let name, value: nil):
                awaiting = option(below: command) { $0.name == name }.flatMap { $0.takesValue ? $0 : nil }
            case .long: break
            case .short(let letters):
                awaiting = letters.last.flatMap { letter in option(below: command) { $0.short == letter } }
                    .flatMap { $0.takesValue ? $0 : nil }
            }
        }
        return PartialCommand(path: path, words: words, awaiting: awaiting, hasOnlyWords: hasOnlyWords)
    }
}
