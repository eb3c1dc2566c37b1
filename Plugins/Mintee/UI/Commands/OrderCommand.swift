import Commands
import HubKit
import MinteeDomain

/// `hub mintee order`: sets the order of tasks.
enum OrderCommand {
    private static let names = Arguments<String>(
        "TASK", .zeroOrMore, help: "tasks that come first, in this order", completion: TaskCommands.entity.completion)

    static let command = Command(
        "order", summary: "set the order of tasks on a day",
        discussion: [
            "The tasks named come first, in this order; all others follow as before. Without tasks, they come in the order of "
                + "their creation again. Sections come before the order: hub mintee edit TASK --section evening."
        ],
        examples: [
            Example("hub mintee order water read", "these two first"), Example("hub mintee order", "by creation"),
        ], prominence: .more, parameters: [names], fields: TaskListItem.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let chosen = try await mintee.tasks.select(input[names], asking: input)
        let ids = chosen.map(\.id)
        let rest = try await mintee.orderedTasks().map(\.id).filter { !ids.contains($0) }
        let text = chosen.isEmpty ? "by creation" : chosen.map(\.draft.name).joined(separator: ", ") + " first"
        if input.dryRun { return .done("The order would be: \(text)") }
        try await mintee.orderTasks(ids.isEmpty ? [] : ids + rest, operation: Operation(input))
        return .edited("Order: \(text)")
    }
}
