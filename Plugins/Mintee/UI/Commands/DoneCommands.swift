import CivilDate
import Commands
import HubKit
import MinteeDomain

/// `hub mintee done`, `set`, `up`, `down`, `skip`, `unskip`, `note`, `clear` and `pause`: change the entries of days.
enum DoneCommands {
    static let done = several(
        "done", "mark tasks as done", .main,
        [
            "Enters the smallest value that reaches the target, unless the target is already reached. A value above the target "
                + "is not replaced; use hub mintee set for that."
        ],
        [
            Example("hub mintee done read run", "two tasks"),
            Example("hub mintee done read --date yesterday", "for yesterday"),
            Example("hub mintee done read --date mon..wed", "for three days"),
        ]
    ) { _ in .done }

    private static let value = Argument<String>("VALUE", help: "a number")

    static let set = one(
        "set", "enter a value for a day", value,
        [
            Example("hub mintee set water 6", "today"),
            Example("hub mintee set water 4.5 --date mon", "for last Monday"),
        ]
    ) { input, mark in try EntryChange(value: input[value], mark) }

    private static let count = Arguments<String>("N", .optional, help: "amount, such as 2 or 0.5 (default: 1)")

    static let up = one(
        "up", "increase the value by 1, or by N", count,
        [
            Example("hub mintee up coffee", "increase by 1"), Example("hub mintee up water 0.5", "increase by 0.5"),
        ]
    ) { input, mark in .more(try amount(input, mark)) }

    static let down = one(
        "down", "decrease the value by 1, or by N", count,
        [
            Example("hub mintee down coffee", "decrease by 1"), Example("hub mintee down water 2", "decrease by 2"),
        ]
    ) { input, mark in .more(-(try amount(input, mark))) }

    private static func amount(_ input: Input, _ mark: DecimalMark) throws(HubError) -> Double {
        guard let text = input[count].first else { return 1 }
        return try EntryChange.number(text, mark)
    }

    private static let why = Option<String>("why", "TEXT", help: "reason for skipping")

    static let skip = several(
        "skip", "skip days: neither reached nor missed", .more, ["Of several days, those with a value keep it."],
        [
            Example("hub mintee skip run swim", "two tasks"),
            Example(#"hub mintee skip run --why "a cold" --date mon..wed"#, "with a reason, for three days"),
        ], [why]
    ) { .skip(try EntryChange.checked($0[why] ?? "")) }

    static let unskip = several(
        "unskip", "take a skip back", .more, ["Values and notes of the days stay."],
        [
            Example("hub mintee unskip run", "today"), Example("hub mintee unskip run --date 1w..", "of the last week"),
        ]
    ) { _ in .unskip }

    static let clear = several(
        "clear", "remove what was entered for a day", .more, ["Removes value, skip and note."],
        [
            Example("hub mintee clear run", "today"), Example("hub mintee clear run --date mon..wed", "of three days"),
        ]
    ) { _ in .clear }

    private static let text = Arguments<String>("TEXT", .oneOrMore, help: "text of the note, or - for stdin")

    static let note = Command(
        "note", summary: "write a note for a day",
        discussion: ["A note that is the name of another open task is confirmed first."],
        examples: [
            Example("hub mintee note run in the rain", "today"),
            Example("hub mintee note run slow --date mon", "for last Monday"),
        ],
        prominence: .more, parameters: [TaskCommands.one, text, TaskCommands.date], fields: TaskEntry.fields,
        changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let record = try await mintee.tasks.select(input[TaskCommands.one], asking: input)
        let words = input[text]
        let note = words == ["-"] ? try await input.standardText() : words.joined(separator: " ")
        let days = try TaskCommands.days(input, mintee)
        if let other = try await mintee.openTask(named: note, on: days.upperBound), other.id != record.id {
            let name = other.draft.name
            let question = "\"\(name)\" is a task as well. Write \"\(note)\" as a note for \(record.draft.name)?"
            guard try await input.confirm(question, consequence: "\"\(note)\" is the name of the task \(name) as well")
            else { return .cancelled }
        }
        return try await enter(.note(try EntryChange.checked(note)), for: [record], days, mintee, input)
    }

    private static let everything = Flag("all", help: "all tasks")
    private static let pauseWords = Arguments<String>(
        "TASK|A..B", .oneOrMore, help: "tasks, and last the days: 2026-12-20..2027-01-03 or today..2w",
        completion: TaskCommands.entity.completion)

    static let pause = Command(
        "pause", summary: "skip all due days of a time, such as a vacation",
        discussion: [
            "Days with a value keep it. All days are one operation, so one hub undo takes them back; hub mintee unskip ends a "
                + "pause early. Weekdays and dates without a year mean the next ones."
        ],
        examples: [
            Example("hub mintee pause --all 2026-12-20..2027-01-03", "two weeks away"),
            Example(#"hub mintee pause run swim today..1w --why "a cold""#, "two tasks for a week"),
        ],
        prominence: .more, parameters: [pauseWords, everything, why], fields: TaskEntry.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let words = input[pauseWords]
        guard let range = words.last.flatMap({ DateRange($0) }) else {
            throw HubError(
                .usage, code: "range-missing", "the days are missing",
                hint: "write them last: hub mintee pause \(words.joined(separator: " ")) today..2w")
        }
        guard range.lower != nil, range.upper != nil else {
            throw HubError(
                .usage, code: "range-invalid", "a pause has a first and a last day",
                hint: "use hub mintee edit TASK --to yesterday to end a task")
        }
        let names = Array(words.dropLast())
        guard names.isEmpty == input[everything] else {
            throw HubError(
                .usage, code: "tasks-invalid", names.isEmpty ? "no task given" : "--all and tasks exclude each other",
                hint: "name tasks, or use --all for all of them")
        }
        let days = try TaskCommands.days(range, today: mintee.day.today, .forward)
        let chosen =
            input[everything] ? try await mintee.listTasks() : try await mintee.tasks.select(names, asking: input)
        return try await enter(
            .skip(try EntryChange.checked(input[why] ?? "")), for: chosen, days, mintee, input, isRange: true)
    }

    private static func several(
        _ name: String, _ summary: String, _ prominence: Command.Prominence, _ discussion: [String],
        _ examples: [Example], _ options: [any ParameterDeclaration] = [],
        _ change: @escaping @Sendable (Input) throws -> EntryChange
    ) -> Command {
        Command(
            name, summary: summary, discussion: discussion, examples: examples, prominence: prominence,
            parameters: [TaskCommands.many] + options + [TaskCommands.date], fields: TaskEntry.fields, changes: true
        ) { (mintee: MinteePlugin, input: Input) in
            let change = try change(input)
            let days = try TaskCommands.days(input, mintee)
            let words = input[TaskCommands.many]
            do {
                let chosen = try await mintee.tasks.select(words, asking: input)
                return try await enter(change, for: chosen, days, mintee, input)
            } catch var error as HubError where error.code == "task-not-found" && name == "skip" && words.count > 1 {
                // `skip run a cold` gave a reason once.
                error.hint =
                    "give a reason with --why: hub mintee skip \(words[0]) --why "
                    + "\"\(words.dropFirst().joined(separator: " "))\""
                throw error
            }
        }
    }

    private static func one(
        _ name: String, _ summary: String, _ argument: any ParameterDeclaration, _ examples: [Example],
        _ change: @escaping @Sendable (Input, DecimalMark) throws -> EntryChange
    ) -> Command {
        Command(
            name, summary: summary, examples: examples, prominence: name == "set" ? .main : .more,
            parameters: [TaskCommands.one, argument, TaskCommands.date], fields: TaskEntry.fields, changes: true
        ) { (mintee: MinteePlugin, input: Input) in
            let change = try change(input, mintee.config.decimalMark)
            let record = try await mintee.tasks.select(input[TaskCommands.one], asking: input)
            return try await enter(change, for: [record], try TaskCommands.days(input, mintee), mintee, input)
        }
    }

    private static func enter(
        _ change: EntryChange, for records: [TaskRecord], _ days: ClosedRange<CivilDate>, _ mintee: MinteePlugin,
        _ input: Input, isRange: Bool = false
    ) async throws -> Output {
        if isRange || days.lowerBound < days.upperBound {
            return try await enterAll(change, for: records, days, mintee, input)
        }
        let (date, today) = (days.lowerBound, mintee.day.today)
        let isNote = if case .note = change { true } else { false }
        let operation = Operation(plannable: input)
        let rows = try await mintee.logCompletion(of: records.map(\.id), on: date, change, operation: operation)
        let summary = TodayCommand.summary(try await mintee.dueTasks(on: date))
        let when = date == today ? "today" : "on \(date.shortText(today: today))"
        var output = Output(.rows(Rows(rows, TaskEntry.fields)))
        output.isReport = true
        if input.dryRun {
            output.human = rows.map { "Would enter \(when): \(isNote ? $0.noteSentence : $0.sentence)" }
            return output
        }
        if isNote {
            output.human = rows.map { "\($0.noteSentence) \(when)" }
            return output.asEdit(.last)
        }
        let lines = rows.map(\.sentence)
        output.human = lines.dropLast() + ["\(lines.last ?? "") \(summary) \(when)"]
        return output.asEdit(.last)
    }

    /// Changes several days as one operation.
    private static func enterAll(
        _ change: EntryChange, for records: [TaskRecord], _ days: ClosedRange<CivilDate>, _ mintee: MinteePlugin,
        _ input: Input
    ) async throws -> Output {
        let results = try await mintee.logCompletion(
            of: records.map(\.id), in: days, change, operation: Operation(plannable: input))
        let when = days.shortText(today: mintee.day.today)
        guard !results.isEmpty else {
            if records.count == 1 { throw HubError.notDue(records[0], on: days.lowerBound) }
            return .done("No task is due from \(when)")
        }
        var output = Output(.rows(Rows(results.flatMap(\.changed), TaskEntry.fields)))
        output.isReport = true
        let prefix = input.dryRun ? "Would change " : ""
        if results.count <= 5 {
            output.human = results.map { "\(prefix)\($0.sentence(change)), \(when)" }
        } else {
            let (changed, kept) = (
                results.reduce(0) { $0 + $1.changed.count }, results.reduce(0) { $0 + $1.kept.count }
            )
            let tail = kept == 0 ? "" : "; \(NumberFormat.counted(kept, "day")) with a value kept"
            let tasks = NumberFormat.counted(results.count, "task")
            output.human = ["\(prefix)\(tasks): \(NumberFormat.counted(changed, "day")) \(change.verb), \(when)\(tail)"]
        }
        return input.dryRun ? output : output.asEdit(.last)
    }
}

extension LoggedDays {
    /// `Run: 3 days skipped, 1 with a value kept`.
    fileprivate func sentence(_ change: EntryChange) -> String {
        let tail = kept.isEmpty ? "" : ", \(kept.count) with a value kept"
        return "\(task.draft.name): \(NumberFormat.counted(changed.count, "day")) \(change.verb)\(tail)"
    }
}

extension EntryChange {
    /// What was done to several days.
    fileprivate var verb: String {
        switch self {
        case .done: "done"
        case .value, .more: "entered"
        case .skip(let reason): reason.isEmpty ? "skipped" : "skipped (\(reason))"
        case .unskip: "no longer skipped"
        case .note(let text): text.isBlank ? "without their note" : "noted"
        case .clear: "cleared"
        }
    }
}

extension MinteePlugin {
    /// Returns the open task of a day whose name consists of these words; nil if there is none.
    fileprivate func openTask(named text: String, on date: CivilDate) async throws -> TaskRecord? {
        let words = SearchWords.split(text)
        guard !words.isEmpty, words.count <= 5 else { return nil }
        let items = try await dueTasks(on: date)
        return items.first { !$0.isSettled && SearchWords.begin(words, in: SearchWords.split($0.task.draft.name)) }?
            .task
    }
}
