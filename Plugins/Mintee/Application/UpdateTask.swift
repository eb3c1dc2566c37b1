package import CivilDate
import HubKit
package import MinteeDomain
package import Storage

/// A task after a change, with the entries that the change drops.
package struct TaskUpdate: Sendable {
    /// The task before the change.
    package let before: TaskRecord
    /// The task after the change.
    package let after: TaskDraft
    /// The days with entries that would no longer be due, ascending.
    package let losses: [CivilDate]
}

extension MinteePlugin {
    /// Returns a task as it would be stored: with the days of the calendars of holidays that it leaves out, except those on
    /// which the task `id` has an entry. Throws `invalid` (DP-7) for an unknown calendar.
    package func resolved(_ draft: TaskDraft, of id: String) async throws -> TaskDraft {
        try await store.read { try $0.resolvingHolidays(draft, entered: try $0.enteredDays(of: id)) }
    }

    /// Returns the effects of the change; throws `not-found`, and `invalid` with the code of the violated rule.
    package func planUpdate(
        _ id: String, change: @Sendable (inout TaskDraft) throws -> Void
    ) async throws -> TaskUpdate {
        try await store.read { try $0.planUpdate(id, expecting: nil, change: change) }
    }

    /// Changes the task `id`. Entries on days that are still due are kept. Entries on days that are no longer due are dropped if `losses` lists exactly them.
    ///
    /// Throws `not-found`, `invalid`, and `conflict` if the task is no longer at `revision` or the change would drop
    /// days other than those confirmed.
    package func updateTask(
        _ id: String, expecting revision: Int? = nil, losing losses: [CivilDate] = [], operation: Operation,
        change: @escaping @Sendable (inout TaskDraft) throws -> Void
    ) async throws -> TaskUpdate {
        try await store.write(operation) { transaction in
            let plan = try transaction.planUpdate(id, expecting: revision, change: change)
            guard plan.losses == losses else {
                throw HubError(
                    .conflict, code: "days-would-be-lost", "this would drop \(plan.losses.count) filled days",
                    details: plan.losses.prefix(20).map(\.description),
                    hint: "review the list and confirm it")
            }
            if plan.after != plan.before.draft {
                let kept = plan.after.kept(of: try transaction.instanceDays(of: id))
                try transaction.updateTask(id, plan.after, losing: kept.dropped)
                try transaction.reindexTasks([id])
                try transaction.emit(MinteeEvents.taskChanged, try transaction.liveTask(id))
            }
            return plan
        }
    }
}

extension Transaction {
    fileprivate func planUpdate(
        _ id: String, expecting revision: Int?, change: (inout TaskDraft) throws -> Void
    ) throws -> TaskUpdate {
        let before = try liveTask(id, expecting: revision)
        var after = before.draft
        try change(&after)
        after = try resolvingHolidays(after, entered: try enteredDays(of: id))
        try after.violations.enforce()
        // A task of an older store may lie far away already.
        try after.farViolations(besides: before.draft).enforce()
        after = after.trimmed
        try requireName(after.name, of: id)
        return TaskUpdate(before: before, after: after, losses: after.kept(of: try enteredDays(of: id)).dropped)
    }
}

extension TaskDraft {
    /// Splits these days (ascending) into those that are still due and those that are not.
    func kept(of days: [CivilDate]) -> (kept: [CivilDate], dropped: [CivilDate]) {
        guard let last = days.last else { return ([], []) }
        let dropped = schedule(today: last).losses(of: days)
        let gone = Set(dropped)
        return (days.filter { !gone.contains($0) }, dropped)
    }
}
