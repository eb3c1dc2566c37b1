/// The input of a command: typed values, the options that all commands share, and the terminal.
package struct Input: Sendable {
    /// The values from the command line with their declared types.
    package let values: ParameterValues
    /// The command's full name, such as `contacts rm`; it names the operation in the history.
    package let operation: String
    /// The command line after `hub`, quoted for a shell; it is kept with the operation.
    package let commandLine: String
    /// The way to ask questions, if there is a terminal.
    package let console: any Console

    package init(
        values: ParameterValues, operation: String, commandLine: String, console: any Console
    ) {
        self.values = values
        self.operation = operation
        self.commandLine = commandLine
        self.console = console
    }

    /// The value of an option, nil when it was not given.
    package subscript<Value: ArgumentValue>(option: Option<Value>) -> Value? { values[option] }

    /// All values of an option that may be repeated.
    package subscript<Value: ArgumentValue>(option: Option<[Value]>) -> [Value] { values[option] }

    /// The state of a flag.
    package subscript(flag: Flag) -> Bool { values[flag] }

    /// The value of a required argument.
    package subscript<Value: ArgumentValue>(argument: Argument<Value>) -> Value { values[argument] }

    /// The words of an argument that takes several.
    package subscript<Value: ArgumentValue>(arguments: Arguments<Value>) -> [Value] { values[arguments] }
}

extension Input {
    /// Whether only the plan is wanted: nothing may change.
    package var dryRun: Bool { self[GlobalOptions.dryRun] }
    /// Whether questions are answered with yes beforehand.
    package var yes: Bool { self[GlobalOptions.yes] }
    /// Whether nothing may go out to the network.
    package var offline: Bool { self[GlobalOptions.offline] }
    /// Whether to print more detail.
    package var verbose: Bool { self[GlobalOptions.verbose] }
    /// Whether to print only errors and what needs attention.
    package var quiet: Bool { self[GlobalOptions.quiet] }
}
