package import Storage

/// The tags of an entity's items.
package struct EntityTags<Record: EntityRecord>: Sendable {
    /// Changes the tags of the live item `id` with the closure, stores and publishes the change, and returns the item;
    /// nil if its tags stay as they are.
    package typealias Change =
        @Sendable (_ id: String, Transaction, _ change: (inout [String]) -> Void) throws -> Record?

    let tags: @Sendable (Record.Summary) -> [String]
    let folded: @Sendable (String) -> String
    let usage: @Sendable (Transaction) throws -> [TagUsage]
    let tagged: @Sendable (_ tags: [String], _ words: String, Transaction) throws -> [Record.Summary]
    let change: Change

    /// Creates the description. `folded` returns the form in which tags are compared, `usage` the tags in use, and
    /// `tagged` the live items that have all of some tags and match words.
    package init(
        _ tags: @escaping @Sendable (Record.Summary) -> [String], folded: @escaping @Sendable (String) -> String,
        usage: @escaping @Sendable (Transaction) throws -> [TagUsage],
        tagged: @escaping @Sendable (_ tags: [String], _ words: String, Transaction) throws -> [Record.Summary],
        change: @escaping Change
    ) {
        self.tags = tags
        self.folded = folded
        self.usage = usage
        self.tagged = tagged
        self.change = change
    }
}

extension EntityTags where Record.Summary == Record {
    /// Describes tags that are a property of few items: `all` returns the live items that match words, and `save` stores
    /// and publishes a changed item.
    package init(
        _ tags: any WritableKeyPath<Record, [String]> & Sendable, folded: @escaping @Sendable (String) -> String,
        all: @escaping @Sendable (_ words: String, Transaction) throws -> [Record],
        find: @escaping @Sendable (_ id: String, Transaction) throws -> Record,
        save: @escaping @Sendable (Record, Transaction) throws -> Record
    ) {
        self.init({ $0[keyPath: tags] }, folded: folded) { transaction in
            let used = try all("", transaction).flatMap { $0[keyPath: tags] }
            return Dictionary(grouping: used, by: folded).sorted { $0.key < $1.key }.map {
                TagUsage($0.value[0], count: $0.value.count)
            }
        } tagged: { wanted, words, transaction in
            try all(words, transaction).filter { Set(wanted.map(folded)).isSubset(of: $0[keyPath: tags].map(folded)) }
        } change: { id, transaction, change in
            let record = try find(id, transaction)
            var changed = record
            change(&changed[keyPath: tags])
            return changed[keyPath: tags] == record[keyPath: tags] ? nil : try save(changed, transaction)
        }
    }
}

extension Entities {
    /// Returns the tags in use, sorted by name; none if the items have no tags.
    package func tags() async throws -> [TagUsage] {
        guard let tags = kind.tags else { return [] }
        return try await store.read { try tags.usage($0) }
    }

    /// Adds the tags `added` to the live items `ids`, and removes `removed`; equal tags are compared in their folded
    /// form.
    /// - Returns: the changed items.
    package func setTags(
        of ids: [String], adding added: [String] = [], removing removed: [String] = [], operation: Operation
    ) async throws -> [Record] {
        guard let tags = kind.tags else { return [] }
        let added = added.map(Self.trimmed).filter { !$0.isEmpty }
        let gone = Set(removed.map { tags.folded(Self.trimmed($0)) })
        return try await store.write(operation) { transaction in
            try ids.compactMap { id in
                try tags.change(id, transaction) { present in
                    present.removeAll { gone.contains(tags.folded($0)) }
                    var known = Set(present.map(tags.folded))
                    present += added.filter { known.insert(tags.folded($0)).inserted }
                }
            }
        }
    }

    /// Returns the live items that have all of `tags` and match `words`.
    func tagged(_ tags: [String], words: [String]) async throws -> [Summary] {
        let text = words.joined(separator: " ")
        return try await store.read { try kind.tags?.tagged(tags, text, $0) ?? [] }
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
