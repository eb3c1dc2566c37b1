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
            for record in chosen { filled += try await mintee.details(of: record.id).filled }
            let days = filled == 0 ? "" : " with \(NumberFormat.counted(filled, "filled day"))"
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
        NumberFormat.counted(chosen.count, "task")
    }
}
