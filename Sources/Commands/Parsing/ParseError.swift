/// A precise error in a command line; ``ParseFailure/hubError`` words it.
package enum ParseError: Error, Equatable {
    /// No command of the group has this name.
    case unknownCommand(String, nearest: String?)
    /// The command has no such option; as typed, with its dashes.
    case unknownOption(String, nearest: String?)
    /// The option needs a value and the line ends, or another option follows.
    case missingValue(option: String, valueName: String)
    /// A flag was given a value: `--all=yes`.
    case unexpectedValue(option: String)
    /// The value of an option, argument or environment variable is not of its type.
    case invalidValue(String, of: String, InvalidArgument)
    /// A required argument is not there.
    case missingArgument(String)
    /// More words than the command takes.
    case unexpectedArgument(String)
    /// Two options that cannot be combined.
    case conflict(String, String)
}

/// A parse error, with the command it happened in.
package struct ParseFailure: Error {
    /// The error.
    package let error: ParseError
    /// The names of the commands that were recognised before it, beginning with `hub`.
    package let path: [String]
    /// The last command that was recognised.
    package let command: Command
}

extension ParseFailure {
    /// The same failure; of an unknown command with the nearest of `others` as what was meant, where that is nearer
    /// than every command of the table.
    package func suggesting(_ others: [String]) -> ParseFailure {
        guard case .unknownCommand(let word, let known) = error else { return self }
        let nearest = Suggestion.nearest(to: word, in: (known.map { [$0] } ?? []) + others)
        return ParseFailure(error: .unknownCommand(word, nearest: nearest), path: path, command: command)
    }
}

extension ParseFailure {
    /// The error for the user: the message, the usage of the command and a hint.
    package var hubError: HubError {
        let (code, message) = explanation
        return HubError(
            .usage, code: code, message, details: ["usage: \(command.usage(path: path))"],
            hint: correction ?? "\(helpCommand) tells more")
    }

    private var name: String { path.joined(separator: " ") }

    private var helpCommand: String { (["hub", "help"] + path.dropFirst()).joined(separator: " ") }

    private var explanation: (code: String, message: String) {
        switch error {
        case .unknownCommand(let word, _): ("unknown-command", "\(name) has no command \"\(word)\"")
        case .unknownOption(let option, _): ("unknown-option", "\(name) has no option \(option)")
        case .missingValue(let option, let value): ("missing-value", "\(option) needs a value: \(option) \(value)")
        case .unexpectedValue(let option): ("unexpected-value", "\(option) takes no value")
        case .invalidValue(let text, let parameter, let problem):
            ("invalid-value", "invalid value \"\(text)\" for \(parameter), expected \(problem.expected)")
        case .missingArgument(let argument): ("missing-argument", "\(name) needs \(argument)")
        case .unexpectedArgument(let word): ("unexpected-argument", "unexpected argument \"\(word)\" for \(name)")
        case .conflict(let first, let second): ("conflict", "\(first) and \(second) cannot be combined")
        }
    }

    /// Returns the command that corresponds to a word which other programs use; nil for any other word.
    private func synonym(of word: String) -> String? {
        if ["undo", "redo"].contains(word), path.count == 2 { return "hub \(word)" }
        let synonyms = [
            "delete": "rm", "del": "rm", "remove": "rm", "trash": "rm", "add": "new", "create": "new", "make": "new",
            "rename": "edit", "modify": "edit", "change": "edit", "update": "edit", "find": "search", "ls": "list",
            "info": "show", "view": "show", "log": "history", "mv": "move", "cp": "copy", "duplicate": "copy",
        ]
        return synonyms[word].flatMap { command.subcommand(named: $0) == nil ? nil : "\(name) \($0)" }
    }

    private var correction: String? {
        switch error {
        case .unknownCommand(let word, _) where command.advice[word] != nil: command.advice[word]
        case .unknownCommand(let word, _) where synonym(of: word) != nil:
            synonym(of: word).map { "did you mean \($0)?" }
        case .unknownCommand(_, let nearest?): "did you mean \(name) \(nearest)?"
        case .unknownOption(_, let nearest?): "did you mean \(nearest)?"
        case .unknownCommand(let word, nil):
            command.subcommand(named: "search") == nil ? nil : "to search for it: \(name) search \(word)"
        case .invalidValue(_, _, let problem): problem.hint
        default: nil
        }
    }
}
