import CivilDate
import Commands
import HubKit
import MinteeDomain

/// `hub mintee new`: makes a task.
enum NewCommand {
    private static let name = Arguments<String>("NAME", .oneOrMore, help: "name of the task")
    private static let options = TaskOptions()

    static let command = Command(
        "new", summary: "create a task or habit",
        discussion: [
            "Without options, the task is due every day and is either done or not. If several --on match a day, the first one "
                + "applies. Without --to, the task has no end date."
        ],
        examples: [
            Example("hub mintee new Read", "every day, done or not"),
            Example(#"hub mintee new Run --on "Mon,Wed,Fri: x >= 5" --tag health"#, "with a target and a tag"),
            Example(#"hub mintee new Gym --on "3 times a week""#, "on any three days"),
        ], parameters: [name] + options.all, exclusive: [["on", "dates"], ["dates", "from"], ["dates", "to"]],
        fields: TaskListItem.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let today = mintee.day.today
        var draft = TaskDraft.daily(input[name].joined(separator: " "), today: today)
        try options.apply(input, to: &draft, today: today, mintee.config.decimalMark)
        let record = try await mintee.createTask(draft, operation: Operation(plannable: input))
        let row = try await mintee.tasks.listed(record)
        let days = record.draft.daysText + record.draft.spanText(today: today)
        return .edited(
            input.dryRun ? "Would create \(draft.name): \(days)" : "\(row.label) is new: \(days)", row,
            TaskListItem.fields)
    }
}

/// The options that describe a task.
struct TaskOptions: Sendable {
    let on = Option<[String]>(
        "on", "PATTERN[: TARGET]", help: #"due days and target: "Mon,Wed: 3 <= x < 5", "3 times a week""#)
    let dates = Option<[String]>("dates", "D,D…", help: "due on these dates instead")
    let from = Option<DateExpression>("from", "D", help: "first day")
    let to = Option<String>("to", "D", help: "last day, or open for no end date")
    let remind = Option<String>("remind", "TIME", help: "reminder time on due days, or none")
    let tags = Option<[String]>(
        "tag", "TAG", help: "tag (can be repeated)", completion: TaskCommands.entity.tagCompletion)
    let notes = Option<String>("notes", "TEXT", help: "notes")
    let section = Option<String>(
        "section", "NAME", help: "section of the day, such as morning, or none",
        completion: .words(TaskOrder.times + ["none"]))

    /// All of them, in the order of the help.
    var all: [any ParameterDeclaration] { [on, dates, from, to, remind, section, tags, notes] }

    /// Whether any of them was given.
    func isGiven(_ input: Input) -> Bool {
        !input[on].isEmpty || !input[dates].isEmpty || input[from] != nil || input[to] != nil || input[remind] != nil
            || !input[tags].isEmpty || input[notes] != nil || input[section] != nil
    }

    /// Takes over what was given.
    func apply(_ input: Input, to draft: inout TaskDraft, today: CivilDate, _ mark: DecimalMark) throws {
        if !input[dates].isEmpty {
            draft.schedule = .dates(try input[dates].flatMap { try Self.days($0, today: today) })
            (draft.hasOpenEnd, draft.period) = (false, nil)
        } else {
            try applySpan(input, to: &draft, today: today, mark)
        }
        if let text = input[remind] { draft.remindAt = text == "none" ? nil : try Self.minutes(text) }
        if !input[tags].isEmpty { draft.tags = input[tags] }
        if let text = input[notes] { draft.notes = text }
        if let text = input[section] { draft.section = text.lowercased() == "none" ? nil : TaskOrder.section(text) }
    }

    private func applySpan(
        _ input: Input, to draft: inout TaskDraft, today: CivilDate, _ mark: DecimalMark
    ) throws {
        var sets = draft.schedule.sets
        if !input[on].isEmpty {
            var first = input[from]?.day(today: today) ?? today
            if input[from] == nil, case .recurring(let start, _, _) = draft.schedule { first = start }
            let days = try input[on].map { try DueDays(argument: $0, mark, start: first) }
            let periods = days.compactMap(\.period)
            guard periods.count < 2 else {
                throw HubError(
                    .usage, code: "pt-11", "a task has one target over several days",
                    details: periods.map(\.description), hint: "a range has two bounds: 4 to 6 times a month")
            }
            draft.period = periods.first
            // `--on Mon-Fri --on "3 times a week"` is one pattern and its target.
            let isAlone = { (days: DueDays) in days.period != nil && days.sets == [TargetSet(.daily)] }
            let named = days.filter { !isAlone($0) }
            sets = (named.isEmpty ? days : named).flatMap(\.sets)
        }
        let isGiven = !input[on].isEmpty || input[from] != nil || input[to] != nil
        if case .specific = draft.schedule {
            guard isGiven else { return }
            draft.schedule = .recurring(from: today, to: today.adding(days: TaskRecord.openDays), sets)
            draft.hasOpenEnd = true
        }
        guard case .recurring(var start, var end, _) = draft.schedule else { return }
        if let day = input[from]?.day(today: today) { start = day }
        if let text = input[to] {
            draft.hasOpenEnd = text == "open"
            if !draft.hasOpenEnd { end = try Self.day(text, today: today) }
        }
        if draft.hasOpenEnd { end = max(end, start.adding(days: TaskRecord.openDays)) }
        draft.schedule = .recurring(from: start, to: end, sets)
    }

    private static func days(_ text: String, today: CivilDate) throws -> [CivilDate] {
        try text.split(separator: ",").map { try day(String($0), today: today) }
    }

    private static func day(_ text: String, today: CivilDate) throws -> CivilDate {
        let word = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard let date = DateExpression(word) else {
            throw HubError(
                .usage, code: "date-invalid", "invalid date \"\(text)\"",
                hint: "write 2026-11-20, \"nov 20\", mon or 3w")
        }
        return date.day(today: today)
    }

    private static func minutes(_ text: String) throws -> Int {
        guard let time = TimeOfDay(text.count == 4 ? "0" + text : text) else {
            throw HubError(
                .usage, code: "time-invalid", "invalid time \"\(text)\"", hint: "write 08:30, or none")
        }
        return time.minutes
    }
}
