package import CivilDate

/// One day of a task as a to-do, exchanged with CalDAV as one `VTODO` per day (RFC 5545 §3.6.2).
///
/// - ``text`` is the whole object, for a day that the server lacks.
/// - ``applied(to:)`` updates an object from the server and preserves the data of other programs.
/// - ``IncomingTodo`` reads an object.
package struct DayTodo: Hashable, Sendable {
    /// The id of the task.
    package var taskID: String
    /// The day.
    package var date: CivilDate
    /// The name of the task.
    package var name: String
    /// The tags of the task.
    package var tags: [String]
    /// The time of the reminder, in minutes after midnight; nil for none.
    package var remindAt: Int?
    /// The target; nil for a task with specific dates, which requires more than 0.
    package var target: Target?
    /// The entry of the day; nil if there is none.
    package var entry: Entry?
    /// The time of the last change of the task or the entry, in milliseconds since 1970-01-01T00:00:00Z.
    package var changedAt: Int64

    package init(
        taskID: String, date: CivilDate, name: String, tags: [String] = [], remindAt: Int? = nil, target: Target?,
        entry: Entry?, changedAt: Int64
    ) {
        self.taskID = taskID
        self.date = date
        self.name = name
        self.tags = tags
        self.remindAt = remindAt
        self.target = target
        self.entry = entry
        self.changedAt = changedAt
    }

    /// The `UID` of the to-do: `task/2gd…/day/2026-11-20`.
    package var uid: String { TaskDay(taskID, date).uid }

    /// Returns the task and the day of a `UID`; nil if hub did not create it for a day.
    package static func parts(ofUID uid: String) -> (taskID: String, date: CivilDate)? {
        TaskDay(uid: uid).flatMap { $0.isPeriod ? nil : ($0.taskID, $0.date) }
    }

    /// The progress of the day in the terms of iCalendar.
    package var progress: TodoProgress { TodoProgress(entry, target) }
}

/// The progress of a to-do: `STATUS` and `PERCENT-COMPLETE` (RFC 5545 §3.8.1).
package struct TodoProgress: Hashable, Sendable {
    /// The values of `STATUS` for a to-do.
    package enum Status: String, CaseIterable, Sendable {
        case needsAction = "NEEDS-ACTION"
        case inProcess = "IN-PROCESS"
        case completed = "COMPLETED"
        case cancelled = "CANCELLED"
    }

    /// The status.
    package var status: Status
    /// The percentage, 0...100; only a completed to-do has 100.
    package var percent: Int

    package init(_ status: Status, percent: Int) {
        self.status = status
        self.percent = percent
    }

    /// The progress of a day. A day without an entry needs action, even if 0 reaches its target.
    package init(_ entry: Entry?, _ target: Target?) {
        guard let entry else {
            self.init(.needsAction, percent: 0)
            return
        }
        let meter = target.map { $0.meter(of: entry.completion) ?? 0 } ?? (entry.completion > 0 ? 1 : 0)
        let percent = min(99, Int((meter * 100).rounded()))
        if entry.skipReason != nil {
            self.init(.cancelled, percent: percent)
        } else if Entry.category(of: entry.completion, target) == .reached {
            self.init(.completed, percent: 100)
        } else if entry.completion == 0 {
            self.init(.needsAction, percent: 0)
        } else {
            self.init(.inProcess, percent: percent)
        }
    }
}
