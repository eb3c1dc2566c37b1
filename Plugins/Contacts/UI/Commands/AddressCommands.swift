import ContactsDomain
import HubKit

/// `hub contacts email`, `phone` and `postaddress`: one value a line, for `$( )`.
enum AddressCommands {
    private static let words = Arguments<String>("WORD", .oneOrMore)

    static let email = command("email", .email, "e-mail address", "e-mail addresses")
    static let phone = command("phone", .phone, "phone number", "phone numbers")
    static let postal = command("postaddress", .postal, "postal address", "postal addresses")

    /// Also what `query` gives a program.
    static let fields = [
        Field<FindAddresses.Address>("value", "VALUE", help: "the address or number") { .text($0.value) },
        Field<FindAddresses.Address>("name", "NAME", help: "whose it is") { .text($0.contact.name) },
        Field<FindAddresses.Address>("kind", "KIND", help: "its kind, such as work") { .text($0.label) },
        Field<FindAddresses.Address>("id", "ID", help: "the contact's id", column: .onRequest) { .text($0.contact.id) },
    ]

    private static func command(
        _ verb: String, _ kind: FindAddresses.Kind, _ noun: String, _ nouns: String
    ) -> Command {
        Command(
            verb, summary: "\(nouns), one per line",
            examples: [
                Example("hub contacts \(verb) lukasz", "the values alone"),
                Example("hub contacts \(verb) lukasz --plain", "with name and kind"),
            ], prominence: .more, parameters: [words, SharedOptions.limit], fields: fields
        ) { (contacts: ContactsPlugin, input: Input) in
            let text = input[words].joined(separator: " ")
            let found = try await contacts.findAddresses(text, kind, limit: input[SharedOptions.limit] ?? 100)
            // Whoever is found alone was meant.
            if let id = found.first?.contact.id, found.allSatisfy({ $0.contact.id == id }) {
                await contacts.noteUse(of: id)
            }
            var output = Output.matches(found, fields, none: Note("No contact with \(noun == "e-mail address" ? "an" : "a") \(noun) matches \"\(text)\""))
            output.human = found.map(\.value)
            return output
        }
    }
}
