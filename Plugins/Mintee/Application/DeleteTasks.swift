package import HubKit
import MinteeDomain

extension MinteePlugin {
    /// Moves all of `ids` to the trash, or none; throws `not-found`, and `conflict` if one is not at `revision`.
    package func delete(_ ids: [String], expecting revision: Int? = nil, operation: Operation) async throws {
        try await store.write(operation) { transaction in
            for id in ids {
                let record = try transaction.liveTask(id, expecting: revision)
                try transaction.setTaskDeleted(id, at: transaction.now)
                try transaction.emit(MinteeEvents.taskRemoved, id, name: record.draft.name)
            }
        }
    }

    /// Restores all of `ids` from the trash, or none; throws `not-found`, and `invalid` (TASK-5) if a name is now taken.
    package func restore(_ ids: [String], operation: Operation) async throws {
        try await store.write(operation) { transaction in
            for id in ids {
                guard let record = try transaction.task(id), record.deletedAt != nil else {
                    throw HubError(
                        .notFound, code: "task-not-in-trash", "no task in the trash has the id \(id)",
                        hint: "hub mintee list --trash lists the tasks in the trash")
                }
                try transaction.requireFreeName(record)
                try transaction.setTaskDeleted(id, at: nil)
                try transaction.emit(MinteeEvents.taskAdded, id, name: record.draft.name)
            }
        }
    }

    /// Permanently deletes the tasks and analyses that were moved to the trash before `moment`, with their history, and
    /// returns their number.
    package func emptyTrash(before moment: Instant, operation: Operation) async throws -> Int {
        let unrecorded = Operation(
            id: operation.id, operation.name, who: operation.who, commandLine: operation.commandLine, kind: .cache)
        return try await store.write(unrecorded) { transaction in
            func isDue(_ deleted: Int64?) -> Bool { deleted.map { $0 < moment.milliseconds } ?? false }
            let tasks = try transaction.tasks(.trashed).filter { isDue($0.deletedAt) }.map(\.id)
            let analyses = try transaction.analyses(inTrash: true).filter { isDue($0.deletedAt) }.map(\.id)
            try transaction.forgetHistory(of: tasks + analyses)
            for id in tasks { try transaction.destroyTask(id) }
            for id in analyses { try transaction.destroyAnalysis(id) }
            return tasks.count + analyses.count
        }
    }
}

extension Transaction {
    /// Throws, with a hint, if a live task has taken the name of one in the trash.
    fileprivate func requireFreeName(_ record: TaskRecord) throws {
        let name = record.draft.name
        guard let other = try taskID(named: name), other != record.id else { return }
        throw HubError.breaking(
            "TASK-5", name, "is now the name of another task",
            hint: "rename that one, then restore: hub mintee edit \(other) --name \"\(name) 2\"")
    }
}
