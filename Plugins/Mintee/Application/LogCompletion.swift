package import CivilDate
package import MinteeDomain
package import Storage

/// A change of the entry of a day.
package enum EntryChange: Sendable {
    /// Sets the value.
    case value(Double)
    /// Sets the smallest value that reaches the target, or keeps a value that already reaches it. Refused for a value
    /// above the target, which is kept.
    case done
    /// Increases the value by this amount, or decreases it if negative.
    case more(Double)
    /// Skips the day, with a reason; it is neither reached nor missed.
    case skip(String)
    /// Takes a skip back; value and note of the day stay.
    case unskip
    /// Sets the note; an empty text removes it.
    case note(String)
    /// Removes the entry.
    case clear

    /// The maximum length of a note or a reason, in characters.
    package static let maximumText = 10_000

    /// Returns the text of a note or a reason; throws `invalid` if it is too long, since texts are never cut.
    package static func checked(_ text: String) throws(HubError) -> String {
        guard text.count > maximumText else { return text }
        throw HubError(
            .invalid, code: "text-too-long", "a note can have at most \(NumberFormat.grouped(maximumText)) characters",
            details: ["this one has \(NumberFormat.grouped(text.count))"])
    }

    /// Parses a typed value. Throws `invalid` (I-9) if it is not a number of the locale, or has two readings.
    package init(value text: String, _ mark: DecimalMark) throws(HubError) {
        self = .value(try EntryChange.number(text, mark))
    }

    /// Parses a typed number. Throws `invalid` (I-9) if it is not a number of the locale, or has two readings.
    static func number(_ text: String, _ mark: DecimalMark) throws(HubError) -> Double {
        if let number = try? NumberText.number(text, mark) { return number }
        let problem = NumberText.problem(text, mark)
        let message = if case .ambiguous = problem { "has two readings" } else { "is not a number" }
        throw HubError.breaking(
            "I-9", text, text.isEmpty ? "an empty text is not a number" : message,
            hint: problem.hint ?? "write 4 or 4.5")
    }
}

/// The entry of a task on a day.
package struct TaskEntry: Sendable {
    /// The task.
    package let task: TaskRecord
    /// The day.
    package let day: CivilDate
    /// The entry; nil for none.
    package let entry: Entry?
    /// The target of the day; nil for a task with specific dates.
    package let target: Target?
    /// The streak up to and including the day, or today if the day is ahead; nil for a day of several.
    package let streak: Int?
    /// The period of the day; nil for a task without a period target.
    package let period: PeriodProgress?

    /// Creates the entry; the target is that of the task on the day.
    package init(
        _ entry: Entry?, of task: TaskRecord, on day: CivilDate, streak: Int?, period: PeriodProgress? = nil
    ) {
        self.task = task
        self.day = day
        self.entry = entry
        target = task.draft.target(on: day)
        self.streak = streak
        self.period = period
    }
}

extension MinteePlugin {
    /// Changes the entry of the task `id` on `date`.
    ///
    /// Throws `not-found`, and `invalid` if the task is not due then (TI-2), if the value is not a number (I-9), or if
    /// `done` would replace a value above the target (`over-target`).
    package func logCompletion(
        of id: String, on date: CivilDate, _ change: EntryChange, operation: Operation
    ) async throws -> TaskEntry {
        try await logCompletion(of: [id], on: date, change, operation: operation)[0]
    }

    /// Changes the entries of several tasks atomically.
    package func logCompletion(
        of ids: [String], on date: CivilDate, _ change: EntryChange, operation: Operation
    ) async throws -> [TaskEntry] {
        let today = day.today
        return try await store.write(operation) { transaction in
            lazy var weekStart = weekStart
            return try ids.map { id in
                let record = try transaction.liveTask(id)
                let entry = try transaction.change(record, on: date, change)
                // What is entered ahead does not count yet.
                let counted = min(date, today)
                if let period = try transaction.period(of: record, on: date, today: today, weekStart: weekStart) {
                    let now =
                        counted == date
                        ? period
                        : try transaction.period(of: record, on: counted, today: today, weekStart: weekStart) ?? period
                    return TaskEntry(
                        entry, of: record, on: date, streak: now.statistics.streak.current, period: period.progress)
                }
                let years = shown(try transaction.timeline(of: record, through: counted))
                var streak = Streak()
                for state in years.states.dropLast() { streak.add(state) }
                if let last = years.states.last { streak.addToday(last) }
                return TaskEntry(entry, of: record, on: date, streak: streak.current)
            }
        }
    }
}

extension Transaction {
    /// Applies a change to a day of a task, and returns the new entry.
    func change(_ record: TaskRecord, on date: CivilDate, _ change: EntryChange) throws -> Entry? {
        guard record.draft.isDue(on: date) else { throw HubError.notDue(record, on: date) }
        let before = try entry(record.id, on: date)
        let entry = try record.entry(after: change, of: before, on: date)
        if entry != before {
            try setEntry(entry, of: record, on: date)
            try emitCompletion(entry ?? Entry(), of: record, on: date)
        }
        return entry
    }
}

extension TaskRecord {
    /// Returns the entry of a due day after a change; nil if nothing is entered any more.
    func entry(after change: EntryChange, of before: Entry?, on date: CivilDate) throws(HubError) -> Entry? {
        if case .clear = change { return nil }
        guard TaskDraft.isNear(date) else {
            throw HubError.breaking("TI-5", draft.name, TaskDraft.farProblem(date))
        }
        let target = draft.target(on: date)
        var entry = before ?? Entry()
        switch change {
        case .value(let value): (entry.completion, entry.skipReason) = (value, nil)
        case .done where entry.skipReason == nil && Entry.category(of: entry.completion, target) == .over:
            throw HubError(
                .invalid, code: "over-target",
                "\(draft.name) is \(NumberText.text(entry.completion)) already, above its target"
                    + (target.map { " \($0)" } ?? ""), hint: "enter another value to replace it")
        case .done: (entry.completion, entry.skipReason) = (entry.reaching(target), nil)
        case .more(let amount):
            entry.completion = Completion.add(amount, to: entry.completion)
            entry.skipReason = nil
        case .skip(let reason): entry.skipReason = reason
        case .unskip:
            if before?.skipReason == nil { return before }
            entry.skipReason = nil
            if entry == Entry() { return nil }
        case .note(let text):
            if before == nil, text.isBlank { return nil }
            entry.note = text.isBlank ? nil : text
        case .clear: return nil
        }
        guard abs(entry.completion) < 1e308 else {
            throw HubError.breaking("I-9", draft.name, "does not accept this value")
        }
        return entry
    }
}

extension HubError {
    /// The error for a task that is not due on `date`, with its next and last due days.
    static func notDue(_ record: TaskRecord, on date: CivilDate) -> HubError {
        let name = record.draft.name
        let rule: RuleCode = record.draft.schedule.kind == .recurring ? "TI-2" : "TI-1"
        var error = HubError(.invalid, code: rule.description.lowercased(), "\(name) is not due on \(date.words)")
        let ahead = record.schedule(today: date).dueDay(after: date)
        let back = record.draft.schedule.dueDay(before: date)
        if let first = record.draft.firstDay, date < first, case .recurring = record.draft.schedule {
            error.details = ["it starts on \(first.words)"]
            error.hint = "hub mintee edit \"\(name)\" --from \(date) moves the start"
        } else if let ahead {
            error.details = ["next due: \(ahead.words)"] + (back.map { ["last due: \($0.words)"] } ?? [])
            error.hint = "use --date to pick a due day, such as --date \(back ?? ahead)"
        } else if let back {
            error.details = ["last due: \(back.words)"]
            error.hint = "hub mintee edit \"\(name)\" --to open removes the end date"
            if case .specific = record.draft.schedule { error.hint = "use --date \(back)" }
        }
        let excepting = record.draft.schedule.sets.first { set in
            set.pattern.exception != nil && set.pattern.except(nil).matches(date)
        }
        if let calendar = excepting?.pattern.exception?.calendar, record.draft.isWithin(date) {
            error.details.insert("the day is in the calendar \(calendar), which it leaves out", at: 0)
        }
        error.problems = [FieldProblem(field: "dates", error.message, code: rule.description)]
        return error
    }
}

extension TaskDraft {
    /// Whether `date` lies between the start and the end of a recurring task.
    fileprivate func isWithin(_ date: CivilDate) -> Bool {
        guard case .recurring(let start, let end, _) = schedule(today: date) else { return false }
        return start <= date && date <= end
    }
}

extension Entry {
    /// The value that `done` sets: the current one if it already reaches the target.
    fileprivate func reaching(_ target: Target?) -> Double {
        Entry.category(of: completion, target) == .reached ? completion : Completion.reaching(target)
    }
}
