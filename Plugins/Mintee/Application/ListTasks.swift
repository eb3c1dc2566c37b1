package import MinteeDomain
package import Storage

/// The conditions that listed tasks must meet, and their order.
package struct TaskFilter: Sendable {
    /// The sort orders of tasks.
    package enum Order: String, CaseIterable, Sendable { case name, created, changed }

    /// Folded words; each must begin a word of the name, a tag or the notes.
    package var words: [String] = []
    /// Tags that a task must have, all of them.
    package var tags: [String] = []
    /// The earliest time of the last change.
    package var since: Instant?
    /// The upper limit of the time of the last change, exclusive.
    package var until: Instant?
    /// The sort order; by name unless changed.
    package var order = Order.name
    /// Whether the sort order is reversed.
    package var isReversed = false
    /// Whether only tasks in the trash are returned, instead of live ones.
    package var isTrash = false

    package init() {}

    /// Returns the tasks among `tasks` that meet the conditions, in their order.
    func matches(in tasks: [TaskRecord]) -> [TaskRecord] {
        let tags = tags.map { TagName.folded($0) }
        return tasks.filter { record in
            tags.allSatisfy { tag in record.draft.tags.contains { TagName.folded($0) == tag } }
                && since.map { record.changedAt >= $0 } ?? true && until.map { record.changedAt < $0 } ?? true
                && (words.isEmpty || SearchWords.match(words, record))
        }
    }
}

extension MinteePlugin {
    /// Returns the tasks that match `filter`, at most `limit`.
    package func listTasks(_ filter: TaskFilter = TaskFilter(), limit: Int? = nil) async throws -> [TaskRecord] {
        var found = filter.matches(in: try await store.read { try $0.tasks(filter.isTrash ? .trashed : .live) })
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

extension MinteePlugin {
    /// Returns the live tasks in which each word of `text` begins a word of the name, a tag, the notes or a note of a
    /// day, best match first.
    package func searchTasks(_ text: String, limit: Int = 50) async throws -> [TaskRecord] {
        let words = SearchWords.split(text)
        guard !words.isEmpty else { return [] }
        let (tasks, notes) = try await store.read { (try $0.tasks(), try $0.dayNotes()) }
        let noted = Dictionary(grouping: notes, by: \.task)
        let ranked = tasks.enumerated().compactMap { offset, record -> (rank: Int, offset: Int, record: TaskRecord)? in
            let name = SearchWords.split(record.draft.name)
            if name == words { return (0, offset, record) }
            if SearchWords.begin(words, in: name) { return (1, offset, record) }
            if SearchWords.match(words, record) { return (2, offset, record) }
            let days = noted[record.id] ?? []
            let all = SearchWords.all(of: record) + days.flatMap { SearchWords.split($0.note) }
            return SearchWords.begin(words, in: all) ? (3, offset, record) : nil
        }
        return ranked.sorted { ($0.rank, $0.offset) < ($1.rank, $1.offset) }.prefix(limit).map(\.record)
    }
}

/// Words by which tasks are found.
package enum SearchWords {
    /// Returns the words of a text, without case and accents.
    package static func split(_ text: String) -> [String] {
        TagName.folded(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// Whether each of the words begins a word of the task's name, tags or notes.
    static func match(_ wanted: [String], _ record: TaskRecord) -> Bool { begin(wanted, in: all(of: record)) }

    /// Whether each of the words begins one of `words`.
    package static func begin(_ wanted: [String], in words: [String]) -> Bool {
        wanted.allSatisfy { word in words.contains { $0.hasPrefix(word) } }
    }

    /// Returns the words of the task's name, tags and notes.
    fileprivate static func all(of record: TaskRecord) -> [String] {
        split(record.draft.name) + record.draft.tags.flatMap(split) + split(record.draft.notes)
    }
}
