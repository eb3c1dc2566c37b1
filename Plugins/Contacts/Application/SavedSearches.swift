package import ContactsDomain
import Storage
package import System

extension ContactsPlugin {
    /// Parses a query, in which `@name` stands for a saved search. Throws a usage error that says what is wrong.
    package func query(_ text: String) async throws -> ContactQuery {
        try parse(text, saved: text.contains("@") ? await searches() : [])
    }

    private func parse(_ text: String, saved: [SavedSearch]) throws(HubError) -> ContactQuery {
        do throws(ContactQuery.ParseError) {
            return try ContactQuery(
                text, now: clock.now,
                saved: Dictionary(saved.map { ($0.name, $0.query) }) { first, _ in first })
        } catch {
            throw HubError(
                .usage, code: "query-invalid", "\"\(TerminalSanitizer.line(error.part))\": \(error.message)",
                hint: error.hint)
        }
    }

    /// Returns the saved searches, in the order of their names.
    package func searches() async throws -> [SavedSearch] { try await contacts.read { try $0.savedSearches() } }

    /// Saves a query under a name, in place of an earlier one. Throws `invalid` if the name is not one, and a usage error if
    /// the query cannot be read.
    package func saveSearch(_ name: String, _ query: String, operation: Operation) async throws -> SavedSearch {
        guard let name = SavedSearch.name(name) else {
            throw HubError(
                .invalid, code: "search-name-invalid", "invalid name \"\(TerminalSanitizer.line(name))\"",
                hint: "letters, digits, - and _, at most \(SavedSearch.maximumLength)")
        }
        let search = SavedSearch(name: name, query: query)
        let others = try await searches().filter { $0.name != name }
        guard !(try parse(query, saved: others + [search])).isEmpty else {
            throw HubError(
                .invalid, code: "search-empty", "the query is empty",
                hint: "such as tag:chess or has:phone changed:<30d")
        }
        return try await contacts.write(operation) { transaction in
            try transaction.saveSearch(search)
            transaction.afterCommit(ContactEvents.bulkChanged)
            return search
        }
    }

    /// Deletes the saved search `name`, and returns it. Throws `not-found`.
    package func deleteSearch(_ name: String, operation: Operation) async throws -> SavedSearch {
        let all = try await searches()
        let wanted = SavedSearch.name(name)
        guard let search = all.first(where: { $0.name == wanted }) else {
            let near = Suggestion.nearest(to: name, in: all.map(\.name))
            throw HubError(
                .notFound, code: "search-not-found", "no saved search \"\(TerminalSanitizer.line(name))\"",
                hint: near.map { "did you mean \($0)?" } ?? "hub contacts searches lists them")
        }
        return try await contacts.write(operation) { transaction in
            try transaction.deleteSearch(search.name)
            transaction.afterCommit(ContactEvents.bulkChanged)
            return search
        }
    }
}
