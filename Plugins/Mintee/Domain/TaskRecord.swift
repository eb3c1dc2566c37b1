package import CivilDate

/// A task as it is kept.
package struct TaskRecord: Hashable, Sendable {
    /// The task's id.
    package let id: String
    /// What a person entered.
    package var draft: TaskDraft
    /// Grows with every change of the task itself; an edit names the one it saw.
    package let revision: Int
    /// When it was made, in milliseconds since 1970-01-01T00:00:00Z.
    package let createdAt: Int64
    /// When it was changed last, in the same unit.
    package let changedAt: Int64
    /// Since when it is in the trash, in the same unit; nil for a live task.
    package let deletedAt: Int64?

    package init(
        id: String, draft: TaskDraft, revision: Int, createdAt: Int64, changedAt: Int64, deletedAt: Int64? = nil
    ) {
        self.id = id
        self.draft = draft
        self.revision = revision
        self.createdAt = createdAt
        self.changedAt = changedAt
        self.deletedAt = deletedAt
    }

    /// How far an end that nobody typed lies ahead, in days.
    package static let openDays = 365

    /// When the task is due, seen from `today`: an end that nobody typed has moved on.
    package func schedule(today: CivilDate) -> Schedule { draft.schedule(today: today) }
}

extension TaskDraft {
    /// When the task is due, seen from `today`: an end that nobody typed has moved on.
    package func schedule(today: CivilDate) -> Schedule {
        guard hasOpenEnd, case .recurring(let start, let end, let sets) = schedule else { return schedule }
        return .recurring(from: start, to: max(end, today.adding(days: TaskRecord.openDays)), sets)
    }

    /// Whether the task is due on `date`, whenever that is looked at: an open end never ends.
    package func isDue(on date: CivilDate) -> Bool { schedule(today: date).isDue(on: date) }

    /// What is to be reached on `date`; nil for chosen dates.
    package func target(on date: CivilDate) -> Target? { schedule(today: date).target(on: date) }
}
