import CivilDate
import Commands
import HubKit
import MinteeDomain

/// `hub mintee holidays` and its subcommands.
enum HolidaysCommands {
    static let tree = Command(
        group: "holidays", aliases: ["holiday"], summary: "calendars of holidays that patterns leave out",
        examples: [
            Example("hub mintee holidays add holidays berlin.ics", "a calendar of a file"),
            Example(#"hub mintee new Mail --on "weekdays except holidays""#, "a task that leaves it out"),
        ], prominence: .more, view: "list", subcommands: [list, show, add, refresh, remove])

    private static let completion = Completion.from(MinteePlugin.self) { mintee, prefix in
        try await mintee.holidays().map { CompletionWord($0.calendar.name, "\($0.calendar.holidays.count) days") }
            .filter { $0.word.hasPrefix(prefix) }
    }
    private static let name = Argument<String>("NAME", help: "name of the calendar", completion: completion)
    private static let names = Arguments<String>(
        "NAME", .zeroOrMore, help: "calendars; all if omitted", completion: completion)
    private static let newName = Argument<String>("NAME", help: "name, as in except NAME")
    private static let source = Argument<String>(
        "FILE|URL", help: "an .ics file, or the address of one", completion: .files(["ics"]))

    static let fields = [
        Field<ListedHolidays>("name", "CALENDAR", help: "name of the calendar") { .text($0.calendar.name) },
        Field<ListedHolidays>("days", "DAYS", help: "number of holidays", align: .trailing) {
            .integer($0.calendar.holidays.count)
        },
        Field<ListedHolidays>(
            "next", "NEXT", help: "date of the next holiday; null if there is none",
            cell: { $0.next.map { "\($0.day) \($0.name)" } ?? "" }
        ) { FieldValue($0.next?.day.description) },
        Field<ListedHolidays>(
            "tasks", "TASKS", help: "names of the tasks that leave it out", column: .ifRoom(2),
            cell: { $0.tasks.joined(separator: ", ") }
        ) { FieldValue($0.tasks) },
        Field<ListedHolidays>("source", "SOURCE", help: "file or address", column: .ifRoom(1)) {
            .text($0.calendar.source)
        },
    ]

    private static let dayFields = [
        Field<Holiday>("date", "DATE", help: "the day") { .text($0.day.description) },
        Field<Holiday>("name", "HOLIDAY", help: "name of the holiday") { .text($0.name) },
    ]

    private static let list = Command(
        "list", summary: "list calendars of holidays",
        examples: [
            Example("hub mintee holidays", "all calendars"),
            Example("hub mintee holidays --json=name,next", "for a script"),
        ], fields: fields
    ) { (mintee: MinteePlugin, _: Input) in
        .list(
            try await mintee.holidays(), fields,
            empty: Diagnostic(
                "No calendars of holidays",
                suggestions: [Example("hub mintee holidays add holidays berlin.ics", "add the first one")]))
    }

    private static let show = Command(
        "show", summary: "list the holidays of a calendar",
        examples: [
            Example("hub mintee holidays show holidays", "all its days"),
            Example("hub mintee holidays show holidays --json=date,name", "for a script"),
        ], parameters: [name], fields: dayFields
    ) { (mintee: MinteePlugin, input: Input) in
        .list(
            try await mintee.holidays(named: input[name]).calendar.holidays, dayFields,
            empty: Diagnostic("No holidays"))
    }

    private static let add = Command(
        "add", summary: "add a calendar of holidays",
        discussion: [
            "The days of an address are read again once a day by hub serve, and by refresh. Tasks leave the calendar out with "
                + "--on \"weekdays except NAME\"."
        ],
        examples: [
            Example("hub mintee holidays add holidays berlin.ics", "from a file"),
            Example("hub mintee holidays add school https://example.com/school.ics", "from an address"),
        ], parameters: [newName, source], fields: fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let update = try await mintee.addHolidays(
            input[newName], from: input[source], operation: Operation(plannable: input))
        let text = NumberFormat.counted(update.calendar.holidays.count, "day")
        let row = ListedHolidays(calendar: update.calendar, tasks: [], next: nil)
        return .edited(
            input.dryRun
                ? "Would add \(update.calendar.name): \(text)"
                : "\(update.calendar.name) is new: \(text); use it as --on \"weekdays except \(update.calendar.name)\"",
            try await listed(row, mintee), fields)
    }

    private static let refresh = Command(
        "refresh", summary: "read calendars of holidays again",
        examples: [
            Example("hub mintee holidays refresh", "all calendars"),
            Example("hub mintee holidays refresh school", "one calendar"),
        ], parameters: [names], fields: fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let chosen =
            input[names].isEmpty ? try await mintee.holidays().map(\.calendar.name) : input[names]
        var lines: [String] = []
        var isChanged = false
        var failure: HubError?
        // One operation for all, so that one undo reverts it.
        let operation = Operation(plannable: input)
        for name in chosen {
            do {
                let update = try await mintee.refreshHolidays(name, operation: operation)
                lines.append("\(update.calendar.name): \(text(update))")
                lines += details(update)
                isChanged = isChanged || !update.changes.isEmpty
            } catch let error as HubError {
                // A calendar that cannot be read does not stop the others.
                failure = failure ?? error
                lines.append("\(name): \(error.message)")
            }
        }
        if let failure, chosen.count == 1 { throw failure }
        if chosen.isEmpty { lines = ["No calendars of holidays"] }
        let text = lines.joined(separator: "\n")
        var output = isChanged && !input.dryRun ? Output.edited(text) : .done(text)
        if failure != nil { output.exit = .no }
        return output
    }

    private static let remove = Command(
        "rm", summary: "remove a calendar of holidays",
        discussion: ["A calendar that a task leaves out cannot be removed."],
        examples: [
            Example("hub mintee holidays rm school", "undo brings it back"),
            Example("hub mintee holidays rm -n school", "only check"),
        ], parameters: [name], changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let calendar = try await mintee.removeHolidays(input[name], operation: Operation(plannable: input))
        return input.dryRun
            ? .done("Would remove \(calendar.name)") : .edited("\(calendar.name) is removed")
    }

    private static func listed(_ row: ListedHolidays, _ mintee: MinteePlugin) async throws -> ListedHolidays {
        let today = mintee.day.today
        return ListedHolidays(
            calendar: row.calendar, tasks: row.tasks, next: row.calendar.holidays.first { $0.day >= today })
    }

    /// What changed, in a few words.
    private static func text(_ update: HolidayUpdate) -> String {
        let changes = update.changes
        let parts = [
            (changes.added.count, "added"), (changes.removed.count, "removed"), (changes.moved.count, "moved"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "unchanged" : parts.joined(separator: ", ")
    }

    /// The moved holidays, and the tasks that stay due on a holiday.
    private static func details(_ update: HolidayUpdate) -> [String] {
        update.changes.moved.map { "  \($0.holiday.name) moved from \($0.from.dayText) to \($0.holiday.day.dayText)" }
            + update.worked.map { worked in
                let days = worked.days.map(\.dayText).joined(separator: ", ")
                return "  \(worked.task) stays due on \(days): it has an entry"
            }
    }
}
