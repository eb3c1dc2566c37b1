import Commands
import HubKit
import MinteeDomain

/// `hub mintee list`: lists tasks by name.
enum ListCommand {
    static let command = TaskCommands.entity.list(
        summary: "list tasks by name",
        examples: [
            Example("hub mintee list --tag health", "tasks with a tag"),
            Example("hub mintee list --sort changed --reverse", "most recently changed first"),
        ], by: TaskFilter.Order.self, empty: MinteeCommand.empty
    ) { mintee, request, _ in
        var filter = TaskFilter()
        filter.words = SearchWords.split(request.words)
        filter.tags = request.tags
        filter.since = request.since
        filter.until = request.until
        filter.order = request.order
        filter.isReversed = request.isReversed
        filter.isTrash = request.isTrash
        return try await mintee.listTasks(filter)
    }
}

extension TaskFilter.Order: ChoiceArgument {}
