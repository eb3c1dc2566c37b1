package import ContactsDomain
package import HubKit
package import Queries

extension ContactsPlugin: SearchPlugin {
    /// The saved searches.
    package var savedSearches: SavedSearches {
        SavedSearches(in: contacts, table: "contacts_search", topic: ContactEvents.bulkChanged)
    }

    /// What the commands and routes of saved searches say.
    package static let searchTexts = SavedSearchTexts(
        plugin: "contacts", many: "contacts",
        examples: [
            ("family", "tag:family", "used as @family"), ("stale", "has:phone -tag:old", "several conditions"),
        ])

    /// Returns whether a query has no word and no condition.
    package func isEmptyQuery(_ query: String, saved: [String: String]) throws(QueryError) -> Bool {
        try ContactQuery(query, now: clock.now, saved: saved).isEmpty
    }

    /// Parses a query, in which `@name` stands for a saved search. Throws a usage error that says what is wrong.
    package func query(_ text: String) async throws -> ContactQuery {
        let saved = try await savedSearches.queries(for: text)
        return try SavedSearches.reading(text) { () throws(QueryError) in
            try ContactQuery(text, now: clock.now, saved: saved)
        }
    }
}
