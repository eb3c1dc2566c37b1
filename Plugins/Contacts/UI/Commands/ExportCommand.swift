import Commands
import ContactsDomain
import HubKit

/// `hub contacts export`: writes contacts as vCards and in other formats.
enum ExportCommand {
    private static let format = Option<ExportFormat>(
        "as", "FORMAT", help: "vcard (as stored), vcard3, vcard4, jcard, csv (Google), vdir or ics (birthdays, dates)",
        hasEnvironmentVariable: true)
    private static let safe = Flag(
        "spreadsheet-safe", default: true, help: "do not escape csv cells that start like a formula")

    private static let book = Option<String>(
        "book", "BOOK", help: "only contacts of this book or account; here: in no book",
        completion: BookSelection.completion)

    static let command = Command(
        "export", summary: "export contacts as vCards and in other formats",
        discussion: [
            "vdir is a folder with one file per contact, as used by khard and vdirsyncer; -o names the folder.",
            "csv is for Google Contacts and contains only the fields that it has columns for, without pictures. Groups become "
                + "labels of their members.",
        ],
        examples: [
            Example("hub contacts export -o people.vcf", "all contacts, byte for byte as stored"),
            Example("hub contacts export lukasz --as vcard4", "one contact as vCard 4.0"),
            Example("hub contacts export --as vdir -o people", "a folder for khard"),
            Example("hub contacts export --tag chess --as csv", "all with a tag"),
        ],
        parameters: [
            ContactCommands.some, ContactCommands.tags, GroupsCommands.filter, book, format, safe,
        ], fields: []
    ) { (contacts: ContactsPlugin, input: Input) in
        let format = input[format] ?? .vcard
        let ids = try await selected(contacts, input)
        guard let writer = format.writer(isSingle: ids?.count == 1, isSpreadsheetSafe: input[safe]) else {
            return try await exportFolder(ids, contacts, input)
        }
        return Output(.bytes(contacts.exportCards(ids, by: writer)))
    }

    /// Returns the ids of the selected contacts that have the tags and are in the group and book; nil for all contacts.
    private static func selected(_ contacts: ContactsPlugin, _ input: Input) async throws -> [String]? {
        let words = input[ContactCommands.some]
        let chosen = words.isEmpty ? nil : try await contacts.entities.select(words, asking: input).map(\.id)
        var filter = ContactFilter()
        filter.tags = input[ContactCommands.tags]
        filter.groups = try await GroupsCommands.ids(input[GroupsCommands.filter], contacts, input)
        if let word = input[book] { filter.books = try await BookSelection(contacts).ids(word) }
        if filter == ContactFilter() { return chosen }
        let found = try await contacts.filter(filter).map(\.id)
        guard let chosen else { return found }
        let wanted = Set(found)
        return chosen.filter(wanted.contains)
    }

    private static func exportFolder(
        _ ids: [String]?, _ contacts: ContactsPlugin, _ input: Input
    ) async throws -> Output {
        guard let path = input[GlobalOptions.output], path != "-" else {
            throw HubError(
                .usage, code: "folder-missing", "vdir needs a folder",
                hint: "use hub contacts export --as vdir -o DIR")
        }
        if input.dryRun {
            var output = Output.done("Would write \(ids.map { "\($0.count)" } ?? "all") contacts to \(path)")
            output.wroteFile = true
            return output
        }
        let report = try await contacts.exportFolder(ids, to: path)
        let same = report.unchanged == 0 ? "" : ", \(NumberFormat.grouped(report.unchanged)) unchanged"
        var output = Output.done("\(path): \(NumberFormat.grouped(report.written)) written\(same)")
        output.wroteFile = true
        guard report.withoutUID > 0 else { return output }
        let count = NumberFormat.counted(report.withoutUID, "card has", "cards have")
        return output.noting(
            .warning("\(count) no UID; khard skips such cards", code: "card-without-uid"))
    }
}

/// The export formats.
enum ExportFormat: String, ChoiceArgument, CaseIterable {
    /// The cards as stored, byte for byte.
    case vcard
    case vcard3, vcard4, jcard
    /// The CSV format of Google Contacts.
    case csv
    /// A folder with one file per contact.
    case vdir
    /// A calendar of birthdays, anniversaries and other dates.
    case ics

    /// Returns the writer of the format; nil for a folder. `isSingle`: exactly one contact is written.
    func writer(isSingle: Bool, isSpreadsheetSafe: Bool) -> (any CardListWriter)? {
        switch self {
        case .vcard: VCardWriter(nil)
        case .vcard3: VCardWriter(.v3)
        case .vcard4: VCardWriter(.v4)
        case .jcard: JCardWriter(isSingle: isSingle)
        case .csv: GoogleWriter(isSpreadsheetSafe: isSpreadsheetSafe)
        case .ics: DateCalendar()
        case .vdir: nil
        }
    }
}
