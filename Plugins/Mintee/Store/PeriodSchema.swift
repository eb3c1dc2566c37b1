import MinteeDomain
import SQLite
import Storage

/// The table of period targets; a task has at most one.
package enum PeriodSchema {
    // `period` is 0 for a week, 1 for a month and 2 for the last `days` days; `measure` is 0 for days and 1 for a sum.
    /// The SQL statements of the migration.
    package static let tables = """
        CREATE TABLE mintee_period_target (
            task TEXT NOT NULL REFERENCES mintee_task(id),
            period INTEGER NOT NULL CONSTRAINT period_form CHECK (period IN (0, 1, 2)),
            days INTEGER CONSTRAINT PT_10 CHECK (
                period <> 2 AND days IS NULL OR period = 2 AND days IS NOT NULL AND days BETWEEN 2 AND 366),
            measure INTEGER NOT NULL CONSTRAINT measure_form CHECK (measure IN (0, 1)),
            min_operator INTEGER NOT NULL CONSTRAINT PT_1 CHECK (min_operator IN (0, 1, 2, 3)),
            max_operator INTEGER NOT NULL CONSTRAINT PT_2 CHECK (max_operator IN (0, 1, 2)),
            min REAL NOT NULL CONSTRAINT min_form CHECK (abs(min) < 1e308),
            max REAL NOT NULL CONSTRAINT max_form CHECK (abs(max) < 1e308),
            CONSTRAINT PT_11 PRIMARY KEY (task),
            CONSTRAINT PT_3 CHECK (max_operator <> 0 OR max = 0),
            CONSTRAINT PT_4 CHECK (min_operator <> 0 OR min = 0),
            CONSTRAINT PT_5 CHECK (min_operator <> 0 OR max_operator <> 0),
            CONSTRAINT PT_6 CHECK (min_operator <> 3 OR max_operator = 0),
            CONSTRAINT PT_7 CHECK (min_operator = 0 OR max_operator = 0 OR min < max),
            CONSTRAINT PT_9 CHECK (measure <> 0
                OR (min_operator = 0
                    OR min = round(min) AND min BETWEEN 1 AND CASE period WHEN 0 THEN 7 WHEN 1 THEN 31 ELSE days END)
                AND (max_operator = 0
                    OR max = round(max) AND max BETWEEN 1 AND CASE period WHEN 0 THEN 7 WHEN 1 THEN 31 ELSE days END))
        ) STRICT, WITHOUT ROWID;
        """
}

extension Transaction {
    /// Returns the period targets of all tasks, or of one.
    func periodTargets(of id: String? = nil) throws -> [String: PeriodTarget] {
        let columns = "task, period, days, measure, min_operator, max_operator, min, max"
        var found: [String: PeriodTarget] = [:]
        try scan(
            "SELECT \(columns) FROM mintee_period_target\(id == nil ? "" : " WHERE task = ?")",
            arguments: id.map { [$0] } ?? []
        ) { row in
            let task = row.text(0)
            guard
                let target = PeriodTarget(
                    period: row.int(1), days: row.optionalInt(2), measure: row.int(3),
                    StoredValue.target(
                        minOperator: row.int(4), maxOperator: row.int(5), min: row.double(6), max: row.double(7)))
            else { throw StoredValue.damaged("the period target of", task) }
            found[task] = target
            return true
        }
        return found
    }

    /// Replaces the period target of a task.
    func setPeriodTarget(_ target: PeriodTarget?, of id: String) throws {
        if try periodTargets(of: id)[id] == target { return }
        try run("DELETE FROM mintee_period_target WHERE task = ?", id)
        guard let target else { return }
        let (period, days) = target.columns
        try run(
            """
            INSERT INTO mintee_period_target (task, period, days, measure, min_operator, max_operator, min, max)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, id, period, days, target.measure.rawValue, target.target.minOperator.rawValue,
            target.target.maxOperator.rawValue, target.target.min, target.target.max)
    }
}

extension PeriodTarget {
    /// The columns `period` and `days`.
    fileprivate var columns: (Int, Int?) {
        switch period {
        case .week: (0, nil)
        case .month: (1, nil)
        case .days(let count): (2, count)
        }
    }

    /// Creates a period target of stored columns; nil if one is unknown.
    init?(period: Int, days: Int?, measure: Int, _ target: Target?) {
        guard let measure = Measure(rawValue: measure), let target else { return nil }
        switch (period, days) {
        case (0, nil): self.init(target, measure, in: .week)
        case (1, nil): self.init(target, measure, in: .month)
        case (2, let count?): self.init(target, measure, in: .days(count))
        default: return nil
        }
    }
}
