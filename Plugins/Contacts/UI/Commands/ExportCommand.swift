import ContactsDomain
import HubKit

/// `hub contacts export`: contacts as vCards and in other formats.
enum ExportCommand {
    private static let format = Option<ExportFormat>(
        "as", "FORMAT", help: "vcard as kept; vcard3, vcard4, jcard, csv of Google, vdir, ics of birthdays",
        hasEnvironmentTwin: true)
    private static let safe = Flag(
        "spreadsheet-safe", help: "in csv, an apostrophe before what a spreadsheet takes for a formula")

    static let command = Command(
        "export", summary: "write contacts as vCards and in other formats",
        discussion: [
            "vdir is a folder with a file for each contact, as khard and vdirsyncer keep it; -o names the folder.",
            "csv is for Google Contacts; it holds what that has columns for, and no pictures.",
        ],
        examples: [
            Example("hub contacts export -o people.vcf", "all of them, each byte for byte as it is kept"),
            Example("hub contacts export lukasz --as vcard4", "one, as vCard 4.0"),
            Example("hub contacts export --as vdir -o people", "a folder for khard"),
        ], parameters: [ContactSelection.some, format, safe], fields: []
    ) { (contacts: ContactsPlugin, input: Input) in
        let format = input[format] ?? .vcard
        let words = input[ContactSelection.some]
        let ids = words.isEmpty ? nil : try await ContactSelection(contacts, input).contacts(words).map(\.id)
        guard let writer = format.writer(isSingle: ids?.count == 1, isSpreadsheetSafe: input[safe]) else {
            return try await exportFolder(ids, contacts, input)
        }
        return Output(.bytes(contacts.exportCards(ids, by: writer)))
    }

    private static func exportFolder(
        _ ids: [String]?, _ contacts: ContactsPlugin, _ input: Input
    ) async throws -> Output {
        guard let path = input[GlobalOptions.output], path != "-" else {
            throw HubError(
                .usage, code: "folder-missing", "vdir is a folder, which -o has to name",
                hint: "hub contacts export --as vdir -o DIR")
        }
        if input.dryRun {
            var output = Output.done("Would write \(ids.map { "\($0.count)" } ?? "all") contacts to \(path)")
            output.isFiled = true
            return output
        }
        let report = try await contacts.exportFolder(ids, to: path)
        let same = report.unchanged == 0 ? "" : ", \(Numerals.grouped(report.unchanged)) unchanged"
        var output = Output.done("\(path): \(Numerals.grouped(report.written)) written\(same)")
        output.isFiled = true
        guard report.withoutUID > 0 else { return output }
        let count = report.withoutUID == 1 ? "1 card has" : "\(Numerals.grouped(report.withoutUID)) cards have"
        return output.noting(
            .warning("\(count) no UID; khard passes over such cards", code: "card-without-uid"))
    }
}
