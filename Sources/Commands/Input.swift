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
    /// The author of what the command changes.
    package var author = Operation.Author.person
    /// The id of the operation under which it makes its changes; nil for a new one.
    package var operationID: String?

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

extension Input {
    /// Whether the result is shown as a table on a terminal.
    package var showsTable: Bool {
        let forms = [GlobalOptions.json, GlobalOptions.plain, GlobalOptions.format]
        return console.isShown && !self[GlobalOptions.null] && forms.allSatisfy { self[$0] == nil }
            && (self[GlobalOptions.output] ?? "-") == "-"
    }

    /// Returns the maximum number of rows to show: the value of `--limit`; else `usual` in a table on a terminal, and
    /// all rows in a pipe, a file or a form for programs.
    package func rowLimit(_ usual: Int? = nil) -> Int {
        self[SharedOptions.limit] ?? (showsTable ? usual : nil) ?? .max
    }
}

extension Operation {
    /// The operation under which a command makes its changes: one for each call, however many writes it takes.
    package init(_ input: Input, kind: Kind = .edit) {
        self.init(
            id: input.operationID ?? Identifier.make(), input.operation, who: input.author,
            commandLine: input.commandLine, kind: kind)
    }

    /// The operation of a command whose dry run makes the change, reports it and rolls it back.
    package init(plannable input: Input) {
        self.init(
            id: input.operationID ?? Identifier.make(), input.operation, who: input.author,
            commandLine: input.commandLine, isPlan: input.dryRun)
    }
}

extension Input {
    /// The most bytes of stdin that are taken as one text.
    private static let limit = 32 << 20

    /// Returns all of stdin as text, for an argument `-`. Invalid UTF-8 is replaced; more than 32 MiB are refused.
    package func standardText() async throws -> String {
        var bytes: [UInt8] = []
        for try await chunk in console.standardInput() {
            bytes += chunk
            guard bytes.count <= Input.limit else {
                throw HubError(.invalid, code: "too-large", "the input is larger than 32 MiB")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The selectors that `words` give: `-` stands for those on stdin, one on each line that is not empty, or ended by NUL as `--null`
    /// writes them.
    package func selectors(_ words: [String]) async throws -> [String] {
        guard words.contains("-") else { return words }
        let lines = try await standardText().split { $0.isNewline || $0 == "\0" }.map(String.init)
        return words.flatMap { $0 == "-" ? lines.filter { !$0.isEmpty } : [$0] }
    }
}
