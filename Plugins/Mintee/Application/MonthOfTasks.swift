package import CivilDate
package import MinteeDomain
import Storage

/// A task with its days of a month.
package struct TaskMonth: Sendable {
    /// The task.
    package let task: TaskRecord
    /// The state of each day of the month.
    package let states: [DayState]
    /// The value of each day of the month; 0 where nothing is entered.
    package let values: [Double]

    /// How many days until `today` count, and on how many of them the target was reached. Today counts once it is decided.
    package func result(from first: CivilDate, to today: CivilDate) -> (reached: Int, counted: Int) {
        let number = today.daysSinceEpoch - first.daysSinceEpoch
        var days = states.prefix(max(0, number + 1))
        if states.indices.contains(number), states[number].isOpen { days.removeLast() }
        return (days.count(where: \.isReached), days.count(where: \.counts))
    }
}

extension MinteePlugin {
    /// Returns the tasks that may be done on some day of the month that begins with `first`, in the order of a day, with all days of
    /// that month.
    package func month(from first: CivilDate) async throws -> [TaskMonth] {
        let parts = first.components
        let last = first.adding(days: CivilDate.daysInMonth(parts.month, of: parts.year) - 1)
        let today = day.today
        return try await store.read { transaction in
            lazy var weekStart = weekStart
            let due = try transaction.tasks().filter { task in
                (0...last.daysSinceEpoch - first.daysSinceEpoch).contains {
                    task.draft.isDue(on: first.adding(days: $0))
                }
            }
            let years = try transaction.years(of: due.map(\.id), from: parts.year, to: parts.year)
            let months = try zip(due, years).map { record, years in
                let period = try transaction.period(of: record, on: last, today: today, weekStart: weekStart)
                let timeline =
                    period.map { Timeline(first: first, states: $0.timeline.states(from: first, to: last)) }
                    ?? shown(years.timeline(of: record.draft, from: first, to: last))
                let entries = try transaction.entries(of: record.id, from: first, to: last)
                var values = Array(repeating: 0.0, count: timeline.states.count)
                for (day, entry) in entries where values.indices.contains(day.daysSinceEpoch - first.daysSinceEpoch) {
                    values[day.daysSinceEpoch - first.daysSinceEpoch] = entry.completion
                }
                return TaskMonth(task: record, states: timeline.states, values: values)
            }
            return TaskOrder.sorted(months, section: \.task.draft.section, position: \.task.position)
        }
    }
}
