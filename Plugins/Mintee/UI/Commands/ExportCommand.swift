import HubKit
import MinteeDomain

/// `hub mintee export`: tasks with all that was entered for them.
enum ExportCommand {
    private static let tasks = Arguments<String>(
        "TASK", .zeroOrMore, help: "tasks; all of them without", completion: TaskSelection.completion)
    private static let format = Option<ExportTasks.Format>("as", "FORMAT", help: "json, with everything; csv, the days")

    static let command = Command(
        "export", summary: "write tasks and their days as JSON or CSV",
        discussion: ["The same store gives the same bytes. JSON holds all that is known, analyses included."],
        examples: [
            Example("hub mintee export -o tasks.json", "everything"),
            Example("hub mintee export run --as csv", "the days of one task"),
        ], prominence: .more, parameters: [tasks, format]
    ) { (mintee: MinteePlugin, input: Input) in
        let words = input[tasks]
        let ids = words.isEmpty ? nil : try await TaskSelection(mintee, input).tasks(words).map(\.id)
        return Output(.bytes(mintee.export(ids, as: input[format] ?? .json)))
    }
}

extension ExportTasks.Format: ChoiceArgument {}
