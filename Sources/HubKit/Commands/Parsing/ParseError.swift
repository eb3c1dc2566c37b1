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
