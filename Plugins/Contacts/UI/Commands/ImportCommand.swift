package import Commands
package import ContactsDomain
import HubKit

/// `hub contacts import`: imports contacts in all supported formats.
enum ImportCommand {
    private static let files = Arguments<String>(
        "FILE", .oneOrMore, help: "files, folders of vCards, or - for stdin",
        completion: .files(["vcf", "vcard", "csv", "json", "ldif", "addressbook"]))
    private static let format = Option<ImportFormat>(
        "as", "FORMAT",
        help: "format of the files: vcard, jcard, csv, abook, ldif; detected from the content if omitted",
        hasEnvironmentVariable: true)

    private static let columns = Option<[ColumnMapping]>(
        "map", "COLUMN=FIELD", help: "import a column of a table as a field, such as Telefon=phone.mobile")

    private static let charset = Option<FileCharset>(
        "charset", "NAME",
        help: "character set of the files, such as macintosh or shift_jis (default: UTF-8, UTF-16 or Windows-1252)")

    private static let fields = ImportReportRow<ContactImportItem>.fields(
        ImportReportRow.Help(
            id: "id of the contact", name: "name in the card",
            line: "first line of a skipped card, or line of the first warning",
            reason: "changes, reason for skipping, warnings"))

    static let command = Command(
        "import", summary: "import contacts from vCard and other files",
        discussion: [
            "Supported formats: vCard 2.1, 3.0 and 4.0, jCard, CSV of Google, Outlook and Thunderbird, abook, LDIF, and "
                + "folders with one vCard per file (vdir).",
            "Columns of a table are recognized in ten languages; --map sets the meaning of others. Importing a contact again does not duplicate it: changes in the file since the last import are merged into the "
                + "contact, your own edits are kept, and cards with an older REV are ignored. Invalid cards and files are "
                + "skipped. hub undo reverts the whole import.",
        ],
        examples: [
            Example("hub contacts import people.vcf", "import a file"),
            Example("hub contacts import ~/.contacts", "import a khard folder"),
            Example("hub contacts import -n people.vcf", "show what would be imported"),
            Example("hub contacts import --charset macintosh people.vcf", "import a file of an old Mac or Palm"),
            Example("hub contacts import --map Numer=phone.mobile people.csv", "import a column as mobile phone"),
        ], parameters: [files, format, columns, charset], fields: fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let files = input[files].map { file in
            ImportFile(name(of: file)) {
                var source = try await ImportSource.opened(file, format: input[format], input: input)
                source.columns = input[columns]
                source.charset = input[charset]
                return source
            }
        }
        let isForProgram = Output.isForProgram(input)
        let reports = try await input.stoppable {
            try await contacts.importCards(
                files, operation: Operation(input), isDryRun: input.dryRun, keepsAll: input.listsAllItems
            ) { file, cards in
                input.console.report(Progress(file, completed: cards, unit: "cards"))
            }
        }
        input.console.report(nil)
        // A planned contact has no id yet.
        let kept = reports.flatMap(\.items).filter { !input.dryRun || $0.outcome != .new }
        let shortIDs = isForProgram ? [:] : try await contacts.entities.shortIDs(of: kept.map(\.id))
        let imports = zip(files, reports).map { file, report in
            ImportSummary(report, file: file.name, shortIDs: shortIDs, isDryRun: input.dryRun)
        }
        return Output(imports: imports, fields: fields, isQuiet: input.quiet, counts: input[GlobalOptions.json] != nil)
    }

    /// The display name of a file on the command line.
    private static func name(of file: String) -> String {
        file == "-" ? "stdin" : file.split(separator: "/").last.map(String.init) ?? file
    }
}

extension InputProblem: ImportIssue {
    /// The first invalid column, counted from 1.
    package var column: Int { columns.lowerBound }
}

extension ImportSource {
    /// Opens the file or folder, or stdin for `-`. Throws if it cannot be opened.
    fileprivate static func opened(
        _ file: String, format: ImportFormat?, input: Input
    ) async throws -> ImportSource {
        if file == "-" {
            let reader = StandardInput(input.console.standardInput())
            return ImportSource("stdin", format: format, next: { try await reader.next() })
        }
        if let folder = try await ImportSource.folder(at: file, format: format) { return folder }
        let reader = try await ChunkedFileReader(path: file)
        let name = String(file.split(separator: "/").last ?? "")
        return ImportSource(name, format: format, next: { try await reader.next() })
    }
}

extension ImportFormat: ChoiceArgument {}

extension FileCharset: ArgumentValue {
    /// Reads the name; the error says what was expected instead.
    package static func parse(argument: String) throws(InvalidArgument) -> FileCharset {
        guard let charset = FileCharset(argument) else {
            throw InvalidArgument(
                expected: "a character set that contains ASCII",
                hint: "such as macintosh, windows-1250, koi8-r or shift_jis")
        }
        return charset
    }
}

extension ColumnMapping: ArgumentValue {
    /// Reads the argument; the error says what was expected instead.
    package static func parse(argument: String) throws(InvalidArgument) -> ColumnMapping {
        guard let mapping = ColumnMapping(argument) else {
            throw InvalidArgument(expected: "COLUMN=FIELD", hint: "the fields are \(ColumnMapping.fields)")
        }
        return mapping
    }
}

/// Reads stdin in chunks on demand.
private actor StandardInput {
    private var iterator: any AsyncIteratorProtocol<[UInt8], any Error>

    init(_ stream: Output.ByteStream) { iterator = stream.makeAsyncIterator() }

    func next() async throws -> [UInt8]? {
        var current = iterator
        defer { iterator = current }
        return try await current.next(isolation: self)
    }
}
