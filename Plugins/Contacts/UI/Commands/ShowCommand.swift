import ContactsDomain
import HubKit

/// `hub contacts show`: all that is known of a contact.
enum ShowCommand {
    private static let format = Option<CardFormat>("as", "FORMAT", help: "vcard: the card itself, byte for byte")

    static let command = Command(
        "show", summary: "show all that is known of a contact",
        examples: [
            Example("hub contacts show lukasz", "for people"), Example("hub contacts show 7kt --as vcard", "the card"),
        ], parameters: [ContactSelection.many, format, SharedOptions.trash], fields: ShownContact.fields
    ) { (contacts: ContactsPlugin, input: Input) in
        let selection = ContactSelection(contacts, input)
        let chosen = try await selection.contacts(input[ContactSelection.many], inTrash: input[SharedOptions.trash])
        if let format = input[format] {
            return Output(
                .bytes(contacts.exportCards(chosen.map(\.id), by: format.writer(isSingle: chosen.count == 1))))
        }
        var shown: [ShownContact] = []
        let short = try await contacts.shortenIDs(chosen.map(\.id))
        for summary in chosen {
            let contact = try await contacts.getDetails(summary.id)
            shown.append(try await contacts.shown(contact, shortID: short[summary.id] ?? summary.id))
        }
        if let only = shown.first, shown.count == 1 {
            if !input[SharedOptions.trash], !input.dryRun { await contacts.noteUse(of: only.contact.id) }
            return .record(only, ShownContact.fields, human: only.lines)
        }
        var output = Output(.rows(Rows(shown, ShownContact.fields)))
        output.human = Array(shown.map(\.lines).joined(separator: [""]))
        return output
    }
}
