package import HubKit
package import MinteeDomain

/// Returns tasks that match a filter.
package struct GetTasks: Sendable {
    /// The sort orders of tasks.
    package enum Order: String, CaseIterable, Sendable { case name, created, changed }

    /// The conditions that tasks must meet.
    package struct Filter: Sendable {
        /// Folded words; each must begin a word of the name, a tag or the notes.
        package var words: [String] = []
        /// Tags that a task must have, all of them.
        package var tags: [String] = []
        /// The earliest time of the last change, in milliseconds since 1970-01-01T00:00:00Z.
        package var since: Int64?
        /// The upper limit of the time of the last change, exclusive, in the same unit.
        package var until: Int64?
        /// The sort order; by name unless changed.
        package var order = Order.name
        /// Whether the sort order is reversed.
        package var isReversed = false
        /// Whether only tasks in the trash are returned, instead of live ones.
        package var isTrash = false

        package init() {}
    }

    let store: Store

    package init(_ store: Store) { self.store = store }

    /// Returns the tasks that match `filter`, at most `limit`.
    package func callAsFunction(_ filter: Filter = Filter(), limit: Int? = nil) async throws -> [TaskRecord] {
        let all = try await store.read { try $0.tasks(filter.isTrash ? .trashed : .live) }
        let tags = filter.tags.map { TagName.folded($0) }
        var found = all.filter { record in
            tags.allSatisfy { tag in record.draft.tags.contains { TagName.folded($0) == tag } }
                && record.changedAt >= filter.since ?? .min && record.changedAt < filter.until ?? .max
                && (filter.words.isEmpty || SearchTasks.isMatch(record, filter.words))
        }
        switch filter.order {
        case .name:
            let keys = Dictionary(uniqueKeysWithValues: found.map { ($0.id, TagName.folded($0.draft.name)) })
            found.sort { (keys[$0.id] ?? "", $0.draft.name) < (keys[$1.id] ?? "", $1.draft.name) }
        case .created: found.sort { $0.createdAt < $1.createdAt }
        case .changed: found.sort { $0.changedAt < $1.changedAt }
        }
        if filter.isReversed { found.reverse() }
        return Array(found.prefix(limit ?? .max))
    }
}

/// Searches all texts of tasks, best match first.
package struct SearchTasks: Sendable {
    let store: Store

    package init(_ store: Store) { self.store = store }

    /// Returns the live tasks in which each word of `text` begins a word of the name, a tag, the notes or a note of a
    /// day.
    package func callAsFunction(_ text: String, limit: Int = 50) async throws -> [TaskRecord] {
        let words = SearchTasks.words(text)
        guard !words.isEmpty else { return [] }
        let (tasks, notes) = try await store.read { (try $0.tasks(), try $0.dayNotes()) }
        let noted = Dictionary(grouping: notes, by: \.task)
        let ranked = tasks.enumerated().compactMap { offset, record -> (rank: Int, offset: Int, record: TaskRecord)? in
            let name = SearchTasks.words(record.draft.name)
            if name == words { return (0, offset, record) }
            if SearchTasks.begins(words, in: name) { return (1, offset, record) }
            if SearchTasks.isMatch(record, words) { return (2, offset, record) }
            let days = noted[record.id] ?? []
            let all = SearchTasks.words(record) + days.flatMap { SearchTasks.words($0.note) }
            return SearchTasks.begins(words, in: all) ? (3, offset, record) : nil
        }
        return ranked.sorted { ($0.rank, $0.offset) < ($1.rank, $1.offset) }.prefix(limit).map(\.record)
    }

    /// The folded words of a text.
    package static func words(_ text: String) -> [String] {
        TagName.folded(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Whether all words begin a word of the task's name, tags or notes.
    static func isMatch(_ record: TaskRecord, _ wanted: [String]) -> Bool { begins(wanted, in: words(record)) }

    private static func words(_ record: TaskRecord) -> [String] {
        words(record.draft.name) + record.draft.tags.flatMap(words) + words(record.draft.notes)
    }

    private static func begins(_ wanted: [String], in words: [String]) -> Bool {
        wanted.allSatisfy { word in words.contains { $0.hasPrefix(word) } }
    }
}
