import ContactsDomain
import HubKit

/// `hub contacts email`, `phone` and `postaddress`: one value a line, for `$( )`.
enum AddressCommands {
    private static let words = Arguments<String>("WORD", .oneOrMore, help: "words, or beginnings of words")

    static let email = command("email", .email, "an e-mail address", "e-mail addresses, one a line")
    static let phone = command("phone", .phone, "a phone number", "phone numbers, one a line")
    static let postal = command("postaddress", .postal, "a postal address", "postal addresses, one a line")

    static let fields = [
        Field<FindAddresses.Address>("value", "VALUE", help: "the address or number") { .text($0.value) },
        Field<FindAddresses.Address>("name", "NAME", help: "whose it is") { .text($0.contact.name) },
        Field<FindAddresses.Address>("kind", "KIND", help: "its kind, such as work") { .text($0.label) },
        Field<FindAddresses.Address>("id", "ID", help: "the contact's id", column: .onRequest) { .text($0.contact.id) },
    ]

    private static func command(
        _ verb: String, _ kind: FindAddresses.Kind, _ what: String, _ summary: String
    ) -> Command {
        Command(
            verb, summary: summary,
            examples: [
                Example("hub contacts \(verb) lukasz", "the values alone"),
                Example("hub contacts \(verb) lukasz --plain", "with name and kind"),
            ], prominence: .more, parameters: [words, SharedOptions.limit], fields: fields
        ) { (contacts: ContactsPlugin, input: Input) in
            let text = input[words].joined(separator: " ")
            let all = try await contacts.findAddresses(text, kind, limit: .max)
            let found = Array(all.prefix(input.rowLimit(100)))
            // Whoever is found alone was meant.
            if !input.dryRun, let id = found.first?.contact.id, found.allSatisfy({ $0.contact.id == id }) {
                await contacts.noteUse(of: id)
            }
            var output = Output.matches(
                found, fields, count: Output.count(found.count, of: all.count, "matches"),
                none: Note("No contact with \(what) matches \"\(text)\""))
            output.human = found.map(\.value)
            return output
        }
    }
}
