package import ContactsDomain
import HubKit

/// `hub contacts import`: reads address books of every known format.
enum ImportCommand {
    private static let files = Arguments<String>(
        "FILE", .oneOrMore, help: "files, folders of vCards, or - for stdin",
        completion: .files(["vcf", "vcard", "csv", "json", "ldif", "addressbook"]))
    private static let format = Option<ImportFormat>(
        "as", "FORMAT", help: "what the files are: vcard, jcard, csv, abook, ldif; their beginning tells unless given",
        hasEnvironmentTwin: true)

    private static let fields = ImportLine<ContactImportItem>.fields(
        ImportLine.Help(
            id: "the contact's id", name: "the name on the card", line: "the line at which a skipped card begins",
            reason: "why a card was skipped or read with a doubt"))

    static let command = Command(
        "import", summary: "read contacts from vCard and other files",
        discussion: [
            "Known are vCard 2.1, 3.0 and 4.0, jCard, CSV of Google, Outlook and Thunderbird, the addressbook of abook, "
                + "LDIF, and folders with a vCard in each file (vdir).",
            "A contact that is here already is updated, not doubled; a card that says nothing new changes nothing. A bad "
                + "card never stops the rest. One undo takes back the whole import.",
        ],
        examples: [
            Example("hub contacts import people.vcf", "a file"),
            Example("hub contacts import ~/.contacts", "a folder of khard"),
            Example("hub contacts import -n people.vcf", "the plan"),
        ], parameters: [files, format], fields: fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let operation = Operation(input)
        var imports: [ImportTelling<ContactImportItem, InputProblem>] = []
        for file in input[files] {
            let source = try ImportSource.opened(file, format: input[format], input: input)
            let report = try await contacts.importCards(source, operation: operation, isDryRun: input.dryRun) { cards in
                input.interaction.report(Progress(source.name, completed: cards, unit: "cards"))
            }
            input.interaction.report(nil)
            // What is only planned has no id that anybody could use.
            let kept = report.items.filter { !input.dryRun || $0.outcome != .new }
            imports.append(
                ImportTelling(
                    report, file: source.name, thing: "card", shortIDs: try await contacts.shortenIDs(kept.map(\.id)),
                    isDryRun: input.dryRun))
        }
        return Output(imports: imports, fields: fields)
    }
}

extension InputProblem: ImportFault {
    package var column: Int { columns.lowerBound }
}

extension ImportSource {
    /// The file or folder of the command line, or stdin for `-`; throws `not-found` when it cannot be opened.
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
