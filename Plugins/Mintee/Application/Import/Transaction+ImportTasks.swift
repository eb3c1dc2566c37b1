import CivilDate
import Commands
import HubKit
import MinteeDomain
import Storage

/// The plan for an imported task, compared with the stored one.
struct TaskImportPlan {
    /// The stored task; nil for a new one.
    let record: TaskRecord?
    /// The task after the import: of a known one its own schedule, extended as needed.
    let draft: TaskDraft
    /// The days to write, ascending.
    let entries: [(day: CivilDate, entry: Entry)]
    /// The number of these days that had no entry before.
    let added: Int
    /// Days with a different entry here, which is kept.
    let kept: [CivilDate]
    /// Days on which the task here is not due.
    let undue: [CivilDate]

    var outcome: ImportOutcome {
        guard let record, record.deletedAt == nil else { return .new }
        return entries.isEmpty && draft == record.draft ? .unchanged : .updated
    }

    /// The notices of the import for the task.
    func words(_ task: ImportedTask) -> [String] {
        var words = task.losses
        if let record, record.draft.name != task.draft.name { words.append("\(task.draft.name) in the file") }
        if !kept.isEmpty { words.append("\(ImportWords.days(kept)) already entered here, kept") }
        return words
    }

    /// The problem of days that cannot be imported; nil if there are none.
    func problem(_ task: ImportedTask) -> ImportProblem? {
        if undue.isEmpty { return nil }
        return ImportProblem(
            task.place, subject: draft.name, "\(ImportWords.days(undue)) left out: the task is not due then")
    }
}

extension Transaction {
    /// Stores a task with its days, or adds the missing days to a known task; with `isPlan` only returns the result
    /// that it would have. The note is about a target that only the file has.
    ///
    /// `calendars` are names of calendars of holidays that come with the task.
    func importTask(
        _ task: ImportedTask, calendars: [String] = [], isPlan: Bool = false
    ) throws -> (item: TaskImportItem, problem: ImportProblem?, note: String?) {
        let task = try withKnownHolidays(task, besides: calendars)
        let plan = try planImport(task)
        let id = isPlan ? plan.record?.id ?? "" : try apply(plan, task)
        let item = TaskImportItem(
            outcome: plan.outcome, id: id, name: plan.draft.name, days: plan.added, words: plan.words(task))
        return (item, plan.problem(task), plan.missingPeriod(task))
    }

    private func apply(_ plan: TaskImportPlan, _ task: ImportedTask) throws -> String {
        guard let record = plan.record else {
            let made = try createTask(
                plan.draft, source: task.source.isEmpty ? nil : task.source, entered: plan.entries.map(\.day))
            if let position = task.position { try setPositions([(made.id, position)]) }
            if let summary = task.summary { try setSummary(summary, of: made.id) }
            if !plan.entries.isEmpty { try setEntries(plan.entries, of: made.id) }
            return made.id
        }
        guard plan.outcome != .unchanged else { return record.id }
        if plan.draft != record.draft { try updateTask(record.id, plan.draft, losing: []) }
        if record.deletedAt != nil { try TaskRecord.kind.setDeleted(record.id, at: nil, in: self) }
        try setEntries(plan.entries, of: record.id)
        try emit(
            record.deletedAt == nil ? MinteeEvents.taskChanged : MinteeEvents.taskAdded, record.id,
            name: record.draft.name)
        return record.id
    }

    /// Stores calendars of holidays whose names are new; others stay as they are.
    func importHolidays(_ calendars: [HolidayCalendar]) throws {
        for calendar in calendars where try holidayCalendars(named: calendar.name).isEmpty {
            try setHolidayCalendar(calendar)
        }
    }

    /// Returns the task without exceptions of unknown calendars of holidays, which are reported as losses.
    private func withKnownHolidays(_ task: ImportedTask, besides calendars: [String]) throws -> ImportedTask {
        guard case .recurring(let start, let end, var sets) = task.draft.schedule else { return task }
        let names = Set(sets.compactMap(\.pattern.exception?.calendar)).subtracting(calendars)
        let unknown = try names.filter { try holidayCalendars(named: $0).isEmpty }
        if unknown.isEmpty { return task }
        var task = task
        for index in sets.indices {
            if let name = sets[index].pattern.exception?.calendar, unknown.contains(name) {
                sets[index].pattern.exception = nil
            }
        }
        task.draft.schedule = .recurring(from: start, to: end, sets)
        task.losses += unknown.sorted().map { "no calendar of holidays named \($0) here: due on its days too" }
        return task
    }

    private func planImport(_ task: ImportedTask) throws -> TaskImportPlan {
        let entries = task.entries.sorted { $0.key < $1.key }.map { (day: $0.key, entry: $0.value) }
        guard let record = try knownTask(task) else {
            return TaskImportPlan(
                record: nil, draft: task.draft, entries: entries, added: entries.count, kept: [], undue: [])
        }
        let present = Dictionary(
            try self.entries(of: record.id).map { ($0.day, $0.entry) }, uniquingKeysWith: { first, _ in first })
        let missing = entries.filter { present[$0.day] == nil }
        let draft = record.draft.widened(for: missing.map(\.day) + task.draft.newDates(of: record.draft))
        let added = missing.filter { draft.isDue(on: $0.day) }
        let completed = entries.compactMap { day, entry -> (day: CivilDate, entry: Entry)? in
            guard var here = present[day], here.note == nil, let note = entry.note else { return nil }
            here.note = note
            return (day, here)
        }
        let kept = entries.filter { day, entry in present[day].map { !$0.says(entry) } ?? false }
        return TaskImportPlan(
            record: record, draft: draft, entries: (added + completed).sorted { $0.day < $1.day }, added: added.count,
            kept: kept.map(\.day), undue: missing.filter { !draft.isDue(on: $0.day) }.map(\.day))
    }

    /// Returns the task imported from the same source, else the one with the same name, else a previously imported one
    /// in the trash.
    private func knownTask(_ incoming: ImportedTask) throws -> TaskRecord? {
        if let own = try incoming.ownID.flatMap({ try task($0) }), own.deletedAt == nil { return own }
        let made = incoming.source.isEmpty ? nil : try taskID(madeFrom: incoming.source).flatMap { try task($0) }
        if let made, made.deletedAt == nil { return made }
        if let named = try taskID(named: incoming.draft.name) { return try task(named) }
        // Its name may now belong to another task.
        return try made.flatMap { try taskID(named: $0.draft.name) == nil ? $0 : nil }
    }
}

extension Entry {
    /// Whether two entries are equal, ignoring a note that the other one lacks.
    fileprivate func says(_ other: Entry) -> Bool {
        completion == other.completion && (skipReason == nil) == (other.skipReason == nil)
            && (note == other.note || note == nil || other.note == nil)
    }
}

extension TaskDraft {
    /// The specific dates of this task that the other one lacks.
    fileprivate func newDates(of other: TaskDraft) -> [CivilDate] {
        guard case .specific(let dates) = schedule, case .specific = other.schedule else { return [] }
        return other.schedule.losses(of: dates)
    }

    /// Returns the task with its range extended to all of `days`; specific dates are added.
    fileprivate func widened(for days: [CivilDate]) -> TaskDraft {
        if days.isEmpty { return self }
        var draft = self
        switch schedule {
        case .specific(let dates): draft.schedule = .dates(dates + days)
        case .recurring(let start, let end, let sets):
            let due = days.filter { Schedule.set(of: sets, on: CalendarDay($0)) != nil }
            guard let firstDue = due.first, let lastDue = due.last else { return self }
            draft.schedule = .recurring(
                from: min(start, firstDue), to: hasOpenEnd ? end : max(end, lastDue), sets)
        }
        return draft
    }
}
