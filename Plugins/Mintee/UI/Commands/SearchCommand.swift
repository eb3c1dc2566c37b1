import HubKit
import MinteeDomain

/// `hub mintee search`: searches all texts of tasks, best match first.
enum SearchCommand {
    private static let words = Arguments<String>("WORD", .oneOrMore, help: "words or beginnings of words")

    static let command = Command(
        "search", summary: "find tasks by name, tag or note, best first",
        examples: [
            Example("hub mintee search water", "by a word"),
            Example("hub mintee search hea run", "by beginnings of words"),
        ], prominence: .more, parameters: [words, SharedOptions.limit], fields: TaskListItem.fields
    ) { (mintee: MinteePlugin, input: Input) in
        let text = input[words].joined(separator: " ")
        let found = try await mintee.searchTasks(text, limit: .max)
        let rows = try await mintee.tasks.listed(Array(found.prefix(input.rowLimit(50))))
        let near =
            found.isEmpty
            ? Suggestion.nearest(to: text, in: try await mintee.listTasks().map(\.draft.name)) : nil
        return .matches(
            rows, TaskListItem.fields, count: Output.count(rows.count, of: found.count, "matches"),
            none: Diagnostic("No task matches \"\(text)\"", hint: near.map { "did you mean \($0)?" }))
    }
}
