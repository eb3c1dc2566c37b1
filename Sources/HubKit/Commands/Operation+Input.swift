extension Operation {
    /// The operation under which a command makes its changes: one for each call, however many writes it takes.
    package init(_ input: Input, kind: Kind = .edit) {
        self.init(input.operation, commandLine: input.commandLine, kind: kind)
    }
}
