package import CivilDate
package import MinteeDomain
import SQLite
package import Storage

/// Tasks with their target sets, dates and tags.
extension Transaction {
    /// The selection of tasks.
    package enum TaskChoice: Sendable { case live, trashed, all }

    /// Returns tasks in the order of their creation.
    package func tasks(_ choice: TaskChoice = .live) throws -> [TaskRecord] {
        let condition =
            switch choice {
            case .live: "t.deleted_at IS NULL"
            case .trashed: "t.deleted_at IS NOT NULL"
            case .all: "1"
            }
        return try taskRecords(condition)
    }

    /// Returns the task `id`, live or in the trash; nil if there is none.
    package func task(_ id: String) throws -> TaskRecord? { try taskRecords("t.id = ?", id).first }

    /// Returns the tasks whose ids begin with `prefix`, live or in the trash, at most `limit`.
    func tasks(beginning prefix: String, limit: Int) throws -> [TaskRecord] {
        try rows(
            "SELECT id FROM mintee_task WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2", prefix, limit
        ) { $0.text(0) }.compactMap { try task($0) }
    }

    /// Returns the ids of all tasks, including the trash, in order.
    package func taskIDs() throws -> [String] { try rows("SELECT id FROM mintee_task ORDER BY id") { $0.text(0) } }

    /// Returns the id of the task created from `source`; nil if there is none.
    package func taskID(madeFrom source: String) throws -> String? {
        try row("SELECT id FROM mintee_task WHERE source = ?", source) { $0.text(0) }
    }

    /// Returns the identity of the item from which the task was created; nil for none.
    package func source(of id: String) throws -> String? {
        try row("SELECT source FROM mintee_task WHERE id = ?", id) { $0.optionalText(0) } ?? nil
    }

    /// Returns the id of the live task named `name`; nil if there is none.
    package func taskID(named name: String) throws -> String? {
        try row("SELECT id FROM mintee_task WHERE name = ? AND deleted_at IS NULL", name) { $0.text(0) }
    }

    /// Stores a new task with its sets, dates, tags and a summary.
    package func insertTask(_ id: String, _ draft: TaskDraft, source: String? = nil) throws {
        let values = TaskColumns(draft)
        try run(
            """
            INSERT INTO mintee_task (id, name, kind, start_day, end_day, open_end, remind_at, notes, source, revision,
                created_at, changed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)
            """, id, draft.name, values.kind, values.start, values.end, draft.hasOpenEnd, draft.remindAt, draft.notes,
            source, now.milliseconds, now.milliseconds)
        try insertSets(draft.schedule.sets, of: id)
        try setIntervals(of: draft.schedule.sets, of: id)
        try setExceptions(of: draft.schedule.sets, of: id)
        try setPeriodTarget(draft.period, of: id)
        if draft.section != nil { try setSection(draft.section, of: id) }
        if case .specific(let dates) = draft.schedule { try insertDates(dates, of: id) }
        try setTags(draft.tags, of: id)
        try setSummary(TaskSummary(), of: id)
    }

    /// Replaces the values of the task `id`. Entries on days that are still due are kept, all other rows are deleted.
    package func updateTask(_ id: String, _ draft: TaskDraft, losing losses: [CivilDate]) throws {
        let values = TaskColumns(draft)
        try run(
            """
            UPDATE mintee_task SET name = ?, kind = ?, start_day = ?, end_day = ?, open_end = ?, remind_at = ?, notes = ?,
                revision = revision + 1, changed_at = ? WHERE id = ?
            """, draft.name, values.kind, values.start, values.end, draft.hasOpenEnd, draft.remindAt, draft.notes,
            now.milliseconds, id)
        let sets = draft.schedule.sets
        if try targetSets(of: id) != sets {
            try run("DELETE FROM mintee_target_set WHERE task = ?", id)
            try insertSets(sets, of: id)
            try setIntervals(of: sets, of: id)
            try setExceptions(of: sets, of: id)
        }
        try setPeriodTarget(draft.period, of: id)
        try setSection(draft.section, of: id)
        for day in losses {
            try run("DELETE FROM mintee_instance WHERE task = ? AND day = ?", id, day.description)
        }
        switch draft.schedule {
        case .specific(let dates): try insertDates(dates, of: id)
        case .recurring: try run("DELETE FROM mintee_instance WHERE task = ? AND entered = 0", id)
        }
        try setTags(draft.tags, of: id)
    }

    /// Permanently deletes the task `id` with all its data, and tags that no other task has.
    package func destroyTask(_ id: String) throws {
        try setTags([], of: id)
        for table in [
            "mintee_target_set", "mintee_interval", "mintee_exception", "mintee_period_target", "mintee_place",
            "mintee_instance", "mintee_summary",
        ] {
            try run("DELETE FROM \(table) WHERE task = ?", id)
        }
        try run("DELETE FROM mintee_task WHERE id = ?", id)
        try forgetServedTodos(of: id)
        try reindexTasks([id])
    }

    /// Returns the target sets of a task by priority.
    func targetSets(of id: String) throws -> [TargetSet] {
        try rows("SELECT \(TargetSet.columns) FROM mintee_target_set WHERE task = ? ORDER BY priority", id) {
            try TargetSet($0, of: id)
        }.with(try intervals(of: id)[id]).with(try exceptions(of: id)[id])
    }

    private func taskRecords(_ condition: String, _ arguments: any Bindable...) throws -> [TaskRecord] {
        let found = try rows(
            """
            SELECT t.id, t.name, t.kind, t.start_day, t.end_day, t.open_end, t.remind_at, t.notes, t.revision,
                t.created_at, t.changed_at, t.deleted_at
            FROM mintee_task t WHERE \(condition) ORDER BY t.rowid
            """, arguments: arguments, body: { try TaskRow($0) })
        if found.isEmpty { return [] }
        var places = SortedIDs(found.map(\.id))
        var sets = [[TargetSet]](repeating: [], count: found.count)
        var dates = [[CivilDate]](repeating: [], count: found.count)
        var tags = [[String]](repeating: [], count: found.count)
        // For many tasks, reading all rows is cheaper than looking up each.
        let chosen =
            arguments.isEmpty ? "WHERE 1" : "WHERE task IN (SELECT t.id FROM mintee_task t WHERE \(condition))"
        try scan(
            "SELECT \(TargetSet.columns), task FROM mintee_target_set \(chosen) ORDER BY task, priority", arguments
        ) { row in
            guard let place = places.place(of: row, 8) else { return }
            sets[place].append(try TargetSet(row, of: found[place].id))
        }
        if found.contains(where: { $0.kind == .specific }) {
            let specific = "\(chosen) AND task IN (SELECT id FROM mintee_task WHERE kind = 1)"
            places.restart()
            try scan("SELECT task, day FROM mintee_instance \(specific) ORDER BY task, day", arguments) { row in
                guard let place = places.place(of: row, 0),
                    let day = row.withBytes(1, { CivilDate(storedBytes: $0) })
                else { return }
                dates[place].append(day)
            }
        }
        // There are few tags, and a join for their names takes longer than everything else here.
        let names = Dictionary(try rows("SELECT folded, name FROM mintee_tag") { ($0.text(0), $0.text(1)) }) { $1 }
        places.restart()
        try scan("SELECT task, tag FROM mintee_task_tag \(chosen) ORDER BY task, tag", arguments) { row in
            if let place = places.place(of: row, 0), let name = names[row.text(1)] { tags[place].append(name) }
        }
        let periods = try periodTargets(of: found.count == 1 ? found[0].id : nil)
        let intervals = try intervals(of: found.count == 1 ? found[0].id : nil)
        let exceptions = try exceptions(of: found.count == 1 ? found[0].id : nil)
        let order = try self.places(of: found.count == 1 ? found[0].id : nil)
        return found.indices.map {
            let id = found[$0].id
            return found[$0].record(
                sets[$0].with(intervals[id]).with(exceptions[id]), periods[id], order[id] ?? TaskPlace(), dates[$0],
                tags[$0])
        }
    }

    /// Scans every row.
    private func scan(
        _ sql: String, _ arguments: [any Bindable], _ body: (borrowing Row) throws -> Void
    ) throws {
        try scan(sql, arguments: arguments) { row in
            try body(row)
            return true
        }
    }

    private func insertSets(_ sets: [TargetSet], of id: String) throws {
        for (priority, set) in sets.enumerated() {
            try run(
                """
                INSERT INTO mintee_target_set (task, priority, pattern_type, days_of_week, weeks_of_month, days_of_month,
                    min_operator, max_operator, min, max) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, id, priority, set.pattern.kind.rawValue, StoredValue.bits(set.pattern.weekdays),
                Int(set.pattern.weeks.rawValue), Int(set.pattern.monthDays.rawValue), set.target.minOperator.rawValue,
                set.target.maxOperator.rawValue, set.target.min, set.target.max)
        }
    }

    private func insertDates(_ dates: [CivilDate], of id: String) throws {
        for date in dates {
            try run(
                """
                INSERT INTO mintee_instance (task, day, completion, entered) VALUES (?, ?, 0, 0)
                ON CONFLICT DO NOTHING
                """, id, date.description)
        }
    }
}

/// The columns of a task that depend on its kind.
private struct TaskColumns {
    let kind: Int
    let start: String?
    let end: String?

    init(_ draft: TaskDraft) {
        kind = draft.schedule.kind.rawValue
        switch draft.schedule {
        case .recurring(let from, let to, _): (start, end) = (from.description, to.description)
        case .specific: (start, end) = (nil, nil)
        }
    }
}

/// A row of `mintee_task`.
private struct TaskRow {
    let id: String
    let kind: TaskKind
    private let name: String
    private let span: (start: CivilDate, end: CivilDate)?
    private let hasOpenEnd: Bool
    private let remindAt: Int?
    private let notes: String
    private let revision: Int
    private let created: Instant
    private let changed: Instant
    private let deleted: Instant?

    init(_ row: borrowing Row) throws {
        id = row.text(0)
        name = row.text(1)
        guard let kind = TaskKind(rawValue: row.int(2)) else { throw StoredValue.damaged("the task", row.text(0)) }
        self.kind = kind
        let start = row.withBytes(3) { CivilDate(storedBytes: $0) }
        let end = row.withBytes(4) { CivilDate(storedBytes: $0) }
        span = start.flatMap { start in end.map { (start, $0) } }
        if kind == .recurring, span == nil { throw StoredValue.damaged("the task", row.text(0)) }
        hasOpenEnd = row.bool(5)
        remindAt = row.optionalInt(6)
        notes = row.text(7)
        revision = row.int(8)
        created = Instant(milliseconds: Int64(row.int(9)))
        changed = Instant(milliseconds: Int64(row.int(10)))
        deleted = row.optionalInt(11).map { Instant(milliseconds: Int64($0)) }
    }

    func record(
        _ sets: [TargetSet], _ period: PeriodTarget?, _ place: TaskPlace, _ dates: [CivilDate], _ tags: [String]
    ) -> TaskRecord {
        let schedule = span.map { Schedule.recurring(from: $0.start, to: $0.end, sets) } ?? .specific(dates)
        let draft = TaskDraft(
            name: name, tags: tags, schedule: schedule, period: period, hasOpenEnd: hasOpenEnd, remindAt: remindAt,
            notes: notes, section: place.section)
        return TaskRecord(
            id: id, draft: draft, position: place.position, revision: revision, createdAt: created, changedAt: changed,
            deletedAt: deleted)
    }
}

extension TargetSet {
    /// The columns that `init` reads.
    fileprivate static let columns =
        "pattern_type, days_of_week, weeks_of_month, days_of_month, min_operator, max_operator, min, max"

    fileprivate init(_ row: borrowing Row, of task: String) throws {
        guard
            let pattern = StoredValue.pattern(
                type: row.int(0), daysOfWeek: row.int(1), weeks: row.int(2), daysOfMonth: row.int(3)),
            let target = StoredValue.target(
                minOperator: row.int(4), maxOperator: row.int(5), min: row.double(6), max: row.double(7))
        else { throw StoredValue.damaged("a target set of", task) }
        self.init(pattern, target)
    }
}
