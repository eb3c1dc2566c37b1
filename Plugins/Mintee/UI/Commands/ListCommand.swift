import HubKit
import MinteeDomain

/// `hub mintee list`: lists tasks by name.
enum ListCommand {
    private static let words = Arguments<String>("WORD", .zeroOrMore, help: "only tasks that match all words")
    private static let tags = Option<[String]>(
        "tag", "TAG", help: "only tasks with this tag; repeatable", completion: TaskCommands.entity.tagCompletion)
    private static let sort = Option<TaskFilter.Order>("sort", "FIELD", help: "sort field: name, created or changed")

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
        var filter = TaskFilter()
        filter.words = SearchWords.split(input[words].joined(separator: " "))
        filter.tags = input[tags]
        let now = mintee.clock.now
        filter.since = input[SharedOptions.since]?.instant(now: now, in: .system)
        filter.until = SharedOptions.end(of: input[SharedOptions.until], now: now)
        filter.order = input[sort] ?? .name
        filter.isReversed = input[SharedOptions.reverse]
        filter.isTrash = input[SharedOptions.trash]
        let found = try await mintee.listTasks(filter)
        let rows = try await mintee.tasks.listed(Array(found.prefix(input.rowLimit())))
        let isFiltered = !filter.words.isEmpty || !filter.tags.isEmpty || filter.since != nil || filter.until != nil
        let empty =
            filter.isTrash
            ? Diagnostic("No tasks in the trash") : isFiltered ? Diagnostic("No tasks match") : MinteeCommand.empty
        return .list(
            rows, TaskListItem.fields, count: Output.count(rows.count, of: found.count, "tasks"), empty: empty)
    }
}

extension TaskFilter.Order: ChoiceArgument {}
