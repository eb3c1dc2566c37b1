import HubKit
import MinteeDomain

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
        for task in chosen { _ = try await mintee.restore(task.id, at: moment, operation: operation) }
        return .done("Restored an earlier version: \(names). Undo: hub undo")
    }
}
