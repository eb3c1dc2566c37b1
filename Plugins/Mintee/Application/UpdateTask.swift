package import CivilDate
package import HubKit
package import MinteeDomain

/// Changes a task. What was entered on days that it still names is kept.
package struct UpdateTask: Sendable {
    /// A task as it would be, and what that drops.
    package struct Plan: Sendable {
        /// The task as it is.
        package let before: TaskRecord
        /// The task as it would be.
        package let after: TaskDraft
        /// The days with entries that the task would no longer name, ascending.
        package let losses: [CivilDate]
    }

    let store: Store

    package init(_ store: Store) { self.store = store }

    /// What the change would do; throws `not-found`, and `invalid` with the code of the rule that it would break.
    package func plan(
        _ id: String, change: @Sendable (inout TaskDraft) throws -> Void
    ) async throws -> Plan {
        try await store.read { try $0.planUpdate(id, expecting: nil, change: change) }
    }

    /// Changes the task `id`. Entries on days that it no longer names go when `losses` lists just them.
    ///
    /// Throws `not-found`, `invalid`, and `conflict` when the task is no longer at `revision` or the change would drop
    /// other days than those that were agreed to.
    package func callAsFunction(
        _ id: String, expecting revision: Int? = nil, losing losses: [CivilDate] = [], operation: Operation,
        change: @escaping @Sendable (inout TaskDraft) throws -> Void
    ) async throws -> Plan {
        try await store.write(operation) { transaction in
            let plan = try transaction.planUpdate(id, expecting: revision, change: change)
            guard plan.losses == losses else {
                throw HubError(
                    .conflict, code: "days-would-be-lost", "this would drop \(plan.losses.count) filled days",
                    details: plan.losses.prefix(20).map(\.description),
                    hint: "look at the list and agree to it")
            }
            if plan.after != plan.before.draft {
                let kept = plan.after.kept(of: try transaction.instanceDays(of: id))
                try transaction.updateTask(id, plan.after, losing: kept.dropped)
                try transaction.reindexTasks([id])
                try transaction.emit(MinteeEvents.taskChanged, id, name: plan.after.name)
            }
            return plan
        }
    }
}

extension Transaction {
    /// The live task `id` at the given revision.
    func liveTask(_ id: String, expecting revision: Int? = nil) throws -> TaskRecord {
        guard let record = try task(id), record.deletedAt == nil else { throw HubError.taskNotFound(id) }
        guard let revision, revision != record.revision else { return record }
        throw HubError(
            .conflict, code: "edit-conflict", "\(record.draft.name) was changed meanwhile",
            details: ["you saw revision \(revision), now it is \(record.revision)"],
            hint: "look at it again and repeat your change")
    }

    fileprivate func planUpdate(
        _ id: String, expecting revision: Int?, change: (inout TaskDraft) throws -> Void
    ) throws -> UpdateTask.Plan {
        let before = try liveTask(id, expecting: revision)
        var after = before.draft
        try change(&after)
        try after.breaches.enforce()
        // A task of an older store may lie far away already.
        try after.farBreaches(besides: before.draft).enforce()
        after = after.trimmed
        try requireName(after.name, of: id)
        return UpdateTask.Plan(before: before, after: after, losses: after.kept(of: try enteredDays(of: id)).dropped)
    }
}

extension TaskDraft {
    /// Which of these days (ascending) the task names, and which it does not.
    func kept(of days: [CivilDate]) -> (kept: [CivilDate], dropped: [CivilDate]) {
        guard let last = days.last else { return ([], []) }
        let dropped = schedule(today: last).losses(of: days)
        let gone = Set(dropped)
        return (days.filter { !gone.contains($0) }, dropped)
    }
}
