package import Commands
package import Storage

/// The items of one of a plugin's main nouns, with the use cases that all entities share.
package struct Entities<Record: EntityRecord>: Sendable {
    /// The values of an item in lists and messages.
    package typealias Summary = Record.Summary

    /// The description of the entity.
    package let kind: EntityKind<Record>
    /// The store that the items are read from and written to.
    package let store: any EntityStore
    let config: Config
    let clock: any Clock

    /// Creates the use cases of the entity `kind` over `store`.
    package init(_ kind: EntityKind<Record>, in store: any EntityStore, context: Context) {
        self.kind = kind
        self.store = store
        config = context.config
        clock = context.clock
    }

    /// Returns the item with the full id `id`, live or in the trash. Throws `not-found`.
    package func get(_ id: String) async throws -> Record { try await store.read { try kind.item(id, in: $0) } }

    /// Returns the item with the id of a path, or the only one whose id begins with it, as in `hub web tea:7kt`. Throws
    /// `not-found`.
    package func item(_ id: String) async throws -> Record {
        do {
            return try await get(id)
        } catch let error as HubError where error.kind == .notFound && Identifier.isPrefix(id) {
            let found = try await resolve(id)
            guard found.count == 1 else { throw error }
            return try await get(found[0].id)
        }
    }

    /// Returns the item that `selector` matches, or several candidates to choose from; live ones, or with `inTrash`
    /// those in the trash.
    ///
    /// Throws `not-found`, with the nearest name as a hint.
    package func resolve(_ selector: String, inTrash: Bool = false) async throws -> [Summary] {
        let text = selector.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else { throw HubError(.usage, code: "selector-empty", "the selector is empty") }
        let (found, near) = try await store.read { transaction -> ([Summary], String?) in
            let found = try kind.matches(text, inTrash: inTrash, in: transaction)
            return (found, found.isEmpty ? try kind.nearest(to: text, inTrash: inTrash, in: transaction) : nil)
        }
        if !found.isEmpty { return found }
        throw HubError(
            .notFound, code: "\(kind.one)-not-found",
            "no \(kind.one)\(inTrash ? " in the trash" : "") matches \"\(text)\"",
            hint: near.map { "did you mean \($0)?" })
    }

    /// Returns the shortest unique prefix of each id, of three characters or more.
    package func shortIDs(of ids: [String]) async throws -> [String: String] {
        try await store.store.read { try kind.shortIDs(of: ids, in: $0) }
    }

    /// Returns the shortest unique prefix of an id.
    package func shortID(of id: String) async throws -> String { try await shortIDs(of: [id])[id] ?? id }

    /// Returns the names of the live items among `ids`, for history and undo.
    package func names(of ids: [String]) async throws -> [String: String] {
        let found = try await store.read { try kind.summaries(ids, $0) }
        return Dictionary(found.map { ($0.id, $0.name) }) { first, _ in first }
    }

    /// The number of deleted items that are looked up in the history, which takes a look at each of their changes.
    private static var lookups: Int { 100 }

    /// Returns the ids among `ids` that are items of this kind, live or in the trash, or were by the history.
    func known(among ids: [String]) async throws -> Set<String> {
        var known = try await store.store.read { transaction in
            Set(try ids.filter { try kind.rows.contains($0, in: transaction) })
        }
        let history = store.store.database.history
        for id in ids.lazy.filter({ [known] in !known.contains($0) }).prefix(Self.lookups) {
            let versions = try await history.versions(of: id, owner: store.store.owner)
            if versions.contains(where: { $0.changes.contains { $0.table == kind.table } }) { known.insert(id) }
        }
        return known
    }

    /// Returns the items as rows of a table.
    package func listed(_ summaries: [Summary]) async throws -> [ListedEntity<Summary>] {
        let short = try await shortIDs(of: summaries.map(\.id))
        return summaries.map { ListedEntity($0, shortID: short[$0.id] ?? $0.id) }
    }

    /// Returns the item as a row of a table.
    package func listed(_ summary: Summary) async throws -> ListedEntity<Summary> {
        ListedEntity(summary, shortID: try await shortID(of: summary.id))
    }

    /// Returns the name and the short id for a message: `Łukasz Nowak (7kt)`.
    package func label(of summary: Summary) async throws -> String { try await listed(summary).label }
}

extension Entities {
    /// Returns the item that `word` matches. If several match, the user picks one on a terminal.
    package func select(_ word: String, inTrash: Bool = false, asking input: Input) async throws -> Summary {
        let found = try await resolve(word, inTrash: inTrash)
        if found.count == 1 { return found[0] }
        let rows = try await listed(found)
        let candidates = rows.map(\.candidate)
        let picked = try await input.pick(candidates, named: word, noun: kind.many)
        guard let row = rows.first(where: { $0.shortID == picked.id }) else {
            throw HubError.ambiguous(candidates, named: word, noun: kind.many)
        }
        return row.summary
    }

    /// Returns the items that `words` match, each once and in order; `-` reads more words from stdin, one per line.
    package func select(_ words: [String], inTrash: Bool = false, asking input: Input) async throws -> [Summary] {
        var (chosen, seen): ([Summary], Set<String>) = ([], [])
        for word in try await input.selectors(words) {
            let item = try await select(word, inTrash: inTrash, asking: input)
            if seen.insert(item.id).inserted { chosen.append(item) }
        }
        return chosen
    }
}

/// The store through which an entity is read and written.
///
/// A plugin whose derived rows must be up to date before they are used puts a type of its own in front of `Store`.
package protocol EntityStore: Sendable {
    /// The plugin's tables.
    var store: Store { get }

    /// Runs `body` on a consistent snapshot.
    func read<T: Sendable>(_ body: @Sendable (Transaction) throws -> T) async throws -> T

    /// Runs `body` as one change, which is durable when this returns.
    @discardableResult
    func write<T: Sendable>(
        _ operation: Operation, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T
}

extension Store: EntityStore {
    /// The store itself.
    package var store: Store { self }
}
