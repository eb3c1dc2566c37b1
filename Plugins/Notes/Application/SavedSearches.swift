package import HubKit
package import NotesDomain
package import Queries

extension NotesPlugin: SearchPlugin {
    /// The saved searches.
    package var savedSearches: SavedSearches {
        SavedSearches(in: store, table: "notes_search", topic: NotesEvents.bulk)
    }

    /// What the commands and routes of saved searches say.
    package static let searchTexts = SavedSearchTexts(
        plugin: "notes", many: "notes",
        examples: [
            ("work", "tag:work", "used as @work"), ("fresh", "folder:projects changed:<30d", "several conditions"),
        ])

    /// Returns whether a query has no word and no condition.
    package func isEmptyQuery(_ query: String, saved: [String: String]) throws(QueryError) -> Bool {
        let filter = try NoteFilter(query: query, now: clock.now, reader: ownName, saved: saved)
        return filter == NoteFilter(words: filter.words) && NoteQuery(filter.words).isEmpty
    }

    /// Reads a query, in which `@name` stands for a saved search. Throws a usage error that says what is wrong.
    package func filter(_ query: String) async throws -> NoteFilter {
        let saved = try await savedSearches.queries(for: query)
        return try SavedSearches.reading(query) { () throws(QueryError) in
            try NoteFilter(query: query, now: clock.now, reader: ownName, saved: saved)
        }
    }
}
