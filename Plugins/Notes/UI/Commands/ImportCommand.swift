import Commands
import HubKit
import NotesDomain

/// `hub notes import`: imports notes of other programs.
enum ImportCommand {
    private static let files = Arguments<String>(
        "FILE", .oneOrMore, help: "files, folders, or - for stdin",
        completion: .files(["md", "jex", "json", "enex", "zip"]))
    private static let format = Option<NoteFormat>(
        "as", "FORMAT", help: "format; detected from the content if omitted", hasEnvironmentVariable: true)

    private static let fields = ImportReportRow<NoteImportItem>.fields(
        ImportReportRow.Help(
            id: "id of the note", name: "title of the note, or else the first line of its text",
            line: "always empty", reason: "why it was skipped, or what was imported with it"))

    static let command = Command(
        "import", summary: "import vaults, folders and exports of other programs",
        discussion: [
            "Dates, tags, pictures and other files, links between notes, to-dos and the trash are kept, as far as the export has them. "
                + "What is in no known format is refused; --as markdown takes any text.",
            "Importing a file again does not duplicate its notes: changes in the file since the last import are merged, and "
                + "your own edits are kept. A bad file does not stop the import. One undo reverts the whole import.",
        ],
        examples: [
            Example("hub notes import ~/notes", "a folder of Markdown files"),
            Example("hub notes import joplin.jex", "the export of Joplin"),
            Example("hub notes import Work.enex Private.enex", "notebooks of Evernote"),
            Example("hub notes import notes.zip", "of Simplenote, Standard Notes or Notion, or a vault"),
            Example("hub notes import -n notes.json", "only show what would be imported"),
        ], parameters: [files, format], fields: fields, changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let sources = input[files].map { file in
            file == "-" ? NoteImportSource("stdin") { try await bytes(of: input) } : NoteImportSource(path: file)
        }
        let isForProgram = Output.isForProgram(input)
        let reports = try await input.stoppable {
            try await notes.importNotes(
                sources, as: input[format], operation: Operation(input), isDryRun: input.dryRun,
                keepsAll: input.listsAllItems
            ) { source, count in
                input.console.report(Progress(source, completed: count, unit: "notes"))
            }
        }
        input.console.report(nil)
        let items = reports.flatMap(\.items)
        let shortIDs = isForProgram ? [:] : try await notes.notes.shortIDs(of: items.map(\.id).filter { !$0.isEmpty })
        let imports = zip(sources, reports).map { source, report in
            ImportSummary(report, file: source.name, shortIDs: shortIDs, isDryRun: input.dryRun)
        }
        return Output(imports: imports, fields: fields, isQuiet: input.quiet, counts: input[GlobalOptions.json] != nil)
    }

    /// The bytes of stdin.
    private static func bytes(of input: Input) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in input.console.standardInput() {
            bytes += chunk
            guard bytes.count <= NoteFormat.maximumFile else {
                throw HubError(.invalid, code: "too-large", "stdin is larger than 256 MiB")
            }
        }
        return bytes
    }
}

extension NoteFormat: ChoiceArgument {}
