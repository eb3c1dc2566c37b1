import CivilDate
import Commands
import HubKit
import MinteeDomain

/// `hub mintee done`, `set`, `up`, `down`, `skip` and `note`: change the entry of a day.
enum DoneCommands {
    static let done = Command(
        "done", summary: "mark tasks as done",
        discussion: [
            "Enters the smallest value that reaches the target, unless the target is already reached. A value above the target "
                + "is not replaced; use hub mintee set for that."
        ],
        examples: [
            Example("hub mintee done read run", "two tasks"),
            Example("hub mintee done read --date yesterday", "for yesterday"),
        ], parameters: [TaskCommands.many, SharedOptions.date], fields: TaskEntry.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let chosen = try await mintee.tasks.select(input[TaskCommands.many], asking: input)
        return try await enter(.done, for: chosen, mintee, input)
    }

    private static let value = Argument<String>("VALUE", help: "a number")

    static let set = one(
        "set", "enter a value for a day", value,
        [
            Example("hub mintee set water 6", "today"),
            Example("hub mintee set water 4.5 --date mon", "for last Monday"),
        ]
    ) { input, mark in try EntryChange(value: input[value], mark) }

    private static let count = Arguments<Int>("N", .optional, help: "amount (default: 1)")

    static let up = one(
        "up", "increase the value by 1, or by N", count,
        [
            Example("hub mintee up coffee", "increase by 1"), Example("hub mintee up water 2", "increase by 2"),
        ]
    ) { input, _ in .more(input[count].first ?? 1) }

    static let down = one(
        "down", "decrease the value by 1, or by N", count,
        [
            Example("hub mintee down coffee", "decrease by 1"), Example("hub mintee down water 2", "decrease by 2"),
        ]
    ) { input, _ in .more(-(input[count].first ?? 1)) }

    private static let why = Arguments<String>("WHY", .zeroOrMore, help: "reason for skipping")

    static let skip = one(
        "skip", "skip a day: neither reached nor missed", why,
        [
            Example("hub mintee skip run", "without a reason"), Example("hub mintee skip run a cold", "with a reason"),
        ]
    ) { input, _ in .skip(try EntryChange.checked(input[why].joined(separator: " "))) }

    private static let text = Arguments<String>("TEXT", .oneOrMore, help: "text of the note, or - for stdin")

    static let note = Command(
        "note", summary: "write a note for a day",
        examples: [
            Example("hub mintee note run in the rain", "today"),
            Example("hub mintee note run slow --date mon", "for last Monday"),
        ],
        prominence: .more, parameters: [TaskCommands.one, text, SharedOptions.date], fields: TaskEntry.fields,
        changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let record = try await mintee.tasks.select(input[TaskCommands.one], asking: input)
        let words = input[text]
        let note = words == ["-"] ? try await input.standardText() : words.joined(separator: " ")
        return try await enter(.note(try EntryChange.checked(note)), for: [record], mintee, input)
    }

    private static func one(
        _ name: String, _ summary: String, _ argument: any ParameterDeclaration, _ examples: [Example],
        _ change: @escaping @Sendable (Input, DecimalMark) throws -> EntryChange
    ) -> Command {
        Command(
            name, summary: summary, examples: examples, prominence: name == "set" ? .main : .more,
            parameters: [TaskCommands.one, argument, SharedOptions.date], fields: TaskEntry.fields, changes: true
        ) { (mintee: MinteePlugin, input: Input) in
            let change = try change(input, mintee.config.decimalMark)
            let record = try await mintee.tasks.select(input[TaskCommands.one], asking: input)
            return try await enter(change, for: [record], mintee, input)
        }
    }

    private static func enter(
        _ change: EntryChange, for records: [TaskRecord], _ mintee: MinteePlugin, _ input: Input
    ) async throws -> Output {
        let date = TaskCommands.date(input, mintee)
        let isNote = if case .note = change { true } else { false }
        let operation = Operation(plannable: input)
        let rows = try await mintee.logCompletion(of: records.map(\.id), on: date, change, operation: operation)
        let summary = TodayCommand.summary(try await mintee.dueTasks(on: date))
        let when = date == mintee.day.today ? "today" : "on \(date)"
        var output = Output(.rows(Rows(rows, TaskEntry.fields)))
        output.isReport = true
        if input.dryRun {
            output.human = rows.map { "Would enter on \(date): \(isNote ? $0.noteSentence : $0.sentence)" }
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
}
