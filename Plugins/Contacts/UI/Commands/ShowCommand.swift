import Commands
import ContactsDomain
import HubKit

/// `hub contacts show`: shows all fields of a contact.
enum ShowCommand {
    private static let format = Option<CardFormat>("as", "FORMAT", help: "print the card instead; vcard: byte for byte")

    static let command = Command(
        "show", summary: "show all fields of a contact",
        examples: [
            Example("hub contacts show lukasz", "all fields"), Example("hub contacts show 7kt --as vcard", "the vCard"),
        ], parameters: [ContactCommands.many, format, SharedOptions.oneInTrash], fields: ContactView.fields
    ) { (contacts: ContactsPlugin, input: Input) in
        let chosen = try await contacts.entities.select(
            input[ContactCommands.many], inTrash: input[SharedOptions.oneInTrash], asking: input)
        if let format = input[format] {
            return Output(
                .bytes(contacts.exportCards(chosen.map(\.id), by: format.writer(isSingle: chosen.count == 1))))
        }
        var shown: [ContactView] = []
        let short = try await contacts.entities.shortIDs(of: chosen.map(\.id))
        for summary in chosen {
            let contact = try await contacts.entities.get(summary.id)
            shown.append(try await contacts.shown(contact, shortID: short[summary.id] ?? summary.id))
        }
        if let only = shown.first, shown.count == 1 {
            if !input[SharedOptions.oneInTrash], !input.dryRun { await contacts.recordUsage(of: only.contact.id) }
            var output = Output.record(only, ContactView.fields, human: only.lines)
            if let conflict = try? await contacts.conflict(of: only.contact.id) {
                let short = short[only.contact.id] ?? only.contact.id
                output.notes.append(
                    .warning(
                        "open conflict with \(conflict.account): \(conflict.fields.joined(separator: ", "))",
                        code: "open-conflict", hint: "hub contacts conflicts resolve \(short)"))
            }
            return output
        }
        var output = Output(.rows(Rows(shown, ContactView.fields)))
        output.human = Array(shown.map(\.lines).joined(separator: [""]))
        return output
    }
}

/// The output formats of a single card.
enum CardFormat: String, ChoiceArgument, CaseIterable {
    /// The card as stored, byte for byte.
    case vcard
    case vcard3, vcard4, jcard

    /// Returns the writer of the format. `isSingle`: exactly one contact is written.
    func writer(isSingle: Bool) -> any CardListWriter {
        switch self {
        case .vcard: VCardWriter(nil)
        case .vcard3: VCardWriter(.v3)
        case .vcard4: VCardWriter(.v4)
        case .jcard: JCardWriter(isSingle: isSingle)
        }
    }
}
