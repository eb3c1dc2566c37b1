package import Storage

/// The selectors of an entity besides ids and `last`.
package struct EntitySelectors<Summary: EntitySummary>: Sendable {
    /// Returns items for a text, live ones or those in the trash.
    package typealias Lookup = @Sendable (_ text: String, _ inTrash: Bool, Transaction) throws -> [Summary]

    let matches: Lookup
    let nearest: Lookup

    /// Creates the selectors. `matches` returns the items that a text without surplus spaces names, and `nearest` those
    /// with similar names, best first, for a text that names none.
    package init(matches: @escaping Lookup, nearest: @escaping Lookup = { _, _, _ in [] }) {
        self.matches = matches
        self.nearest = nearest
    }

    /// Selects by name among items that are few enough to read them all: the exact name, then the same words, then any
    /// that match the words.
    ///
    /// `words` folds a text to comparable words; `isMatch` says whether all of them are in an item, by default in its
    /// name.
    package static func names(
        words: @escaping @Sendable (String) -> [String], isMatch: (@Sendable (Summary, [String]) -> Bool)? = nil,
        all: @escaping @Sendable (_ inTrash: Bool, Transaction) throws -> [Summary]
    ) -> EntitySelectors {
        EntitySelectors { text, inTrash, transaction in
            let items = try all(inTrash, transaction)
            let exact = items.filter { $0.name == text }
            if !exact.isEmpty { return exact }
            let wanted = words(text)
            let same = items.filter { words($0.name) == wanted }
            if same.count == 1 || wanted.isEmpty { return same }
            return items.filter { item in
                isMatch?(item, wanted)
                    ?? wanted.allSatisfy { word in words(item.name).contains { $0.hasPrefix(word) } }
            }
        } nearest: { text, inTrash, transaction in
            let items = try all(inTrash, transaction)
            let name = Suggestion.nearest(to: text, in: items.map(\.name))
            return items.filter { $0.name == name }
        }
    }
}

extension EntityKind {
    /// Returns the candidates for a selector, by the first rule that finds one: `last`, the beginning of an id, then
    /// the selectors of the entity.
    func matches(_ text: String, inTrash: Bool, in transaction: Transaction) throws -> [Summary] {
        if text == "last" { return try newest(inTrash: inTrash, in: transaction).map { [$0] } ?? [] }
        if Identifier.isPrefix(text) {
            let ids = try rows.ids(beginningWith: text, inTrash: inTrash, in: transaction)
            if !ids.isEmpty { return try summaries(ids, inTrash, in: transaction) }
        }
        return try selectors.matches(text, inTrash, transaction)
    }

    /// Returns the name and the short id of the item whose name is most like `text`.
    func nearest(to text: String, inTrash: Bool = false, in transaction: Transaction) throws -> String? {
        guard let near = try selectors.nearest(text, inTrash, transaction).first else { return nil }
        let short = try shortIDs(of: [near.id], in: transaction)[near.id] ?? near.id
        return ListedEntity(near, shortID: short).label
    }

    /// Returns the item that was created last, or that was moved to the trash last.
    private func newest(inTrash: Bool, in transaction: Transaction) throws -> Summary? {
        try rows.newest(inTrash: inTrash, in: transaction).flatMap {
            try summaries([$0], inTrash, in: transaction).first
        }
    }

    private func summaries(_ ids: [String], _ inTrash: Bool, in transaction: Transaction) throws -> [Summary] {
        inTrash ? try ids.compactMap { try find($0, transaction)?.summary } : try summaries(ids, transaction)
    }
}

extension EntityKind {
    /// The rows of the main table.
    var rows: EntityTable { EntityTable(table) }

    /// Returns the shortest unique prefix of each id, of three characters or more; items in the trash count.
    func shortIDs(of ids: [String], in transaction: Transaction) throws -> [String: String] {
        try transaction.shortIDs(of: ids, inTables: idTables)
    }
}
