package import CivilDate
package import MinteeDomain
import SQLite
package import Storage

/// Entries of days.
extension Transaction {
    /// Returns the entry of the task on a day; nil if there is none.
    package func entry(_ task: String, on day: CivilDate) throws -> Entry? {
        try row(
            "SELECT completion, skip, note FROM mintee_instance WHERE task = ? AND day = ? AND entered = 1", task,
            day.description
        ) { Entry(completion: $0.double(0), skipReason: $0.optionalText(1), note: $0.optionalText(2)) }
    }

    /// Returns the entries of the task by day, optionally only between two days.
    package func entries(
        of task: String, from first: CivilDate? = nil, to last: CivilDate? = nil
    ) throws -> [(day: CivilDate, entry: Entry)] {
        try rows(
            """
            SELECT day, completion, skip, note FROM mintee_instance
            WHERE task = ? AND entered = 1 AND day >= ? AND day <= ? ORDER BY day
            """, task, first?.description ?? "", last?.description ?? "9999-99-99"
        ) { row -> (CivilDate, Entry)? in
            let day = row.withBytes(0) { CivilDate(storedBytes: $0) }
            let entry = Entry(
                completion: row.double(1), skipReason: row.optionalText(2), note: row.optionalText(3))
            return day.map { ($0, entry) }
        }.compactMap { $0.map { (day: $0.0, entry: $0.1) } }
    }

    /// Returns the days with an entry, ascending.
    package func enteredDays(of task: String) throws -> [CivilDate] {
        try rows("SELECT day FROM mintee_instance WHERE task = ? AND entered = 1 ORDER BY day", task) { row in
            row.withBytes(0) { CivilDate(storedBytes: $0) }
        }.compactMap(\.self)
    }

    /// Returns the last day with an entry; nil if there is none.
    package func lastEnteredDay(of task: String) throws -> CivilDate? {
        try row("SELECT max(day) FROM mintee_instance WHERE task = ? AND entered = 1", task) { row in
            row.optionalText(0).flatMap { CivilDate($0) }
        } ?? nil
    }

    /// Returns the days of all rows, including those of specific dates, ascending.
    package func instanceDays(of task: String) throws -> [CivilDate] {
        try rows("SELECT day FROM mintee_instance WHERE task = ? ORDER BY day", task) { row in
            row.withBytes(0) { CivilDate(storedBytes: $0) }
        }.compactMap(\.self)
    }

    /// Returns the notes of all days with their tasks, newest first.
    package func dayNotes() throws -> [(task: String, day: String, note: String)] {
        try rows("SELECT task, day, note FROM mintee_instance WHERE note IS NOT NULL ORDER BY day DESC") {
            (task: $0.text(0), day: $0.text(1), note: $0.text(2))
        }
    }

    /// Stores the entries of the task on many days, and rebuilds its years.
    package func setEntries(_ entries: [(day: CivilDate, entry: Entry)], of id: String) throws {
        for (day, entry) in entries { try writeEntry(entry, of: id, on: day, at: now.milliseconds) }
        try reindexTasks([id])
    }

    /// Stores the entries of a task on many days, or removes those that are nil, and rebuilds its years.
    func setDays(_ days: [(day: CivilDate, entry: Entry?)], of record: TaskRecord) throws {
        for (day, entry) in days {
            if let entry {
                try writeEntry(entry, of: record.id, on: day, at: now.milliseconds)
            } else {
                try removeEntry(of: record, on: day, at: now.milliseconds)
            }
        }
        try reindexTasks([record.id])
    }

    private func writeEntry(_ entry: Entry, of id: String, on day: CivilDate, at moment: Int64) throws {
        try run(
            """
            INSERT INTO mintee_instance (task, day, completion, entered, skip, note, changed_at)
            VALUES (?, ?, ?, 1, ?, ?, ?)
            ON CONFLICT (task, day) DO UPDATE SET completion = excluded.completion, entered = 1,
                skip = excluded.skip, note = excluded.note, changed_at = excluded.changed_at
            """, id, day.description, entry.completion, entry.skipReason, entry.note, moment)
    }

    /// Removes the entry of a day; a specific date keeps its row.
    private func removeEntry(of record: TaskRecord, on day: CivilDate, at moment: Int64) throws {
        if record.draft.schedule.kind == .specific {
            try run(
                """
                UPDATE mintee_instance SET completion = 0, entered = 0, skip = NULL, note = NULL, changed_at = ?
                WHERE task = ? AND day = ?
                """, moment, record.id, day.description)
        } else {
            try run("DELETE FROM mintee_instance WHERE task = ? AND day = ?", record.id, day.description)
        }
    }

    /// Stores the entry of the task on a day; nil removes it. `moment` is the time of the change, in milliseconds since
    /// 1970-01-01T00:00:00Z; nil for now.
    package func setEntry(
        _ entry: Entry?, of record: TaskRecord, on day: CivilDate, at moment: Int64? = nil
    ) throws {
        let moment = moment ?? now.milliseconds
        if let entry {
            try writeEntry(entry, of: record.id, on: day, at: moment)
        } else {
            try removeEntry(of: record, on: day, at: moment)
        }
        // The task is due on a holiday only as long as it has an entry then.
        if record.draft.schedule.sets.contains(where: { $0.pattern.exception != nil }) {
            return try reindexTasks([record.id])
        }
        let target = record.draft.target(on: day)
        let untouched = StoredDay(DayState(Entry.category(of: 0, target), isEntered: false))
        try reindexDay(day, of: record, to: entry.map { StoredDay($0, target) } ?? untouched)
    }
}

extension CivilDate {
    /// The day of stored text in the form `yyyy-MM-dd`.
    init?(storedBytes bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 10 else { return nil }
        func digit(_ index: Int) -> Int { Int(bytes[index]) - 0x30 }
        let year = digit(0) * 1000 + digit(1) * 100 + digit(2) * 10 + digit(3)
        self.init(year: year, month: digit(5) * 10 + digit(6), day: digit(8) * 10 + digit(9))
    }
}
