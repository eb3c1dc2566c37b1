import CivilDate
package import MinteeDomain
import SQLite
package import System

/// The database of Loop Habit Tracker, its full backup. It belongs to another program and is opened read-only.
package enum LoopDatabase {
    /// The maximum number of habits and of days that are read.
    private static let (maximumHabits, maximumDays) = (10_000, 5_000_000)
    /// The first time that a day may have, in milliseconds since 1970: that of 1980. Before it are a lost date and seconds in
    /// the place of milliseconds.
    private static let firstMoment = 315_532_800_000

    /// Returns the habits in the file at `path` with all days, and the problems found. Throws `invalid` if the file is
    /// not a Loop database.
    package static func read(_ path: String) throws(HubError) -> (habits: [LoopHabit], problems: [ImportProblem]) {
        do {
            let connection = try Connection(path, mode: .readOnly)
            try connection.set(.trustedSchema, to: false)
            try connection.set(.defensive, to: true)
            try connection.setBusyLimit(.seconds(1))
            return try read(connection)
        } catch let error as HubError {
            throw error
        } catch {
            throw refusal(path, "\(error)")
        }
    }

    private static func read(_ connection: Connection) throws -> (habits: [LoopHabit], problems: [ImportProblem]) {
        // A view or a virtual table with that name could make the query endless.
        let isPlain = try connection.rows(
            """
            SELECT 1 FROM sqlite_schema WHERE name IN ('Habits', 'Repetitions') AND type = 'table'
                AND sql NOT LIKE '%VIRTUAL%' AND sql NOT LIKE '%GENERATED%'
            """
        ) { _ in true }
        guard isPlain.count == 2 else { throw refusal("the database", "it has no Habits and Repetitions tables") }
        let columns = Set(try connection.rows("PRAGMA table_info(Habits)") { $0.text(1).lowercased() })
        func column(_ name: String, otherwise: String) -> String { columns.contains(name) ? name : otherwise }
        let habits = try connection.rows(
            """
            SELECT id, substr(name, 1, 1000), \(column("type", otherwise: "0")),
                substr(\(column("question", otherwise: "''")), 1, 10000),
                substr(\(column("description", otherwise: "''")), 1, 10000), freq_num, freq_den, color,
                substr(\(column("unit", otherwise: "''")), 1, 1000), \(column("target_type", otherwise: "0")),
                \(column("target_value", otherwise: "0")), archived, \(column("reminder_hour", otherwise: "NULL")),
                \(column("reminder_min", otherwise: "NULL")), \(column("reminder_days", otherwise: "127"))
            FROM Habits ORDER BY \(column("position", otherwise: "id")), id LIMIT \(maximumHabits)
            """
        ) { row in (id: row.int(0), habit: habit(row)) }
        let notes = Set(try connection.rows("PRAGMA table_info(Repetitions)") { $0.text(1).lowercased() })
        // Databases from before 2016 have a row for each completed day, and no value.
        let valueColumn = notes.contains("value") ? "value" : "2"
        let noteColumn = notes.contains("notes") ? "substr(notes, 1, 10000)" : "''"
        var found: (habits: [LoopHabit], problems: [ImportProblem]) = ([], [])
        for (id, habit) in habits {
            var habit = habit
            var seen: Set<CivilDate> = []
            for (moment, value, note) in try connection.rows(
                "SELECT timestamp, \(valueColumn), \(noteColumn) FROM Repetitions WHERE habit = ? ORDER BY timestamp LIMIT ?",
                id,
                maximumDays, body: { (moment: $0.int(0), value: $0.int(1), note: $0.text(2)) })
            {
                let date = CivilDate(daysSinceEpoch: Int((Double(moment) / 86_400_000).rounded(.down)))
                guard moment >= LoopDatabase.firstMoment else {
                    found.problems.append(
                        ImportProblem(habit.place, subject: habit.name, "\(moment) is not a time of a day"))
                    continue
                }
                guard let mark = LoopHabit.Mark(code: value, isNumerical: habit.isNumerical) else {
                    found.problems.append(
                        ImportProblem(habit.place, subject: habit.name, "\(value) is not a mark, on \(date)"))
                    continue
                }
                if seen.insert(date).inserted { habit.entered.append(LoopHabit.Day(date, mark, note: note)) }
            }
            found.habits.append(habit)
        }
        return found
    }

    private static func habit(_ row: borrowing Row) -> LoopHabit {
        var habit = LoopHabit(row.text(1))
        habit.isNumerical = row.int(2) == 1
        habit.question = row.text(3)
        habit.description = row.text(4)
        (habit.times, habit.days) = (clamped(row.int(5)), clamped(row.int(6)))
        if LoopHabit.palette.indices.contains(row.int(7)) { habit.color = LoopHabit.palette[row.int(7)] }
        habit.unit = row.text(8)
        habit.isAtMost = row.int(9) == 1
        habit.targetValue = row.double(10)
        habit.isArchived = row.bool(11)
        if let hour = row.optionalInt(12), let minute = row.optionalInt(13), (0..<24).contains(hour),
            (0..<60).contains(minute)
        {
            habit.remindAt = hour * 60 + minute
        }
        habit.hasReminderOnSomeDays = habit.remindAt != nil && row.int(14) & 127 != 127
        habit.place = ImportPlace(line: row.int(0))
        return habit
    }

    private static func clamped(_ number: Int) -> Int { min(max(1, number), 9999) }

    private static func refusal(_ path: String, _ reason: String) -> HubError {
        HubError(
            .invalid, code: "no-loop-database", "\(TerminalSanitizer.line(path)) is not a Loop Habit Tracker database",
            details: [TerminalSanitizer.line(String(reason.prefix(300)))])
    }
}
