package import ContactsDomain
import HubKit

/// `hub contacts import`: reads address books of every known format.
enum ImportCommand {
    private static let files = Arguments<String>(
        "FILE", .oneOrMore, help: "files, folders of vCards, or - for stdin",
        completion: .files(["vcf", "vcard", "csv", "json", "ldif", "addressbook"]))
    private static let format = Option<ImportFormat>(
        "as", "FORMAT", help: "what the files are: vcard, jcard, csv, abook, ldif; detected from the content if omitted",
        hasEnvironmentTwin: true)

    private static let fields = ImportLine<ContactImportItem>.fields(
        ImportLine.Help(
            id: "the contact's id", name: "the name on the card", line: "the line at which a skipped card begins",
            reason: "what changed, why a card was skipped, what was read with a doubt"))

    static let command = Command(
        "import", summary: "read contacts from vCard and other files",
        discussion: [
            "Known are vCard 2.1, 3.0 and 4.0, jCard, CSV of Google, Outlook and Thunderbird, the addressbook of abook, "
                + "LDIF, and folders with a vCard in each file (vdir).",
            "A contact that is here already is not doubled: what the file changed since it was imported last is merged "
                + "into it, what you edited here stays, and a state that is older by its REV changes nothing. The same file "
                + "again changes nothing. A bad card or file never stops the rest. One undo takes back the whole import.",
        ],
        examples: [
            Example("hub contacts import people.vcf", "a file"),
            Example("hub contacts import ~/.contacts", "a folder of khard"),
            Example("hub contacts import -n people.vcf", "the plan"),
        ], parameters: [files, format], fields: fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let files = input[files].map { file in
            ImportFile(name(of: file)) { try ImportSource.opened(file, format: input[format], input: input) }
        }
        let isForProgram = Output.isForProgram(input)
        let reports = try await input.stoppable {
            try await contacts.importCards(
                files, operation: Operation(input), isDryRun: input.dryRun, keepsAll: isForProgram
            ) { file, cards in
                input.interaction.report(Progress(file, completed: cards, unit: "cards"))
            }
        }
        input.interaction.report(nil)
        // What is only planned has no id that anybody could use.
        let kept = reports.flatMap(\.items).filter { !input.dryRun || $0.outcome != .new }
        let shortIDs = isForProgram ? [:] : try await contacts.shortenIDs(kept.map(\.id))
        let imports = zip(files, reports).map { file, report in
            ImportTelling(report, file: file.name, shortIDs: shortIDs, isDryRun: input.dryRun)
        }
        return Output(imports: imports, fields: fields, isQuiet: input.quiet, counts: input[GlobalOptions.json] != nil)
    }

    /// What a person calls a file of the command line.
    private static func name(of file: String) -> String {
        file == "-" ? "stdin" : file.split(separator: "/").last.map(String.init) ?? file
    }
}

extension InputProblem: ImportFault {
    package var column: Int { columns.lowerBound }
}

extension ImportSource {
    /// The file or folder of the command line, or stdin for `-`; throws when it cannot be opened.
    fileprivate static func opened(_ file: String, format: ImportFormat?, input: Input) throws -> ImportSource {
        if file == "-" {
            let reader = StandardInput(input.interaction.standardInput())
            return ImportSource("stdin", format: format, next: { try await reader.next() })
        }
        if let folder = try ImportSource.folder(at: file, format: format) { return folder }
        let reader = try FileChunks(path: file)
        return ImportSource(String(file.split(separator: "/").last ?? ""), format: format, next: { try reader.next() })
    }
}

extension ImportFormat: ChoiceArgument {}

/// Stdin, read chunk by chunk by whoever asks.
private actor StandardInput {
    private var iterator: any AsyncIteratorProtocol<[UInt8], any Error>

    init(_ stream: Output.ByteStream) { iterator = stream.makeAsyncIterator() }

    func next() async throws -> [UInt8]? {
        var current = iterator
        defer { iterator = current }
        return try await current.next(isolation: self)
    }
}
