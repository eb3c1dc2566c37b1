import Commands
import HubKit
import MinteeDomain

/// `hub mintee search`: searches all texts of tasks, best match first.
enum SearchCommand {
    static let command = TaskCommands.entity.search(
        summary: "search tasks by name, tag or note, best match first",
        examples: [
            Example("hub mintee search water", "by a word"),
            Example("hub mintee search hea run", "by beginnings of words"),
        ], prominence: .more
    ) { mintee, words in try await mintee.searchTasks(words.joined(separator: " "), limit: .max) }
}
