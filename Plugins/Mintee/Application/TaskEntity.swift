package import HubKit
package import MinteeDomain
import Storage

extension TaskRecord: EntityRecord, EntitySummary {
    /// The name of the task.
    package var name: String { draft.name }
    /// The days and targets.
    package var distinction: String { draft.daysText }
}

extension TaskRecord {
    /// The description of tasks, from which their selectors, trash, tags and history follow.
    package static let kind: EntityKind<TaskRecord> = EntityKind(
        one: "task", many: "tasks", command: "hub mintee", table: "mintee_task",
        idTables: ["mintee_task", "mintee_analysis"], topics: MinteeEvents.taskTopics,
        selectors: .names(words: SearchWords.split, isMatch: { SearchWords.match($1, $0) }) { inTrash, transaction in
            try transaction.tasks(inTrash ? .trashed : .live)
        },
        rules: EntityKind<TaskRecord>.Rules(
            willRestore: { try $1.requireName(of: $0) }, destroy: { try $1.destroyTask($0) },
            reindex: { try $1.noteServedChanges(of: $0) }),
        tags: tags, versions: versions,
        summaries: { ids, transaction in
            let found = Dictionary(uniqueKeysWithValues: try transaction.tasks().map { ($0.id, $0) })
            return ids.compactMap { found[$0] }
        }, find: { try $1.task($0) })

    /// Tags are compared without case and accents.
    private static let tags: EntityTags<TaskRecord> = EntityTags({ $0.draft.tags }, folded: { TagName.folded($0) }) {
        try $0.taskTags()
    } tagged: { tags, words, transaction in
        var filter = TaskFilter()
        (filter.tags, filter.words) = (tags, SearchWords.split(words))
        return filter.matches(in: try transaction.tasks())
    } change: { id, transaction, change in
        let record = try transaction.liveTask(id)
        var draft = record.draft
        change(&draft.tags)
        try draft.violations.enforce()
        guard draft.tags != record.draft.tags else { return nil }
        try transaction.setTags(draft.tags, of: id)
        try transaction.emit(MinteeEvents.taskChanged, record)
        return try transaction.liveTask(id)
    }

    /// A version of a task is its rows, with the names that its tags had.
    private static let versions: EntityVersions<TaskRecord> = EntityVersions { rows in
        rows.taskChanges
    } read: { rows, snapshot in
        guard rows.taskName != nil else { return nil }
        var tags: [String] = []
        for folded in rows.foldedTags { tags.append(try await snapshot.rows(of: folded).tagName ?? folded) }
        return StoredTaskVersion(rows: rows, tags: tags)
    } differences: { (before: StoredTaskVersion?, after: StoredTaskVersion?) in
        TaskDifference.all(before?.task, after?.task).map {
            VersionDifference($0.what, before: $0.before, after: $0.after)
        }
    } restore: { id, version, transaction in
        try transaction.requireName(version.rows.taskName ?? "", of: id)
        try transaction.restoreTask(id, from: version)
        let record = try transaction.liveTask(id)
        try transaction.emit(MinteeEvents.taskChanged, record)
        return record
    }
}

extension Transaction {
    /// Returns the live task `id`. Throws `not-found`, and `conflict` if it is no longer at `revision`, if given.
    func liveTask(_ id: String, expecting revision: Int? = nil) throws -> TaskRecord {
        try TaskRecord.kind.live(id, expecting: revision, in: self)
    }

    /// Throws if another live task has this name.
    func requireName(_ name: String, of id: String?) throws {
        guard let other = try taskID(named: name), other != id else { return }
        throw HubError.breaking(
            "TASK-5", name, "is already the name of another task",
            hint: "rename that one: hub mintee edit \"\(name)\" --name NAME, or take another name")
    }

    /// Throws, with a hint, if a live task has taken the name of one in the trash.
    fileprivate func requireName(of record: TaskRecord) throws {
        guard let other = try taskID(named: record.name), other != record.id else { return }
        throw HubError.breaking(
            "TASK-5", record.name, "is now the name of another task",
            hint: "rename that one, then restore: hub mintee edit \(other) --name \"\(record.name) 2\"")
    }
}
