import HubKit
import MinteeDomain

/// `hub mintee list` and `search`.
enum ListCommand {
    private static let words = Arguments<String>("WORD", .zeroOrMore, help: "only tasks that match all words")
    private static let tags = Option<[String]>(
        "tag", "TAG", help: "only tasks with this tag; repeatable", completion: TaskSelection.tagCompletion)
    private static let sort = Option<GetTasks.Order>("sort", "FIELD", help: "sort field: name, created or changed")

    static let command = Command(
        "list", summary: "list tasks by name",
        examples: [
            Example("hub mintee list --tag health", "tasks with a tag"),
            Example("hub mintee list --sort changed --reverse", "most recently changed first"),
        ],
        parameters: [
            words, tags, sort, SharedOptions.reverse, SharedOptions.limit, SharedOptions.since, SharedOptions.until,
            SharedOptions.trash,
        ], fields: TaskListItem.fields
    ) { (mintee: MinteePlugin, input: Input) in
        var filter = GetTasks.Filter()
        filter.words = SearchTasks.words(input[words].joined(separator: " "))
        filter.tags = input[tags]
        let now = mintee.clock.now
        filter.since = input[SharedOptions.since]?.instant(now: now, in: .system).milliseconds
        filter.until = SharedOptions.end(of: input[SharedOptions.until], now: now)?.milliseconds
        filter.order = input[sort] ?? .name
        filter.isReversed = input[SharedOptions.reverse]
        filter.isTrash = input[SharedOptions.trash]
        let found = try await mintee.getTasks(filter)
        let rows = try await mintee.listed(Array(found.prefix(input.rowLimit())))
        let isFiltered = !filter.words.isEmpty || !filter.tags.isEmpty || filter.since != nil || filter.until != nil
        let empty =
            filter.isTrash
            ? Diagnostic("No tasks in the trash") : isFiltered ? Diagnostic("No tasks match") : MinteeCommand.empty
        return .list(
            rows, TaskListItem.fields, count: Output.count(rows.count, of: found.count, "tasks"), empty: empty)
    }
}

extension GetTasks.Order: ChoiceArgument {}

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
        let found = try await mintee.search(text, limit: .max)
        let rows = try await mintee.listed(Array(found.prefix(input.rowLimit(50))))
        let near =
            found.isEmpty
            ? Suggestion.nearest(to: text, in: try await mintee.getTasks().map(\.draft.name)) : nil
        return .matches(
            rows, TaskListItem.fields, count: Output.count(rows.count, of: found.count, "matches"),
            none: Diagnostic("No task matches \"\(text)\"", hint: near.map { "did you mean \($0)?" }))
    }
}
