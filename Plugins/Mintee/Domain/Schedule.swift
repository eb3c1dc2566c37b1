package import CivilDate

/// The due days of a task: days of patterns between two dates, or specific dates.
package enum Schedule: Hashable, Sendable {
    /// Days between two dates, both included, that match any of the sets; the first set has the highest priority.
    case recurring(from: CivilDate, to: CivilDate, [TargetSet])
    /// Exactly these dates, ascending, each once.
    case specific([CivilDate])

    /// Creates a schedule of specific dates, sorted and without duplicates.
    package static func dates(_ dates: some Sequence<CivilDate>) -> Schedule { .specific(Set(dates).sorted()) }
}

/// The two kinds of tasks.
package enum TaskKind: Int, CaseIterable, Sendable {
    case recurring = 0, specific

    /// The name in the app.
    package var name: String { self == .recurring ? "Recurring" : "Specific" }
}

extension Schedule {
    /// The kind of the task.
    package var kind: TaskKind {
        if case .recurring = self { .recurring } else { .specific }
    }

    /// The target sets by priority; empty for specific dates.
    package var sets: [TargetSet] {
        if case .recurring(_, _, let sets) = self { sets } else { [] }
    }

    /// Returns the index of the set that applies on `day`; nil if none does. Ignores start and end.
    package static func set(of sets: [TargetSet], on day: CalendarDay) -> Int? {
        sets.firstIndex { $0.pattern.matches(day) }
    }

    /// Whether the task is due on `date`.
    package func isDue(on date: CivilDate) -> Bool {
        switch self {
        case .recurring(let start, let end, let sets):
            start <= date && date <= end && Schedule.set(of: sets, on: CalendarDay(date)) != nil
        case .specific(let dates): dates.contains(sorted: date)
        }
    }

    /// Returns the target on `date`; nil for specific dates, and if nothing is due.
    package func target(on date: CivilDate) -> Target? {
        guard case .recurring(let start, let end, let sets) = self, start <= date, date <= end else { return nil }
        return Schedule.set(of: sets, on: CalendarDay(date)).map { sets[$0].target }
    }

    /// Calls `body` for each due day, ascending, with the index of its set; nil for specific dates.
    package func forEachDay(_ body: (_ date: CivilDate, _ set: Int?) -> Void) {
        switch self {
        case .specific(let dates):
            for date in dates { body(date, nil) }
        case .recurring(let start, let end, let sets):
            var day = CalendarDay(start)
            while day.date <= end {
                let month = MonthDays(of: day, sets)
                month.forEachDay(from: start, to: end, body)
                day = month.next
            }
        }
    }

    /// The last due day; nil if there is none.
    package var lastDueDay: CivilDate? {
        switch self {
        case .specific(let dates): dates.last
        case .recurring(_, let end, _): dueDay(before: end.adding(days: 1))
        }
    }

    /// Returns the last due day before `date`; nil if there is none.
    package func dueDay(before date: CivilDate) -> CivilDate? {
        switch self {
        case .specific(let dates): return dates.last { $0 < date }
        case .recurring(let start, let end, let sets):
            let last = min(end, date.adding(days: -1))
            guard start <= last, !sets.isEmpty else { return nil }
            return (start.daysSinceEpoch...last.daysSinceEpoch).reversed().lazy.map { CivilDate(daysSinceEpoch: $0) }
                .first { Schedule.set(of: sets, on: CalendarDay($0)) != nil }
        }
    }

    /// Returns the first due day after `date`; nil if there is none.
    package func dueDay(after date: CivilDate) -> CivilDate? {
        switch self {
        case .specific(let dates): return dates.first { $0 > date }
        case .recurring(let start, let end, let sets):
            let first = max(start, date.adding(days: 1))
            guard first <= end, !sets.isEmpty else { return nil }
            return (first.daysSinceEpoch...end.daysSinceEpoch).lazy.map { CivilDate(daysSinceEpoch: $0) }
                .first { Schedule.set(of: sets, on: CalendarDay($0)) != nil }
        }
    }

    /// The due days, ascending.
    package var days: [CivilDate] {
        var days: [CivilDate] = []
        forEachDay { date, _ in days.append(date) }
        return days
    }

    /// Returns those of `dates` (ascending) that are not due: the days that a change to this schedule would drop.
    package func losses(of dates: [CivilDate]) -> [CivilDate] {
        switch self {
        case .recurring(let start, let end, let sets):
            // The month of the date before: its first day, how many it has, and the due ones.
            var (first, count, due) = (0, 0, UInt32(0))
            return dates.filter { date in
                guard start <= date, date <= end else { return true }
                var day = date.daysSinceEpoch - first
                if day < 0 || day >= count {
                    let month = CalendarDay(date).firstOfMonth
                    (first, count) = (month.date.daysSinceEpoch, month.daysInMonth)
                    due = MonthDays.due(inMonth: month, sets)
                    day = date.daysSinceEpoch - first
                }
                return due >> UInt32(day) & 1 == 0
            }
        case .specific(let kept): return dates.filter { !kept.contains(sorted: $0) }
        }
    }
}

extension [CivilDate] {
    /// Whether `date` is among the dates, which are ascending.
    func contains(sorted date: CivilDate) -> Bool {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < date { low = middle + 1 } else { high = middle }
        }
        return low < endIndex && self[low] == date
    }
}
