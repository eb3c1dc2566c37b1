import ContactsDomain
import HubKit

/// `hub contacts export`: contacts as vCards.
enum ExportCommand {
    private static let format = Option<CardFormat>("as", "FORMAT", help: "vcard as kept; vcard3, vcard4 converted")

    static let command = Command(
        "export", summary: "write contacts as vCards",
        examples: [
            Example("hub contacts export -o people.vcf", "all of them, each byte for byte as it is kept"),
            Example("hub contacts export lukasz --as vcard4", "one, as vCard 4.0"),
        ], parameters: [ContactSelection.some, format]
    ) { (contacts: ContactsPlugin, input: Input) in
        let words = input[ContactSelection.some]
        let ids = words.isEmpty ? nil : try await ContactSelection(contacts, input).contacts(words).map(\.id)
        return Output(.bytes(contacts.exportCards(ids, as: input[format]?.version)))
    }
}
