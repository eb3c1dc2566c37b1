import CivilDate
import MinteeDomain
import SQLite
import Storage

/// The table of the intervals of target sets; a set that is due in each week or month has none.
package enum IntervalSchema {
    // `unit` is 1 for days, 2 for weeks and 3 for months.
    /// The SQL statements of the migration.
    package static let tables = """
        CREATE TABLE mintee_interval (
            task TEXT NOT NULL REFERENCES mintee_task(id),
            priority INTEGER NOT NULL,
            unit INTEGER NOT NULL,
            count INTEGER NOT NULL,
            start_day TEXT NOT NULL CONSTRAINT DP_6 CHECK (date(start_day, '+0 days') IS start_day),
            PRIMARY KEY (task, priority),
            CONSTRAINT DP_5 CHECK (unit = 1 AND count BETWEEN 2 AND 366 OR unit = 2 AND count BETWEEN 2 AND 104
                OR unit = 3 AND count BETWEEN 2 AND 120)
        ) STRICT, WITHOUT ROWID;
        """
}

extension Transaction {
    /// Returns the intervals of the target sets of all tasks, or of one, by priority.
    func intervals(of id: String? = nil) throws -> [String: [Int: DayInterval]] {
        var found: [String: [Int: DayInterval]] = [:]
        try scan(
            "SELECT task, priority, unit, count, start_day FROM mintee_interval\(id == nil ? "" : " WHERE task = ?")",
            arguments: id.map { [$0] } ?? []
        ) { row in
            guard let interval = DayInterval(unit: row.int(2), count: row.int(3), start: row.text(4)) else {
                throw StoredValue.damaged("an interval of", row.text(0))
            }
            found[row.text(0), default: [:]][row.int(1)] = interval
            return true
        }
        return found
    }

    /// Replaces the intervals of the target sets of a task.
    func setIntervals(of sets: [TargetSet], of id: String) throws {
        try run("DELETE FROM mintee_interval WHERE task = ?", id)
        for (priority, set) in sets.enumerated() {
            guard let interval = set.pattern.interval else { continue }
            try run(
                "INSERT INTO mintee_interval (task, priority, unit, count, start_day) VALUES (?, ?, ?, ?, ?)", id,
                priority,
                interval.unit.rawValue, interval.count, interval.start.description)
        }
    }
}

extension DayInterval {
    /// Creates an interval of stored columns; nil if one is unknown.
    init?(unit: Int, count: Int, start: String) {
        guard let unit = Unit(rawValue: unit), let start = CivilDate(start) else { return nil }
        self.init(every: count, unit, from: start)
    }
}

extension [TargetSet] {
    /// The sets with their intervals, by priority.
    func with(_ intervals: [Int: DayInterval]?) -> [TargetSet] {
        guard let intervals else { return self }
        return enumerated().map { priority, set in TargetSet(set.pattern.every(intervals[priority]), set.target) }
    }
}
