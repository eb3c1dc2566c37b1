package import HubKit
package import MinteeDomain

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
