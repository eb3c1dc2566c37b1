package import Queries
import SQLite

/// Saved searches, in a recorded table of a plugin with the text columns `id` (primary key) and `query`.
extension Transaction {
    /// Returns the saved searches of a table, in the order of their names.
    package func savedSearches(in table: String) throws -> [SavedSearch] {
        try rows("SELECT substr(id, 2), query FROM \(table) ORDER BY id") {
            SavedSearch(name: $0.text(0), query: $0.text(1))
        }
    }

    /// Stores a search, in place of one of the same name.
    package func save(_ search: SavedSearch, in table: String) throws {
        try run(
            "INSERT INTO \(table) (id, query) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET query = excluded.query",
            SavedSearch.id(search.name), search.query)
    }

    /// Deletes the search `name`.
    package func deleteSearch(_ name: String, in table: String) throws {
        try run("DELETE FROM \(table) WHERE id = ?", SavedSearch.id(name))
    }
}
