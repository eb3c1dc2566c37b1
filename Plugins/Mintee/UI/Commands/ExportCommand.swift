import HubKit
import MinteeDomain

/// `hub mintee export`: tasks with all that was entered for them.
enum ExportCommand {
    private static let tasks = Arguments<String>(
        "TASK", .zeroOrMore, help: "tasks; all of them without", completion: TaskSelection.completion)
    private static let format = Option<ExportTasks.Format>(
        "as", "FORMAT", help: "json, with everything; csv, the days; ics, a calendar")
    private static let events = Flag("events", help: "in a calendar: events instead of to-dos")

    static let command = Command(
        "export", summary: "write tasks and their days as JSON, CSV or a calendar",
        discussion: ["The same store gives the same bytes. JSON holds all that is known, analyses included."],
        examples: [
            Example("hub mintee export -o tasks.json", "everything"),
            Example("hub mintee export run --as csv", "the days of one task"),
            Example("hub mintee export --as ics --events -o tasks.ics", "for a calendar that shows no to-dos"),
        ], prominence: .more, parameters: [tasks, format, events]
    ) { (mintee: MinteePlugin, input: Input) in
        let wanted = input[format] ?? .json
        guard wanted == .ics || !input[events] else {
            throw HubError(
                .usage, code: "events-without-ics", "--events is for calendars only", hint: "add --as ics")
        }
        let words = input[tasks]
        let ids = words.isEmpty ? nil : try await TaskSelection(mintee, input).tasks(words).map(\.id)
        return Output(.bytes(mintee.export(ids, as: wanted, kind: input[events] ? .events : .todos)))
    }
}

extension ExportTasks.Format: ChoiceArgument {}
