import CivilDate
package import MinteeDomain
import SQLite
package import Storage

/// Earlier versions of tasks, from the rows in history.
extension Transaction {
    /// Restores the task `id`, live or in the trash, with its sets, summary and entries, as a new change.
    package func restoreTask(_ id: String, from version: StoredTaskVersion) throws {
        let rows = version.rows
        guard let task = rows["mintee_task"]?.first else { throw StoredValue.damaged("the version of", id) }
        let columns = ["name", "kind", "start_day", "end_day", "open_end", "remind_at", "notes"]
        try run(
            """
            UPDATE mintee_task SET \(columns.map { "\($0) = ?" }.joined(separator: ", ")), deleted_at = NULL,
                revision = revision + 1, changed_at = ? WHERE id = ?
            """, arguments: columns.map { task[$0] ?? Value.null } + ([now.milliseconds, id] as [any Bindable]))
        for table in [
            "mintee_target_set", "mintee_interval", "mintee_exception", "mintee_period_target", "mintee_instance",
            "mintee_summary",
        ] {
            try run("DELETE FROM \(table) WHERE task = ?", id)
            for row in rows[table] ?? [] {
                // A calendar that was removed since is no longer left out.
                if let calendar = row["calendar"]?.text, try holidayCalendars(named: calendar).isEmpty { continue }
                let columns = row.keys.sorted()
                try run(
                    """
                    INSERT INTO \(table) (\(columns.joined(separator: ", ")))
                    VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
                    """, arguments: columns.map { row[$0] ?? Value.null })
            }
        }
        try setSection(rows.section, of: id)
        try setTags(version.tags, of: id)
        try reindexTasks([id])
    }
}

/// The rows of a task at a time in the past, with the names of its tags then.
package struct StoredTaskVersion: Sendable {
    let rows: EntityRows
    let tags: [String]

    /// The task; nil if its rows are not those of one.
    var task: TaskVersion? { rows.taskVersion(tags: tags) }
}

extension EntityRows {
    /// The name of the task; nil if it did not exist.
    package var taskName: String? { self["mintee_task"]?.first?["name"]?.text }

    /// The section of the task; nil for none.
    fileprivate var section: String? { self["mintee_place"]?.first?["section"]?.text }

    /// The tags of the task, folded.
    package var foldedTags: [String] { (self["mintee_task_tag"] ?? []).compactMap { $0["tag"]?.text }.sorted() }

    /// The spelling of the tag.
    package var tagName: String? { self["mintee_tag"]?.first?["name"]?.text }

    /// Returns the task with these tags; nil if it did not exist.
    package func taskVersion(tags: [String]) -> TaskVersion? {
        guard let task = self["mintee_task"]?.first, let name = task["name"]?.text else { return nil }
        let instances = self["mintee_instance"] ?? []
        let days = instances.compactMap { $0["day"]?.text.flatMap { CivilDate($0) } }
        var schedule = Schedule.dates(days)
        if let start = task["start_day"]?.text.flatMap({ CivilDate($0) }),
            let end = task["end_day"]?.text.flatMap({ CivilDate($0) })
        {
            let sets = (self["mintee_target_set"] ?? []).sorted {
                ($0["priority"]?.integer ?? 0) < ($1["priority"]?.integer ?? 0)
            }
            var intervals: [Int: DayInterval] = [:]
            for row in self["mintee_interval"] ?? [] {
                guard let priority = row["priority"]?.integer, let unit = row["unit"]?.integer,
                    let count = row["count"]?.integer, let start = row["start_day"]?.text
                else { continue }
                intervals[priority] = DayInterval(unit: unit, count: count, start: start)
            }
            var exceptions: [Int: HolidayException] = [:]
            for row in self["mintee_exception"] ?? [] {
                guard let priority = row["priority"]?.integer, let calendar = row["calendar"]?.text else { continue }
                exceptions[priority] = HolidayException(calendar)
            }
            schedule = .recurring(
                from: start, to: end, sets.compactMap { TargetSet($0) }.with(intervals).with(exceptions))
        }
        let draft = TaskDraft(
            name: name, tags: tags, schedule: schedule,
            period: self["mintee_period_target"]?.first.flatMap { PeriodTarget($0) },
            hasOpenEnd: task["open_end"]?.integer == 1,
            remindAt: task["remind_at"]?.integer, notes: task["notes"]?.text ?? "", section: section)
        var entries: [CivilDate: Entry] = [:]
        for row in instances where row["entered"]?.integer == 1 {
            guard let day = row["day"]?.text.flatMap({ CivilDate($0) }) else { continue }
            entries[day] = Entry(
                completion: row["completion"]?.real ?? 0, skipReason: row["skip"]?.text, note: row["note"]?.text)
        }
        return TaskVersion(draft, entries: entries)
    }
}

extension TargetSet {
    /// The target set of a history row; nil if it is invalid.
    fileprivate init?(_ row: [String: Value]) {
        func number(_ column: String) -> Int { row[column]?.integer ?? 0 }
        guard
            let pattern = StoredValue.pattern(
                type: number("pattern_type"), daysOfWeek: number("days_of_week"), weeks: number("weeks_of_month"),
                daysOfMonth: number("days_of_month")),
            let target = StoredValue.target(
                minOperator: number("min_operator"), maxOperator: number("max_operator"), min: row["min"]?.real ?? 0,
                max: row["max"]?.real ?? 0)
        else { return nil }
        self.init(pattern, target)
    }
}

extension PeriodTarget {
    /// The period target of a history row; nil if it is invalid.
    fileprivate init?(_ row: [String: Value]) {
        func number(_ column: String) -> Int { row[column]?.integer ?? 0 }
        self.init(
            period: number("period"), days: row["days"]?.integer, measure: number("measure"),
            StoredValue.target(
                minOperator: number("min_operator"), maxOperator: number("max_operator"), min: row["min"]?.real ?? 0,
                max: row["max"]?.real ?? 0))
    }
}

extension Value {
    /// The text; nil for anything else.
    fileprivate var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The whole number; nil for anything else.
    fileprivate var integer: Int? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// The number; nil for anything else.
    fileprivate var real: Double? {
        if case .real(let number) = self { number } else { integer.map(Double.init) }
    }
}
