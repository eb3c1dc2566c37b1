import ContactsDomain
import HubKit

/// `hub contacts import`: reads vCards of any version.
enum ImportCommand {
    private static let files = Arguments<String>(
        "FILE", .oneOrMore, help: "vCard files, or - for stdin", completion: .files(["vcf", "vcard"]))

    static let command = Command(
        "import", summary: "read contacts from vCard files",
        discussion: [
            "A contact that is here already is updated, not doubled; a card that says nothing new changes nothing. A bad "
                + "card never stops the rest. One undo takes back the whole import."
        ],
        examples: [
            Example("hub contacts import people.vcf", "a file"),
            Example("hub contacts import -n people.vcf", "the plan"),
        ], parameters: [files], fields: ImportLine.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let operation = Operation(input)
        var output = Output(.none)
        var all: [ImportLine] = []
        var lines: [String] = []
        for file in input[files] {
            let source = try ImportSource(file: file, input: input)
            let report = try await contacts.importCards(source, operation: operation, isDryRun: input.dryRun) { cards in
                input.interaction.report(Progress(source.name, completed: cards, unit: "cards"))
            }
            input.interaction.report(nil)
            let short = try await contacts.shortenIDs(report.items.map(\.contact.id))
            let told = ImportTelling(report, file: source.name, shortIDs: short, isDryRun: input.dryRun)
            lines += told.lines
            all += told.rows
            if report.skippedCount > 0 { output.exit = .partly }
        }
        output.body = .rows(Rows(all, ImportLine.fields))
        output.human = lines
        output.isReport = true
        return output
    }
}

extension ImportSource {
    /// The file of the command line, or stdin for `-`; throws `not-found` when it cannot be opened.
    fileprivate init(file: String, input: Input) throws {
        if file == "-" {
            let reader = StandardInput(input.interaction.standardInput())
            self.init("stdin") { try await reader.next() }
        } else {
            let reader = try FileChunks(path: file)
            self.init(String(file.split(separator: "/").last ?? "")) { try reader.next() }
        }
    }
}

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
