package import CivilDate
package import Time

/// A stored task.
package struct TaskRecord: Hashable, Sendable {
    /// The id.
    package let id: String
    /// The data entered by the user.
    package var draft: TaskDraft
    /// The number in the manual order; nil for a task that follows those with one.
    package let position: Int?
    /// The revision, which increases with every change of the task itself; an edit names the one that it is based on.
    package let revision: Int
    /// The time of creation.
    package let createdAt: Instant
    /// The time of the last change.
    package let changedAt: Instant
    /// The time of the move to the trash; nil for a live task.
    package let deletedAt: Instant?

    package init(
        id: String, draft: TaskDraft, position: Int? = nil, revision: Int, createdAt: Instant, changedAt: Instant,
        deletedAt: Instant? = nil
    ) {
        self.id = id
        self.draft = draft
        self.position = position
        self.revision = revision
        self.createdAt = createdAt
        self.changedAt = changedAt
        self.deletedAt = deletedAt
    }

    /// The distance of an open end from today, in days.
    package static let openDays = 365

    /// The schedule as of `today`: an open end moves with it.
    package func schedule(today: CivilDate) -> Schedule { draft.schedule(today: today) }
}

extension TaskDraft {
    /// The schedule as of `today`: an open end moves with it.
    package func schedule(today: CivilDate) -> Schedule {
        guard hasOpenEnd, case .recurring(let start, let end, let sets) = schedule else { return schedule }
        return .recurring(from: start, to: max(end, today.adding(days: TaskRecord.openDays)), sets)
    }

    /// Whether the task is due on `date`, regardless of the current day: an open end never ends.
    package func isDue(on date: CivilDate) -> Bool { schedule(today: date).isDue(on: date) }

    /// Returns the target on `date`; nil for a task with specific dates.
    package func target(on date: CivilDate) -> Target? { schedule(today: date).target(on: date) }
}
