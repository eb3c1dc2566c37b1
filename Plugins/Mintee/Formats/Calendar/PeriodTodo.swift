package import CivilDate
package import ICalendar

/// A period of a task with a period target as a to-do, exchanged with CalDAV as one `VTODO` per period.
///
/// It has no entry of its own: completing it enters a day, and the days with an entry are to-dos beside it.
package struct PeriodTodo: Hashable, Sendable {
    /// The task and the first day of the period.
    package var key: TaskDay
    /// The name of the task.
    package var name: String
    /// The tags of the task.
    package var tags: [String]
    /// The time of the reminder, in minutes after midnight; nil for none.
    package var remindAt: Int?
    /// The progress of the period.
    package var progress: PeriodProgress
    /// The next day on which something can be entered, on which the alarm is, and the day on which it is due.
    package var days: ClosedRange<CivilDate>
    /// The time of the last change of the task or an entry of the period, in milliseconds since 1970-01-01T00:00:00Z.
    package var changedAt: Int64

    package init(
        _ key: TaskDay, name: String, tags: [String] = [], remindAt: Int? = nil, progress: PeriodProgress,
        days: ClosedRange<CivilDate>, changedAt: Int64
    ) {
        self.key = key
        self.name = name
        self.tags = tags
        self.remindAt = remindAt
        self.progress = progress
        self.days = days
        self.changedAt = changedAt
    }

    /// The name with the count: `Gym (2 of 3)`, `Gym (2 of 3 in 7 days)`.
    var summary: String {
        guard case .days(let length) = progress.target.period else { return "\(name) (\(progress.count))" }
        return "\(name) (\(progress.count) in \(length) days)"
    }

    /// The state in the terms of iCalendar. The last days are never completed: they are due again as soon as they are kept.
    package var state: TodoProgress {
        if progress.state == .reached {
            return progress.target.isRolling
                ? TodoProgress(.needsAction, percent: 0) : TodoProgress(.completed, percent: 100)
        }
        let percent = min(99, Int((progress.share * 100).rounded()))
        return TodoProgress(percent == 0 ? .needsAction : .inProcess, percent: percent)
    }

    /// The to-do as a separate calendar, in UTF-8. The same period gives the same bytes.
    package var text: [UInt8] {
        var todo = ICalComponent("VTODO", [ICalProperty("UID", text: key.uid)])
        apply(to: &todo)
        return ICalWriter.write(CalendarText.calendar([todo]))
    }

    /// Returns `text`, an object from the server, updated with this period; unchanged if it already matches. The
    /// properties of other programs stay as written, the description too.
    /// Throws as ``DayTodo/applied(to:)`` does.
    package func applied(to text: [UInt8]) throws(ICalError) -> [UInt8] {
        try CalendarText.applying(key.uid, to: text) { apply(to: &$0) }
    }

    @discardableResult
    private func apply(to todo: inout ICalComponent) -> Bool {
        let before = todo
        var patch = ComponentPatch(todo)
        patch.text("SUMMARY", summary)
        patch.tags(tags)
        patch.days(days)
        patch.alarm(at: remindAt, name)
        patch.progress(state, changedAt: changedAt)
        patch.text(TaskFields.period, progress.target.description)
        patch.value(TodoFields.completion, NumberText.text(progress.amount))
        guard patch.component != before else { return false }
        patch.stamp(changedAt)
        todo = patch.component
        return true
    }

    /// The fingerprint of the to-do as hub would write it.
    package var fingerprint: Int {
        var print = Fingerprint()
        print.add([key.uid, summary] + tags.sorted())
        print.add([days.lowerBound, days.upperBound].map(\.description))
        print.add(state.status.rawValue)
        print.add(progress.target.description)
        print.add(NumberText.text(progress.amount))
        if let remindAt { print.add("\(remindAt)") }
        return print.value
    }
}
