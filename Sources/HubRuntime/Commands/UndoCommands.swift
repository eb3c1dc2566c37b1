import Commands

/// `hub undo` and `hub redo`.
enum UndoCommands {
    private static let operation = Arguments<String>(
        "OP", .optional, help: "operation id from hub history (default: your last one)",
        completion: HistoryCommand.operations)

    static let undo = Command(
        "undo", summary: "undo your last command",
        discussion: [
            "Repeat it to undo earlier commands. Changes made by background services are skipped; hub undo OP undoes "
                + "any operation. Later changes of a contact are kept: the undo is merged with them, and values that "
                + "they replaced are listed. If anything else it would change has changed since, nothing is undone "
                + "and the reason is shown."
        ],
        examples: [
            Example("hub undo", "undo the last command"), Example("hub undo 6pm", "undo one operation"),
            Example("hub undo --dry-run", "show what would be undone"),
        ], prominence: .more, parameters: [operation], changes: true
    ) { (hub: Hub, input: Input) in
        let operation = Operation("undo", commandLine: input.commandLine)
        return try await UndoPresenter(hub).undo(input[Self.operation].first, as: operation, isDryRun: input.dryRun)
    }

    static let redo = Command(
        "redo", summary: "redo the last undone command",
        examples: [
            Example("hub redo", "redo the last undone command"),
            Example("hub redo --dry-run", "show what would be redone"),
        ],
        prominence: .full, changes: true
    ) { (hub: Hub, input: Input) in
        let operation = Operation("redo", commandLine: input.commandLine)
        return try await UndoPresenter(hub).redo(as: operation, isDryRun: input.dryRun)
    }
}
