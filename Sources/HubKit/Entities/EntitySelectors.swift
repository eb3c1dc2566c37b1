import SQLite

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
            // `~` sorts after every character of an id.
            let ids = try transaction.rows(
                "SELECT id FROM \(table) WHERE id >= ? AND id < ? AND \(condition(inTrash)) ORDER BY id", text,
                text + "~"
            ) { $0.text(0) }
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
        let order = inTrash ? "deleted_at DESC, rowid DESC" : "rowid DESC"
        let id = try transaction.row(
            "SELECT id FROM \(table) WHERE \(condition(inTrash)) ORDER BY \(order) LIMIT 1"
        ) { $0.text(0) }
        return try id.flatMap { try summaries([$0], inTrash, in: transaction).first }
    }

    private func summaries(_ ids: [String], _ inTrash: Bool, in transaction: Transaction) throws -> [Summary] {
        inTrash ? try ids.compactMap { try find($0, transaction)?.summary } : try summaries(ids, transaction)
    }

    private func condition(_ inTrash: Bool) -> String { inTrash ? "deleted_at IS NOT NULL" : "deleted_at IS NULL" }
}

extension EntityKind {
    /// Returns the shortest unique prefix of each id, of three characters or more; items in the trash count.
    func shortIDs(of ids: [String], in transaction: Transaction) throws -> [String: String] {
        var size = 0
        for table in idTables {
            size += try transaction.row("SELECT max(rowid) FROM \(table)") { $0.optionalInt(0) ?? 0 } ?? 0
        }
        // One pass over all ids is cheaper than two look-ups for many.
        return ids.count * 16 >= size
            ? try shortIDs(amongAll: ids, in: transaction)
            : Dictionary(
                try ids.map { ($0, String($0.prefix(try shortIDLength($0, in: transaction)))) }
            ) { first, _ in first }
    }

    private func shortIDLength(_ id: String, in transaction: Transaction) throws -> Int {
        var (before, after): ([String], [String]) = ([], [])
        for table in idTables {
            let last = try transaction.row("SELECT max(id) FROM \(table) WHERE id < ?", id) { $0.optionalText(0) }
            let next = try transaction.row("SELECT min(id) FROM \(table) WHERE id > ?", id) { $0.optionalText(0) }
            before += [last ?? nil].compactMap(\.self)
            after += [next ?? nil].compactMap(\.self)
        }
        return ShortIDs.shorten(id, before: before.max(), after: after.min())
    }

    private func shortIDs(amongAll wanted: [String], in transaction: Transaction) throws -> [String: String] {
        var lengths = [Int?](repeating: nil, count: wanted.count)
        var places = SortedIDs(wanted)
        var before: [UInt8] = []
        // The wanted id of the last row, with what it shares with the row before it.
        var open: (place: Int, shared: Int)?
        func close(sharing shared: Int) {
            guard let (place, sharedBefore) = open else { return }
            lengths[place] = ShortIDs.length(of: wanted[place], sharing: max(shared, sharedBefore))
        }
        let all = idTables.map { "SELECT id FROM \($0)" }.joined(separator: " UNION ALL ")
        try transaction.scan("\(all) ORDER BY id") { row in
            row.withBytes(0) { id in
                let shared = ShortIDs.sharedCount(before, id)
                close(sharing: shared)
                open = places.place(of: id).map { ($0, shared) }
                before.removeAll(keepingCapacity: true)
                before.append(contentsOf: id)
            }
            return true
        }
        close(sharing: 0)
        var short: [String: String] = [:]
        short.reserveCapacity(wanted.count)
        for (id, length) in zip(wanted, lengths) where short[id] == nil {
            // One without a length is not stored, such as that of a planned item, or comes twice.
            let length = try length ?? shortIDLength(id, in: transaction)
            short[id] = String(decoding: id.utf8.prefix(length), as: UTF8.self)
        }
        return short
    }
}
