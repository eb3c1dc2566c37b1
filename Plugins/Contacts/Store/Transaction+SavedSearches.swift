package import ContactsDomain
import SQLite
package import Storage

extension Transaction {
    /// Returns the saved searches, in the order of their names.
    package func savedSearches() throws -> [SavedSearch] {
        try rows("SELECT substr(id, 2), query FROM contacts_search ORDER BY id") {
            SavedSearch(name: $0.text(0), query: $0.text(1))
        }
    }

    /// Stores a search, in place of one of the same name.
    package func saveSearch(_ search: SavedSearch) throws {
        try run(
            "INSERT INTO contacts_search (id, query) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET query = excluded.query",
            SavedSearch.id(search.name), search.query)
    }

    /// Deletes the search `name`.
    package func deleteSearch(_ name: String) throws {
        try run("DELETE FROM contacts_search WHERE id = ?", SavedSearch.id(name))
    }
}
