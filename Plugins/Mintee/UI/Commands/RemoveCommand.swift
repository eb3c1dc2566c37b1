import HubKit
import MinteeDomain

/// `hub mintee rm`: moves tasks to the trash.
enum RemoveCommand {
    static let command = Command(
        "rm", summary: "move tasks to the trash",
        examples: [
            Example("hub mintee rm read", "one task"),
            Example("hub mintee rm read run --yes", "two tasks, without confirmation"),
        ], parameters: [TaskSelection.many], fields: TaskListItem.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let chosen = try await TaskSelection(mintee, input).tasks(input[TaskSelection.many])
        let names =
            chosen.prefix(5).map(\.draft.name).joined(separator: ", ")
            + (chosen.count > 5 ? " and \(chosen.count - 5) more" : "")
        if input.dryRun {
            return Output.list(try await mintee.listed(chosen), TaskListItem.fields)
                .noting(Diagnostic("\(count(chosen)) would be moved to the trash"))
        }
        if needsAsking(input, chosen, mintee.config[HubKeys.confirm]) {
            var filled = 0
            for record in chosen { filled += try await mintee.getDetails(record.id).filled }
            let days =
                filled == 0
                ? "" : " with \(filled == 1 ? "1 filled day" : "\(NumberFormat.grouped(filled)) filled days")"
            let question = (chosen.count == 1 ? "Remove \(names)" : "Remove \(count(chosen)): \(names)") + days + "?"
            guard try await input.confirm(question, consequence: "\(count(chosen)) would be moved to the trash") else {
                return .cancelled
            }
        }
        try await mintee.delete(chosen.map(\.id), operation: Operation(input))
        let what = chosen.count == 1 ? "\(chosen[0].draft.name) is" : "\(count(chosen)) are"
        return .done("\(what) in the trash for \(mintee.config[HubKeys.trashDays]) days. Undo: hub undo")
    }

    /// Returns whether to ask for confirmation: not for full ids, otherwise depending on the setting.
    private static func needsAsking(_ input: Input, _ chosen: [TaskRecord], _ setting: HubKeys.Confirmation) -> Bool {
        let words = input[TaskSelection.many]
        if words.allSatisfy({ word in chosen.contains { $0.id == word } }) { return false }
        switch setting {
        case .always: return true
        case .bulk: return chosen.count >= 3
        case .never: return false
        }
    }

    private static func count(_ chosen: [TaskRecord]) -> String {
        chosen.count == 1 ? "1 task" : "\(NumberFormat.grouped(chosen.count)) tasks"
    }
}

/// `hub mintee restore`: restores tasks from the trash, or an earlier version.
enum RestoreCommand {
    private static let at = Option<DateExpression>("at", "WHEN", help: "state at this time: 2026-11-20, 09:12, 3d")

    static let command = Command(
        "restore", summary: "restore tasks from the trash, or an earlier version",
        discussion: ["--at restores the days, targets and entries that the task had at that time, as a new change."],
        examples: [
            Example("hub mintee restore read", "one task"),
            Example("hub mintee restore read --at 3d", "as it was three days ago"),
        ],
        prominence: .more, parameters: [TaskSelection.many, at], changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        if let moment = input[at] {
            return try await restore(mintee, input, at: moment.instant(now: mintee.clock.now, in: .system))
        }
        let chosen = try await TaskSelection(mintee, input).tasks(input[TaskSelection.many], inTrash: true)
        let names = chosen.map(\.draft.name).joined(separator: ", ")
        if input.dryRun { return .done("Would restore \(names)") }
        try await mintee.restore(chosen.map(\.id), operation: Operation(input))
        return .done("Restored: \(names). Undo: hub undo")
    }

    private static func restore(_ mintee: MinteePlugin, _ input: Input, at moment: Instant) async throws -> Output {
        let chosen = try await TaskSelection(mintee, input).tasks(input[TaskSelection.many])
        let names = chosen.map(\.draft.name).joined(separator: ", ")
        if input.dryRun { return .done("Would restore an earlier version: \(names)") }
        let operation = Operation(input)
        for task in chosen { _ = try await mintee.restoreVersion(task.id, at: moment, operation: operation) }
        return .done("Restored an earlier version: \(names). Undo: hub undo")
    }
}
