import Commands
import HubKit
package import MinteeDomain

/// `hub mintee import`: imports tasks of other programs.
enum ImportCommand {
    private static let files = Arguments<String>(
        "FILE", .oneOrMore, help: "files, folders, or - for stdin",
        completion: .files(["ics", "zip", "db", "csv", "json"]))
    private static let format = Option<TaskImportFormat>(
        "as", "FORMAT",
        help: "format: " + TaskImportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            + "; detected from the content if omitted",
        hasEnvironmentVariable: true)
    private static let horizon = Option<DateExpression>(
        "horizon", "D", help: "calendars: end date for series that have none")

    private static let fields = ImportReportRow<TaskImportItem>.fields(
        ImportReportRow.Help(
            id: "id of the task", name: "name of the task", line: "line of a skipped item",
            reason: "why it was skipped, or what could not be imported"),
        own: [Field("days", "DAYS", help: "number of days imported") { FieldValue($0.item?.days) }])

    static let command = Command(
        "import", summary: "import tasks and their days from other programs",
        discussion: [
            "Supported formats: " + TaskImportFormat.allCases.map(\.title).joined(separator: ", ") + ".",
            "An existing task gets the days that it is missing; existing entries are never changed. Data that hub "
                + "cannot represent is reported. A bad line or file does not stop the import. One undo reverts the whole import.",
        ],
        examples: [
            Example("hub mintee import loop.zip", "the export of Loop Habit Tracker"),
            Example("hub mintee import ~/.config/harsh", "a harsh folder"),
            Example("hub mintee import --horizon 2y calendar.ics", "to-dos and events, recurring ones for two years"),
            Example("hub mintee import -n tasks.json", "only show what would be imported"),
        ], parameters: [files, format, horizon], fields: fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let files = TaskImportSource.leaders(among: input[files]).map { file in
            TaskImportFile(name(of: file)) { try await opened(file, input) }
        }
        let isForProgram = Output.isForProgram(input)
        let reports = try await input.stoppable {
            try await mintee.importTasks(
                files, as: input[format], horizon: input[horizon]?.day(today: mintee.day.today),
                operation: Operation(input), isDryRun: input.dryRun, keepsAll: input.listsAllItems
            ) { file, tasks in
                input.console.report(Progress(file, completed: tasks, unit: "tasks"))
            }
        }
        input.console.report(nil)
        let items = reports.flatMap(\.items)
        let shortIDs = isForProgram ? [:] : try await mintee.tasks.shortIDs(of: items.map(\.id).filter { !$0.isEmpty })
        let imports = zip(files, reports).map { file, report in
            ImportSummary(report, file: file.name, shortIDs: shortIDs, isDryRun: input.dryRun) { item in
                item.days.map { NumberFormat.counted($0, "day") } ?? "analysis"
            }
        }
        return Output(imports: imports, fields: fields, isQuiet: input.quiet, counts: input[GlobalOptions.json] != nil)
    }

    /// The display name of a file of the command line.
    private static func name(of file: String) -> String {
        file == "-" ? "stdin" : file.split(separator: "/").last.map(String.init) ?? file
    }

    /// Opens the file or folder of the command line, or stdin for `-`.
    private static func opened(_ file: String, _ input: Input) async throws -> TaskImportSource {
        guard file == "-" else { return try await TaskImportSource(path: file) }
        var bytes: [UInt8] = []
        for try await chunk in input.console.standardInput() {
            bytes += chunk
            guard bytes.count <= ImportBundle.maximumLength else {
                throw HubError(
                    .invalid, code: "too-large", "stdin is larger than 64 MiB",
                    hint: ImportBundle.isOwnExport(startingWith: bytes)
                        ? "write the export to a file: hub mintee export --as json -o FILE" : nil)
            }
        }
        return TaskImportSource(ImportBundle("stdin", [ImportBundle.File("stdin", bytes)]))
    }
}

extension TaskImportFormat: ChoiceArgument {}

extension ImportProblem: ImportIssue {
    /// The file within an archive or folder; nil for a single file.
    package var file: String? { place.file }

    /// The line, counted from 1.
    package var line: Int { place.line }

    /// The first wrong column, counted from 1.
    package var column: Int { columns.lowerBound }

    /// The excerpt with a caret below the wrong columns; empty without an excerpt.
    package var excerptLines: [String] {
        if place.excerpt.isBlank { return [] }
        return SourceExcerpt(lines: [place.excerpt], line: place.line, columns: columns, note: "").rendered
    }
}
