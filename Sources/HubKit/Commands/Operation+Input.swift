extension Operation {
    /// The operation under which a command makes its changes: one for each call, however many writes it takes.
    package init(_ input: Input, kind: Kind = .edit) {
        self.init(input.operation, commandLine: input.commandLine, kind: kind)
    }

    /// The operation of a command whose dry run makes the change, reports it and rolls it back.
    package init(plannable input: Input) {
        self.init(input.operation, commandLine: input.commandLine, isPlan: input.dryRun)
    }
}
