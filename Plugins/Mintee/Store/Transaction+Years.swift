package import CivilDate
package import MinteeDomain
import SQLite
package import Storage

/// The derived years: a byte per day for each task and year with entries, and the streak at the start of the year.
extension Transaction {
    /// Rebuilds the years of these tasks, and of those that leave out one of these calendars of holidays; deletes those of
    /// deleted tasks.
    package func reindexTasks(_ ids: [String]) throws {
        for id in try tasksConcerned(by: ids) {
            try noteServedChange(of: id)
            try reindexWorkedHolidays(of: id)
            try run("DELETE FROM mintee_year WHERE task = ?", id)
            guard let record = try task(id) else { continue }
            try insertYears(of: record)
        }
    }

    private func insertYears(of record: TaskRecord) throws {
        for (year, stored) in try computedYears(of: record) {
            try run(
                "INSERT INTO mintee_year (year, task, streak, states) VALUES (?, ?, ?, ?)", year, record.id,
                stored.streak, stored.bytes)
        }
    }

    /// Whether the derived years of a task match its entries.
    package func areYearsCurrent(_ record: TaskRecord) throws -> Bool {
        let stored = try rows("SELECT year, streak, states FROM mintee_year WHERE task = ? ORDER BY year", record.id) {
            (year: $0.int(0), content: TaskYear($0.int(1), $0.blob(2)))
        }
        let computed = try computedYears(of: record)
        guard try areWorkedHolidaysCurrent(of: record.id) else { return false }
        return stored.map(\.year) == computed.map(\.year) && stored.map(\.content) == computed.map(\.content)
    }

    private func computedYears(of record: TaskRecord) throws -> [(year: Int, content: TaskYear)] {
        let entries = try entries(of: record.id)
        guard let first = entries.first?.day, let last = entries.last?.day else { return [] }
        let start = min(record.draft.firstDay ?? first, first)
        var streak = Streak()
        var rest = entries[...]
        return (start.components.year...last.components.year).map { year in
            let timeline = record.draft.untouched(year: year)
            var days = timeline.states.map(StoredDay.init)
            while let (day, entry) = rest.first, day <= timeline.last {
                days[day.daysSinceEpoch - timeline.first.daysSinceEpoch] = StoredDay(
                    entry, record.draft.target(on: day))
                rest = rest.dropFirst()
            }
            let before = streak.current
            for day in days { streak.add(day.state) }
            return (year, TaskYear(before, days.map(\.rawValue)))
        }
    }

    /// Updates the state of one day, and the streaks of later years.
    func reindexDay(_ day: CivilDate, of record: TaskRecord, to stored: StoredDay) throws {
        try noteServedChange(of: record.id)
        let year = day.components.year
        let years = try rows(
            "SELECT year, streak, states FROM mintee_year WHERE task = ? AND year >= ? ORDER BY year", record.id, year
        ) { (year: $0.int(0), streak: $0.int(1), states: $0.blob(2)) }
        guard stored.state.isEntered, let first = years.first, first.year == year,
            let start = CivilDate(year: year, month: 1, day: 1)
        else { return try reindexTasks([record.id]) }
        var states = first.states
        states[day.daysSinceEpoch - start.daysSinceEpoch] = stored.rawValue
        try run("UPDATE mintee_year SET states = ? WHERE year = ? AND task = ?", states, year, record.id)
        var streak = Streak(current: first.streak)
        for state in states { streak.add(StoredDay(rawValue: state).state) }
        for later in years.dropFirst() {
            if later.streak == streak.current { return }
            try run(
                "UPDATE mintee_year SET streak = ? WHERE year = ? AND task = ?", streak.current, later.year, record.id)
            for state in later.states { streak.add(StoredDay(rawValue: state).state) }
        }
    }

    /// Returns the years with entries between two years, for each of some tasks.
    package func years(of tasks: [String], from first: Int, to last: Int) throws -> [TaskYears] {
        var found = [TaskYears](repeating: TaskYears(), count: tasks.count)
        var places = SortedIDs(tasks)
        var year = first
        try scan(
            "SELECT task, year, streak, states FROM mintee_year WHERE year BETWEEN ? AND ? ORDER BY year, task", first,
            last
        ) { row in
            if row.int(1) != year {
                year = row.int(1)
                places.restart()
            }
            if let place = places.place(of: row, 0) { found[place].append(TaskYear(row.int(2), row.blob(3)), of: year) }
            return true
        }
        return found
    }

    /// Returns the state of one task on each day from its first one to `last`.
    package func timeline(of record: TaskRecord, through last: CivilDate) throws -> Timeline {
        let entered = try row("SELECT min(day) FROM mintee_instance WHERE task = ?", record.id) {
            $0.optionalText(0).flatMap { CivilDate($0) }
        }
        let first = [record.draft.firstDay, entered ?? nil].compactMap(\.self).min() ?? last
        guard first <= last else { return Timeline(first: first, states: []) }
        var years = TaskYears()
        try scan("SELECT year, streak, states FROM mintee_year WHERE task = ? ORDER BY year", record.id) { row in
            years.append(TaskYear(row.int(1), row.blob(2)), of: row.int(0))
            return true
        }
        return years.timeline(of: record.draft, from: first, to: last)
    }
}

/// A stored year of a task.
package struct TaskYear: Hashable, Sendable {
    /// The streak at the start of the year.
    package let streak: Int
    /// The days of the year, each as a `StoredDay`.
    let bytes: [UInt8]

    init(_ streak: Int, _ states: [UInt8]) {
        self.streak = streak
        bytes = states
    }

    /// Returns the streak at the start of the day with this number, counted from 0.
    package func streak(before day: Int) -> Int {
        // Backward, since most streaks are short.
        var count = 0
        for byte in bytes[..<min(day, bytes.count)].reversed() {
            let state = StoredDay(rawValue: byte).state
            guard state.counts else { continue }
            guard state.isReached else { return count }
            count += 1
        }
        return streak + count
    }

    /// The entry on the day with this number, counted from 0; nil if it has to be looked up.
    package func entry(onDay day: Int) -> Entry? {
        bytes.indices.contains(day) ? StoredDay(rawValue: bytes[day]).entry : nil
    }
}

/// Stored years of a task, in their order.
package struct TaskYears: Sendable {
    private var list: [(number: Int, year: TaskYear)] = []

    /// Adds a year after those before it.
    mutating func append(_ year: TaskYear, of number: Int) { list.append((number, year)) }

    /// The stored year with this number; nil if it has no entries.
    package subscript(number: Int) -> TaskYear? {
        // Nearly always one or two, and at most a few hundred.
        list.first { $0.number == number }?.year
    }

    /// The days from `first` to `last`, from stored years, or from the schedule for other years.
    package func timeline(of draft: TaskDraft, from first: CivilDate, to last: CivilDate) -> Timeline {
        var states: [DayState] = []
        states.reserveCapacity(last.daysSinceEpoch - first.daysSinceEpoch + 1)
        for year in first.components.year...last.components.year {
            guard let begin = CivilDate(year: year, month: 1, day: 1),
                let end = CivilDate(year: year, month: 12, day: 31)
            else { continue }
            let (from, to) = (max(begin, first), min(end, last))
            if let stored = self[year] {
                states += stored.bytes[
                    from.daysSinceEpoch - begin.daysSinceEpoch...to.daysSinceEpoch - begin.daysSinceEpoch
                ].map { StoredDay(rawValue: $0).state }
            } else {
                states += Timeline(untouched: draft.schedule(today: to), from: from, to: to).states
            }
        }
        return Timeline(first: first, states: states)
    }
}

extension TaskDraft {
    /// The first day on which the task may be due; nil if there is none.
    package var firstDay: CivilDate? {
        switch schedule {
        case .recurring(let start, _, _): start
        case .specific(let dates): dates.first
        }
    }

    /// Returns a year of the task without entries.
    func untouched(year: Int) -> Timeline {
        guard let first = CivilDate(year: year, month: 1, day: 1), let last = CivilDate(year: year, month: 12, day: 31)
        else { return Timeline(first: CivilDate(daysSinceEpoch: 0), states: []) }
        return Timeline(untouched: schedule(today: last), from: first, to: last)
    }
}
