package import HubKit
package import MinteeDomain

/// An operation with its changes of a task.
package struct TaskHistoryEntry: Sendable {
    /// The operation.
    package let operation: OperationRecord
    /// The changes, in a few words each.
    package let changes: [String]
}

extension MinteePlugin {
    /// Returns the changes of the task with the full id `id`, newest first, as far back as history goes.
    package func history(of id: String) async throws -> [TaskHistoryEntry] {
        try await store.database.history.versions(of: id, owner: store.owner).map {
            TaskHistoryEntry(operation: $0.operation, changes: $0.changes.taskChanges)
        }
    }

    /// Restores the task `id` with its entries as of `moment`, as a new change.
    ///
    /// Throws `not-found` if it did not exist then, or if history does not go back that far, and `invalid` (TASK-5) if
    /// another task now has its name.
    package func restore(_ id: String, at moment: Instant, operation: Operation) async throws -> TaskRecord {
        let (rows, tags) = try await store.version(of: id, at: moment)
        guard let name = rows.taskName else {
            throw HubError(.notFound, code: "not-there-then", "the task did not exist then")
        }
        return try await store.write(operation) { transaction in
            guard try transaction.task(id) != nil else { throw HubError.taskNotFound(id) }
            try transaction.requireName(name, of: id)
            try transaction.restoreTask(id, from: rows, tags: tags)
            try transaction.emit(MinteeEvents.taskChanged, id, name: name)
            return try transaction.liveTask(id)
        }
    }

    /// Returns the differences of the task `id` between `since` and `until`. Throws `not-found` if history does not go
    /// back that far.
    package func differences(of id: String, since: Instant, until: Instant) async throws -> [TaskDifference] {
        let (before, oldTags) = try await store.version(of: id, at: since)
        let (after, newTags) = try await store.version(of: id, at: until)
        return TaskDifference.all(before.taskVersion(tags: oldTags), after.taskVersion(tags: newTags))
    }
}

extension Store {
    /// The rows of a task at a point in time, and the names of its tags then.
    fileprivate func version(of id: String, at moment: Instant) async throws -> (rows: EntityRows, tags: [String]) {
        let history = database.history
        guard let rows = try await history.rows(of: id, owner: owner, at: moment) else {
            throw HubError(
                .notFound, code: "history-too-short", "history does not go back that far",
                hint: "hub mintee history \(id) shows the earliest change")
        }
        var tags: [String] = []
        for folded in rows.foldedTags {
            tags.append(try await history.rows(of: folded, owner: owner, at: moment)?.tagName ?? folded)
        }
        return (rows, tags)
    }
}
