package import Queries
package import Storage

/// A plugin whose queries can be saved under names. It gets the commands and routes of ``SavedSearchCommands``.
package protocol SearchPlugin: Plugin {
    /// The saved searches.
    var savedSearches: SavedSearches { get }
    /// What its commands and routes say.
    static var searchTexts: SavedSearchTexts { get }
    /// Returns whether a query has no word and no condition; `saved` has the queries of saved searches by name. Throws if it cannot
    /// be read.
    func isEmptyQuery(_ query: String, saved: [String: String]) throws(QueryError) -> Bool
}

/// The saved searches of a plugin, in a recorded table of its own with the text columns `id` (primary key) and `query`.
package struct SavedSearches: Sendable {
    private let store: any EntityStore
    private let table: String
    private let topic: Topic

    /// Creates the searches of a table; `topic` is published when they change.
    package init(in store: any EntityStore, table: String, topic: Topic) {
        self.store = store
        self.table = table
        self.topic = topic
    }

    /// Returns the saved searches, in the order of their names.
    package func all() async throws -> [SavedSearch] {
        try await store.store.read { [table] in try $0.savedSearches(in: table) }
    }

    /// Returns the queries by name; none are read for a query that uses none.
    package func queries(for query: String) async throws -> [String: String] {
        guard query.contains("@") else { return [:] }
        return Dictionary(try await all().map { ($0.name, $0.query) }) { first, _ in first }
    }

    /// Saves a query under a name, in place of an earlier one. Throws `search-name-invalid` if the name is not one, `search-empty`
    /// for a query that finds everything, and a usage error if the query cannot be read.
    func save(
        _ name: String, _ query: String, operation: Operation, isEmpty: ([String: String]) throws(QueryError) -> Bool
    ) async throws -> SavedSearch {
        let search = SavedSearch(name: try Self.valid(name), query: query)
        var queries = Dictionary(try await all().map { ($0.name, $0.query) }) { first, _ in first }
        queries[search.name] = query
        guard !(try Self.reading(query) { () throws(QueryError) in try isEmpty(queries) }) else {
            throw HubError(
                .invalid, code: "search-empty", "the query is empty",
                hint: "such as tag:chess or two words changed:<30d")
        }
        return try await write(operation) { table, transaction in
            try transaction.save(search, in: table)
            return search
        }
    }

    /// Gives a saved search another name, also in the searches that use it. Throws `search-not-found`, and `search-exists` if
    /// another one has the name.
    func rename(_ name: String, to new: String, command: String, operation: Operation) async throws -> SavedSearch {
        let name = try Self.valid(new, of: try await find(name, command: command))
        return try await write(operation) { table, transaction in
            let all = try transaction.savedSearches(in: table)
            guard let old = all.first(where: { $0.name == name.old }) else { throw Self.missing(name.old, command) }
            guard name.new == name.old || !all.contains(where: { $0.name == name.new }) else {
                throw HubError(
                    .conflict, code: "search-exists", "there is another saved search \"\(name.new)\"",
                    hint: "\(command) searches rm \(name.new) deletes it")
            }
            try transaction.deleteSearch(old.name, in: table)
            for other in all {
                let changed = SavedSearch(name: other.name == old.name ? name.new : other.name, query: other.query)
                    .using(name.new, for: old.name)
                if changed != other { try transaction.save(changed, in: table) }
            }
            return SavedSearch(name: name.new, query: old.query)
        }
    }

    /// Deletes a saved search, and returns it. Throws `search-not-found`, and `search-used` if others use it.
    func delete(_ name: String, command: String, operation: Operation) async throws -> SavedSearch {
        let search = try await find(name, command: command)
        return try await write(operation) { table, transaction in
            let users = try transaction.savedSearches(in: table).filter {
                $0.name != search.name && $0.using("", for: search.name) != $0
            }
            guard users.isEmpty else {
                throw HubError(
                    .conflict, code: "search-used",
                    "@\(search.name) is used by \(users.map { "@\($0.name)" }.joined(separator: ", "))",
                    hint: "change or delete that first")
            }
            try transaction.deleteSearch(search.name, in: table)
            return search
        }
    }

    /// Runs `body`, with the error of a query as a usage error.
    package static func reading<T>(_ query: String, _ body: () throws(QueryError) -> T) throws(HubError) -> T {
        do throws(QueryError) {
            return try body()
        } catch {
            throw HubError(
                .usage, code: "query-invalid", "\"\(TerminalSanitizer.line(error.part))\": \(error.message)",
                hint: error.hint)
        }
    }

    private func write(
        _ operation: Operation, _ body: @escaping @Sendable (String, Transaction) throws -> SavedSearch
    ) async throws -> SavedSearch {
        try await store.write(operation) { [table, topic] transaction in
            let search = try body(table, transaction)
            transaction.afterCommit(topic)
            return search
        }
    }

    private func find(_ name: String, command: String) async throws -> SavedSearch {
        let all = try await all()
        let wanted = SavedSearch.name(name)
        if let search = all.first(where: { $0.name == wanted }) { return search }
        throw Self.missing(name, command, near: Suggestion.nearest(to: name, in: all.map(\.name)))
    }

    private static func missing(_ name: String, _ command: String, near: String? = nil) -> HubError {
        HubError(
            .notFound, code: "search-not-found", "no saved search \"\(TerminalSanitizer.line(name))\"",
            hint: near.map { "did you mean \($0)?" } ?? "\(command) searches lists them")
    }

    private static func valid(_ name: String) throws(HubError) -> String {
        if let valid = SavedSearch.name(name) { return valid }
        throw HubError(
            .invalid, code: "search-name-invalid", "invalid name \"\(TerminalSanitizer.line(name))\"",
            hint: "letters, digits, - and _, at most \(SavedSearch.maximumLength)")
    }

    private static func valid(_ new: String, of old: SavedSearch) throws(HubError) -> (old: String, new: String) {
        (old.name, try valid(new))
    }
}

extension SearchPlugin {
    /// Saves a query under a name, in place of an earlier one. Throws if the name or the query is invalid.
    package func saveSearch(_ name: String, _ query: String, operation: Operation) async throws -> SavedSearch {
        try await savedSearches.save(name, query, operation: operation) { queries throws(QueryError) in
            try isEmptyQuery(query, saved: queries)
        }
    }

    /// Gives a saved search another name, also in the searches that use it. Throws `search-not-found` or `search-exists`.
    package func renameSearch(_ name: String, to new: String, operation: Operation) async throws -> SavedSearch {
        try await savedSearches.rename(name, to: new, command: Self.searchTexts.command, operation: operation)
    }

    /// Deletes a saved search, and returns it. Throws `search-not-found` or `search-used`.
    package func deleteSearch(_ name: String, operation: Operation) async throws -> SavedSearch {
        try await savedSearches.delete(name, command: Self.searchTexts.command, operation: operation)
    }
}
