/// A command line that was understood.
package struct ParsedCommand: Sendable {
    /// What is to be done with it.
    package enum Action: Sendable, Equatable {
        /// Run the command.
        case run
        /// Show the command's help: it was asked for, or a group without a view was named alone.
        case help
        /// Show the version.
        case version
    }

    /// What is to be done.
    package let action: Action
    /// The command.
    package let command: Command
    /// The names that lead to it, beginning with `hub`.
    package let path: [String]
    /// All values, those of the options that every command shares included.
    package let values: ParameterValues
    /// What was typed after `hub`.
    package let arguments: [String]

    /// What the command's `run` gets.
    package func input(interaction: any Interaction) -> Input {
        Input(
            values: values, operation: path.dropFirst().joined(separator: " "),
            commandLine: ShellWords.join(arguments), interaction: interaction)
    }
}
