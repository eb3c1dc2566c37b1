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
            "info": "show", "view": "show", "log": "history",
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
