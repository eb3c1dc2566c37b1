import HubKit

/// `hub undo` and `hub redo`.
enum UndoCommands {
    private static let operation = Arguments<String>(
        "OP", .optional, help: "an operation of hub history; yours of last unless given",
        completion: HistoryCommand.operations)

    static let undo = Command(
        "undo", summary: "take back your last command, whole",
        discussion: [
            "Type it again to walk further back. What services did is skipped; hub undo OP names any operation. An undo "
                + "stops as a whole when something it would change was changed since, and says what."
        ],
        examples: [
            Example("hub undo", "take back the last command"), Example("hub undo 6pm", "take back a named operation"),
            Example("hub undo --dry-run", "show what would be taken back"),
        ], prominence: .more, parameters: [operation], changes: true
    ) { (hub: Hub, input: Input) in
        let operation = Operation("undo", commandLine: input.commandLine)
        return try await UndoAnswer(hub).undo(input[Self.operation].first, as: operation, isDryRun: input.dryRun)
    }

    static let redo = Command(
        "redo", summary: "bring back what you undid last",
        examples: [
            Example("hub redo", "walk forward again"), Example("hub redo --dry-run", "show what would be done"),
        ],
        prominence: .full, changes: true
    ) { (hub: Hub, input: Input) in
        let history = try hub.database().history
        let plan = try await history.redo(as: Operation("redo", commandLine: input.commandLine), isDryRun: true)
        let before = try await SubjectNames(hub)(plan.subjects)
        guard !input.dryRun, plan.isPossible else {
            return try await UndoAnswer(hub).output(plan, before: before, isDryRun: true)
        }
        let report = try await history.redo(as: Operation("redo", commandLine: input.commandLine))
        return try await UndoAnswer(hub).output(report, before: before, isDryRun: false)
    }
}
