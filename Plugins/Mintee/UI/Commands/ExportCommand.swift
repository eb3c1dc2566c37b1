import Commands
import HubKit
import MinteeDomain

/// `hub mintee export`: tasks with all that was entered for them.
enum ExportCommand {
    private static let tasks = Arguments<String>(
        "TASK", .zeroOrMore, help: "tasks to export (default: all)", completion: TaskCommands.entity.completion)
    private static let format = Option<TaskExportFormat>(
        "as", "FORMAT",
        help: "json (everything), csv (days), ics (calendar), loop, harsh or habitctl (zip), or habitica (JSON)")
    private static let events = Flag("events", help: "calendars: write events instead of to-dos")

    static let command = Command(
        "export", summary: "export tasks and days as JSON, CSV, iCalendar and others",
        discussion: [
            "The output is reproducible byte for byte. JSON contains everything, including analyses; loop is the zip of CSV "
                + "files that Loop Habit Tracker writes; harsh and habitctl are zips of their files habits and log; habitica is "
                + "userdata.json with the tasks alone."
        ],
        examples: [
            Example("hub mintee export -o tasks.json", "everything"),
            Example("hub mintee export run --as csv", "the days of one task"),
            Example("hub mintee export --as ics --events -o tasks.ics", "for calendars without to-dos"),
            Example("hub mintee export --as loop -o loop.zip", "for Loop Habit Tracker"),
            Example("hub mintee export --as harsh -o harsh.zip", "a harsh folder as zip"),
        ], prominence: .more, parameters: [tasks, format, events]
    ) { (mintee: MinteePlugin, input: Input) in
        let wanted = input[format] ?? .json
        guard wanted == .ics || !input[events] else {
            throw HubError(
                .usage, code: "events-without-ics", "--events only applies to calendars", hint: "add --as ics")
        }
        let words = input[tasks]
        let ids = words.isEmpty ? nil : try await mintee.tasks.select(words, asking: input).map(\.id)
        let output = Output(.bytes(mintee.export(ids, as: wanted, kind: input[events] ? .events : .todos)))
        let inexact = try await mintee.tasksInexact(in: wanted, ids)
        guard !inexact.isEmpty else { return output }
        let names = inexact.prefix(5).joined(separator: ", ") + (inexact.count > 5 ? ", …" : "")
        return output.noting(
            .warning(ExportCommand.warning(wanted, names), code: "\(wanted.rawValue)-inexact"))
    }

    /// The warning that a format cannot represent everything of these tasks.
    private static func warning(_ format: TaskExportFormat, _ names: String) -> String {
        switch format {
        case .loop:
            "Loop cannot represent the days or target of \(names): exported as a number of times per number of days"
        case .habitica:
            "Habitica cannot represent everything of \(names): skipped days, notes of days, and ends are left out, and other "
                + "days and targets than done or not done exported as Habits"
        default:
            "\(format.rawValue) cannot represent everything of \(names): exported as a number of times per number of days"
        }
    }
}

extension TaskExportFormat: ChoiceArgument {}
