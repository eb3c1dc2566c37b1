package import CivilDate
package import MinteeDomain
import SQLite
package import Storage

/// Calendars of holidays.
extension Transaction {
    /// Returns all calendars by name, or the one with the name `name`, in any spelling.
    package func holidayCalendars(named name: String? = nil) throws -> [HolidayCalendar] {
        let key = name.map { HolidayCalendar.folded($0) }
        var holidays: [String: [Holiday]] = [:]
        try scan(
            "SELECT calendar, day, name FROM mintee_holiday\(key == nil ? "" : " WHERE calendar = ?") ORDER BY calendar, day",
            arguments: key.map { [$0] } ?? []
        ) { row in
            guard let day = row.withBytes(1, { CivilDate(storedBytes: $0) }) else {
                throw StoredValue.damaged("the calendar of holidays", row.text(0))
            }
            holidays[row.text(0), default: []].append(Holiday(day, row.text(2)))
            return true
        }
        return try rows(
            "SELECT folded, name, source, etag FROM mintee_holiday_calendar\(key == nil ? "" : " WHERE folded = ?") ORDER BY folded",
            arguments: key.map { [$0] } ?? []
        ) { row in
            HolidayCalendar(
                name: row.text(1), source: row.text(2), etag: row.optionalText(3),
                holidays: holidays[row.text(0)] ?? [])
        }
    }

    /// Stores a calendar, which replaces the one with its name. The tasks that leave it out must be reindexed.
    package func setHolidayCalendar(_ calendar: HolidayCalendar) throws {
        let key = HolidayCalendar.folded(calendar.name)
        try run(
            """
            INSERT INTO mintee_holiday_calendar (folded, name, source, etag) VALUES (?, ?, ?, ?)
            ON CONFLICT (folded) DO UPDATE SET name = excluded.name, source = excluded.source, etag = excluded.etag
            """, key, calendar.name, calendar.source, calendar.etag)
        let kept = Set(calendar.holidays.map(\.day.description))
        for day in try rows("SELECT day FROM mintee_holiday WHERE calendar = ?", key, body: { $0.text(0) })
        where !kept.contains(day) {
            try run("DELETE FROM mintee_holiday WHERE calendar = ? AND day = ?", key, day)
        }
        for holiday in calendar.holidays {
            try run(
                """
                INSERT INTO mintee_holiday (calendar, day, name) VALUES (?, ?, ?)
                ON CONFLICT (calendar, day) DO UPDATE SET name = excluded.name WHERE name <> excluded.name
                """, key, holiday.day.description, holiday.name)
        }
    }

    /// Removes a calendar that no task leaves out.
    package func removeHolidayCalendar(named name: String) throws {
        let key = HolidayCalendar.folded(name)
        try run("DELETE FROM mintee_holiday WHERE calendar = ?", key)
        try run("DELETE FROM mintee_holiday_calendar WHERE folded = ?", key)
    }

    /// Returns the ids of all tasks that leave out a calendar, in the trash too.
    package func tasksLeavingOut(_ name: String) throws -> [String] {
        try rows(
            "SELECT DISTINCT task FROM mintee_exception WHERE calendar = ? ORDER BY task", HolidayCalendar.folded(name)
        ) { $0.text(0) }
    }

    /// Returns the tasks among `ids`, and those that leave out a calendar among them.
    func tasksConcerned(by ids: [String]) throws -> [String] {
        let calendars = Set(try rows("SELECT folded FROM mintee_holiday_calendar") { $0.text(0) })
        let tasks = try ids.filter(calendars.contains).flatMap { try tasksLeavingOut($0) }
        return ids + tasks.filter { !ids.contains($0) }
    }
}

/// The exceptions of target sets.
extension Transaction {
    /// Returns the exceptions of the target sets of all tasks, or of one, by priority; without days on which a task has an
    /// entry.
    func exceptions(of id: String? = nil) throws -> [String: [Int: HolidayException]] {
        var found: [String: [Int: String]] = [:]
        try scan(
            "SELECT task, priority, calendar FROM mintee_exception\(id == nil ? "" : " WHERE task = ?")",
            arguments: id.map { [$0] } ?? []
        ) { row in
            found[row.text(0), default: [:]][row.int(1)] = row.text(2)
            return true
        }
        if found.isEmpty { return [:] }
        let names = Set(found.values.flatMap(\.values))
        let all = try names.count == 1 ? holidayCalendars(named: names.first) : holidayCalendars()
        let calendars = Dictionary(
            all.map { (HolidayCalendar.folded($0.name), HolidayException($0.name, days: $0.holidays.map(\.day))) }
        ) { first, _ in first }
        var worked: [String: Set<CivilDate>] = [:]
        try scan(
            "SELECT task, day FROM mintee_worked_holiday\(id == nil ? "" : " WHERE task = ?")",
            arguments: id.map { [$0] } ?? []
        ) { row in
            if let day = row.withBytes(1, { CivilDate(storedBytes: $0) }) {
                worked[row.text(0), default: []].insert(day)
            }
            return true
        }
        return try found.reduce(into: [:]) { result, task in
            result[task.key] = try task.value.mapValues { name in
                guard var exception = calendars[name] else {
                    throw StoredValue.damaged("an exception of", task.key)
                }
                if let worked = worked[task.key] { exception.days.removeAll(where: worked.contains) }
                return exception
            }
        }
    }

    /// Replaces the exceptions of the target sets of a task.
    func setExceptions(of sets: [TargetSet], of id: String) throws {
        try run("DELETE FROM mintee_exception WHERE task = ?", id)
        for (priority, set) in sets.enumerated() {
            guard let exception = set.pattern.exception else { continue }
            try run(
                "INSERT INTO mintee_exception (task, priority, calendar) VALUES (?, ?, ?)", id, priority,
                HolidayCalendar.folded(exception.calendar))
        }
    }

    /// Returns the task with the days of all calendars that it leaves out, except those of `entered`; throws DP-7 for a
    /// calendar that does not exist. `holidays` is the only calendar, if none has that name.
    package func resolvingHolidays(_ draft: TaskDraft, entered: [CivilDate]) throws -> TaskDraft {
        guard case .recurring(let start, let end, var sets) = draft.schedule,
            sets.contains(where: { $0.pattern.exception != nil })
        else { return draft }
        let calendars = try holidayCalendars()
        let entered = Set(entered)
        for index in sets.indices {
            guard let exception = sets[index].pattern.exception else { continue }
            let key = HolidayCalendar.folded(exception.calendar)
            let isOnly = key == HolidayCalendar.defaultName && calendars.count == 1
            guard
                let calendar = calendars.first(where: { HolidayCalendar.folded($0.name) == key })
                    ?? (isOnly ? calendars.first : nil)
            else { throw unknownCalendar(exception.calendar, calendars, draft) }
            sets[index].pattern.exception = HolidayException(
                calendar.name, days: calendar.holidays.map(\.day).filter { !entered.contains($0) })
        }
        var resolved = draft
        resolved.schedule = .recurring(from: start, to: end, sets)
        return resolved
    }

    private func unknownCalendar(_ name: String, _ known: [HolidayCalendar], _ draft: TaskDraft) -> HubError {
        let names = known.map(\.name).joined(separator: ", ")
        return HubError(
            breaking: [
                RuleViolation("DP-7", "", "there is no calendar of holidays named \(name)", field: "targetSets")
            ],
            hint: known.isEmpty
                ? "hub mintee holidays add \(name) FILE, or the URL of an .ics file, adds one"
                : "the calendars are \(names); hub mintee holidays add \(name) FILE adds another one")
    }

    /// Recomputes the holidays on which a task is due because they have an entry.
    func reindexWorkedHolidays(of id: String) throws {
        let days = try workedHolidays(of: id)
        let stored = try storedWorkedHolidays(of: id)
        if days == stored { return }
        try run("DELETE FROM mintee_worked_holiday WHERE task = ?", id)
        for day in days { try run("INSERT INTO mintee_worked_holiday (task, day) VALUES (?, ?)", id, day) }
    }

    /// Whether the derived holidays with an entry are those of the entries.
    func areWorkedHolidaysCurrent(of id: String) throws -> Bool {
        try workedHolidays(of: id) == storedWorkedHolidays(of: id)
    }

    private func storedWorkedHolidays(of id: String) throws -> [String] {
        try rows("SELECT day FROM mintee_worked_holiday WHERE task = ? ORDER BY day", id) { $0.text(0) }
    }

    /// Returns the days of a task with an entry that are holidays in a calendar that it leaves out.
    package func workedHolidays(of id: String) throws -> [String] {
        try rows(
            """
            SELECT DISTINCT i.day FROM mintee_exception e JOIN mintee_holiday h ON h.calendar = e.calendar
            JOIN mintee_instance i ON i.task = e.task AND i.day = h.day
            WHERE e.task = ? AND i.entered = 1 ORDER BY i.day
            """, id
        ) { $0.text(0) }
    }
}

extension [TargetSet] {
    /// The sets with their exceptions, by priority.
    func with(_ exceptions: [Int: HolidayException]?) -> [TargetSet] {
        guard let exceptions else { return self }
        return enumerated().map { priority, set in TargetSet(set.pattern.except(exceptions[priority]), set.target) }
    }
}
