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
