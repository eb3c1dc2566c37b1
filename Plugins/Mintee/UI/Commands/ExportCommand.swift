import HubKit
import MinteeDomain

/// `hub mintee export`: tasks with all that was entered for them.
enum ExportCommand {
    private static let tasks = Arguments<String>(
        "TASK", .zeroOrMore, help: "tasks; all of them without", completion: TaskSelection.completion)
    private static let format = Option<ExportTasks.Format>(
        "as", "FORMAT", help: "json, with everything; csv, the days; ics, a calendar; loop, a zip")
    private static let events = Flag("events", help: "in a calendar: events instead of to-dos")

    static let command = Command(
        "export", summary: "write tasks and days as JSON, CSV, a calendar or for Loop",
        discussion: [
            "The same store gives the same bytes. JSON holds all that is known, analyses included; loop is the zip of CSV "
                + "files that Loop Habit Tracker writes."
        ],
        examples: [
            Example("hub mintee export -o tasks.json", "everything"),
            Example("hub mintee export run --as csv", "the days of one task"),
            Example("hub mintee export --as ics --events -o tasks.ics", "for a calendar that shows no to-dos"),
            Example("hub mintee export --as loop -o loop.zip", "for Loop Habit Tracker"),
        ], prominence: .more, parameters: [tasks, format, events]
    ) { (mintee: MinteePlugin, input: Input) in
        let wanted = input[format] ?? .json
        guard wanted == .ics || !input[events] else {
            throw HubError(
                .usage, code: "events-without-ics", "--events is for calendars only", hint: "add --as ics")
        }
        let words = input[tasks]
        let ids = words.isEmpty ? nil : try await TaskSelection(mintee, input).tasks(words).map(\.id)
        let output = Output(.bytes(mintee.export(ids, as: wanted, kind: input[events] ? .events : .todos)))
        guard wanted == .loop else { return output }
        let inexact = try await mintee.export.inexactForLoop(ids)
        guard !inexact.isEmpty else { return output }
        let names = inexact.prefix(5).joined(separator: ", ") + (inexact.count > 5 ? ", …" : "")
        return output.noting(
            .warning(
                "Loop has no rule for days or target of \(names): written as so many times in so many days",
                code: "loop-inexact"))
    }
}

extension ExportTasks.Format: ChoiceArgument {}
