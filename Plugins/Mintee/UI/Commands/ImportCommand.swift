import HubKit
import MinteeDomain

/// `hub mintee import`: reads tasks of other programs.
enum ImportCommand {
    private static let files = Arguments<String>(
        "FILE", .oneOrMore, help: "files, folders, or - for stdin",
        completion: .files(["ics", "zip", "db", "csv", "json"]))
    private static let format = Option<TaskImportFormat>(
        "as", "FORMAT",
        help: "what it is: " + TaskImportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            + "; its content tells unless given",
        hasEnvironmentTwin: true)
    private static let horizon = Option<DateExpression>(
        "horizon", "D", help: "in calendars: where that ends which has no end there")

    static let command = Command(
        "import", summary: "read tasks and their days from other programs",
        discussion: [
            "Known are " + TaskImportFormat.allCases.map(\.title).joined(separator: ", ") + ".",
            "A task that is here already gets the days that it lacks; what is filled here stays as it is. What a file says "
                + "and hub cannot carry is told. A bad line never stops the rest. One undo takes back the whole import.",
        ],
        examples: [
            Example("hub mintee import loop.zip", "the export of Loop Habit Tracker"),
            Example("hub mintee import ~/.config/harsh", "the files habits and log of harsh"),
            Example("hub mintee import --horizon 2y calendar.ics", "to-dos and events, their rules for two years"),
            Example("hub mintee import -n tasks.json", "the plan"),
        ], parameters: [files, format, horizon], fields: ImportLine.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let operation = Operation(input)
        var output = Output(.none)
        var all: [ImportLine] = []
        var lines: [String] = []
        for file in TaskImportSource.leaders(among: input[files]) {
            let source = try await opened(file, input)
            let name = source.bundle.name
            let report = try await mintee.importTasks(
                source, as: input[format], horizon: input[horizon]?.day(today: mintee.day.today), operation: operation,
                isDryRun: input.dryRun
            ) { tasks in
                input.interaction.report(Progress(name, completed: tasks, unit: "tasks"))
            }
            input.interaction.report(nil)
            let short = try await mintee.shortenIDs(report.items.map(\.id))
            let told = ImportTelling(report, file: name, shortIDs: short, isDryRun: input.dryRun)
            lines += told.lines
            all += told.rows
            if report.skippedCount > 0 { output.exit = .partly }
        }
        output.body = .rows(Rows(all, ImportLine.fields))
        output.human = lines
        output.isReport = true
        return output
    }

    /// The file or folder of the command line, or stdin for `-`.
    private static func opened(_ file: String, _ input: Input) async throws -> TaskImportSource {
        guard file == "-" else { return try TaskImportSource(path: file) }
        var bytes: [UInt8] = []
        for try await chunk in input.interaction.standardInput() {
            bytes += chunk
            guard bytes.count <= ImportBundle.maximumLength else {
                throw HubError(.invalid, code: "too-large", "stdin holds more than 64 MiB")
            }
        }
        return TaskImportSource(ImportBundle("stdin", [ImportBundle.File("stdin", bytes)]))
    }
}

extension TaskImportFormat: ChoiceArgument {}
