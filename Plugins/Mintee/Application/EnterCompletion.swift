package import CivilDate
package import HubKit
package import MinteeDomain

/// Enters what a person says of a task on one day.
package struct EnterCompletion: Sendable {
    /// What is said.
    package enum Change: Sendable {
        /// The value is this.
        case value(Double)
        /// The target is reached: the smallest value that does it, or the value there is when it does already. A value over
        /// the target is true and stays; then this is refused.
        case done
        /// So many more, or less when negative.
        case more(Int)
        /// The day is skipped, for this reason; it counts neither way.
        case skip(String)
        /// This note; empty takes it away.
        case note(String)
        /// Nothing at all, as before anything was entered.
        case clear
    }

    /// The day after the change.
    package struct Result: Sendable {
        /// The task.
        package let task: TaskRecord
        /// The day.
        package let day: CivilDate
        /// What is entered now; nil for nothing.
        package let entry: Entry?
        /// What was to be reached; nil for chosen dates.
        package let target: Target?
        /// The streak that the day ends, or goes on with.
        package let streak: Int

        package init(task: TaskRecord, day: CivilDate, entry: Entry?, target: Target?, streak: Int) {
            self.task = task
            self.day = day
            self.entry = entry
            self.target = target
            self.streak = streak
        }
    }

    /// How long a note or a reason may be, in characters.
    package static let maximumText = 10_000

    /// The text of a note or a reason; throws `invalid` when it is too long, for nothing is cut unasked.
    package static func checked(_ text: String) throws(HubError) -> String {
        guard text.count > maximumText else { return text }
        throw HubError(
            .invalid, code: "text-too-long", "a note has at most \(Numerals.grouped(maximumText)) characters",
            details: ["this one has \(Numerals.grouped(text.count))"])
    }

    let store: Store
    let day: MinteeDay

    package init(_ store: Store, day: MinteeDay) {
        self.store = store
        self.day = day
    }

    /// Changes what is entered for the task `id` on `date`.
    ///
    /// Throws `not-found`, and `invalid` when the task is not due then (TI-2), the value is no number (I-9), or what is
    /// done would replace a value over the target (`over-target`).
    package func callAsFunction(
        _ id: String, on date: CivilDate, _ change: Change, operation: Operation
    ) async throws -> Result {
        try await self([id], on: date, change, operation: operation)[0]
    }

    /// The same for several tasks: all of them, or none.
    package func callAsFunction(
        _ ids: [String], on date: CivilDate, _ change: Change, operation: Operation
    ) async throws -> [Result] {
        try await store.write(operation) { transaction in
            try ids.map { id in
                let record = try transaction.liveTask(id)
                let entry = try transaction.change(record, on: date, change)
                let years = try transaction.timeline(of: record, through: date)
                var streak = Streak()
                for state in years.states.dropLast() { streak.add(state) }
                if let last = years.states.last { streak.addToday(last) }
                return Result(
                    task: record, day: date, entry: entry, target: record.draft.target(on: date),
                    streak: streak.current)
            }
        }
    }
}

extension Transaction {
    /// Applies a change to a day of a task; what is entered then.
    func change(_ record: TaskRecord, on date: CivilDate, _ change: EnterCompletion.Change) throws -> Entry? {
        guard record.draft.isDue(on: date) else { throw HubError.notDue(record, on: date) }
        if case .clear = change {
        } else if !TaskDraft.isNear(date) {
            throw HubError.breaking("TI-5", record.draft.name, TaskDraft.farProblem(date))
        }
        let target = record.draft.target(on: date)
        let before = try entry(record.id, on: date)
        var entry = before ?? Entry()
        switch change {
        case .value(let value): (entry.completion, entry.skipReason) = (value, nil)
        case .done where entry.skipReason == nil && Entry.category(of: entry.completion, target) == .over:
            throw HubError(
                .invalid, code: "over-target",
                "\(record.draft.name) is \(NumberText.text(entry.completion)) already, over its target"
                    + (target.map { " \($0)" } ?? ""), hint: "hub mintee set enters another value")
        case .done: (entry.completion, entry.skipReason) = (entry.reaching(target), nil)
        case .more(let count):
            let value = entry.completion
            entry.completion = count >= 0 ? Completion.up(value, by: count) : Completion.down(value, by: -count)
            entry.skipReason = nil
        case .skip(let reason): entry.skipReason = reason
        case .note(let text): entry.note = text.isBlank ? nil : text
        case .clear:
            if before != nil { try setEntry(nil, of: record, on: date) }
            try emitCompletion(Entry(), of: record, on: date)
            return nil
        }
        guard abs(entry.completion) < 1e308 else {
            throw HubError.breaking("I-9", record.draft.name, "takes no such value")
        }
        if entry != before {
            try setEntry(entry, of: record, on: date)
            try emitCompletion(entry, of: record, on: date)
        }
        return entry
    }
}

extension HubError {
    /// The task is not due on `date`, and when it is.
    static func notDue(_ record: TaskRecord, on date: CivilDate) -> HubError {
        let name = record.draft.name
        let rule: RuleCode = record.draft.schedule.kind == .recurring ? "TI-2" : "TI-1"
        var error = HubError(.invalid, code: rule.description.lowercased(), "\(name) is not due on \(date.words)")
        let ahead = record.schedule(today: date).dueDay(after: date)
        let back = record.draft.schedule.dueDay(before: date)
        if let first = record.draft.firstDay, date < first, case .recurring = record.draft.schedule {
            error.details = ["it begins on \(first.words)"]
            error.hint = "hub mintee edit \"\(name)\" --from \(date) makes it begin earlier"
        } else if let ahead {
            error.details = ["next due: \(ahead.words)"] + (back.map { ["last due: \($0.words)"] } ?? [])
            error.hint = "--date picks a day on which it is due, for example --date \(back ?? ahead)"
        } else if let back {
            error.details = ["it was due last on \(back.words)"]
            error.hint = "hub mintee edit \"\(name)\" --to open goes on with it"
            if case .specific = record.draft.schedule { error.hint = "--date \(back) picks that day" }
        }
        error.problems = [FieldProblem(field: "dates", error.message, code: rule.description)]
        return error
    }
}

extension CivilDate {
    /// The day in words: `20 November 2026`.
    package var words: String {
        let (year, month, day) = components
        let names = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        return "\(day) \(names[month - 1]) \(year)"
    }
}

extension EnterCompletion.Change {
    /// The value that somebody typed. Throws `invalid` (I-9) for anything that is no number.
    package init(value text: String) throws(HubError) {
        guard let number = NumberText.number(text) else {
            throw HubError.breaking(
                "I-9", text, "is not a number", hint: NumberText.nearest(text).map { "write \($0)" } ?? "write 4 or 4.5"
            )
        }
        self = .value(number)
    }
}

extension Entry {
    /// The value that `done` gives: what is there when it reaches the target already.
    fileprivate func reaching(_ target: Target?) -> Double {
        Entry.category(of: completion, target) == .reached ? completion : Completion.reaching(target)
    }
}
