import Commands
import ContactsDomain

/// `hub contacts email`, `phone` and `postaddress`: one value per line, for `$( )`.
enum AddressCommands {
    private static let words = Arguments<String>("WORD", .oneOrMore, help: "words or prefixes of words")

    static let email = command("email", .email, "an e-mail address", "e-mail addresses")
    static let phone = command("phone", .phone, "a phone number", "phone numbers")
    static let postal = command("postaddress", .postal, "a postal address", "postal addresses")

    /// The output fields, also those of `query`.
    static let fields = [
        Field<ContactAddress>("value", "VALUE", help: "address or number") { .text($0.value) },
        Field<ContactAddress>("name", "NAME", help: "name of the contact") { .text($0.contact.name) },
        Field<ContactAddress>("kind", "KIND", help: "kind of the value, such as work") { .text($0.label) },
        Field<ContactAddress>("id", "ID", help: "id of the contact", column: .onRequest) {
            .text($0.contact.id)
        },
    ]

    /// The most addresses that are counted beyond those that are shown: for each a card is read.
    private static let countLimit = 300

    /// Returns the addresses to show, how many match in words, and the note for those that are not shown.
    static func find(
        _ text: String, _ kind: AddressKind, isByUse: Bool = false, in contacts: ContactsPlugin, _ input: Input,
        key: @escaping @Sendable (ContactAddress) -> String? = { _ in nil }
    ) async throws -> (found: [ContactAddress], matches: String, rest: String?) {
        let limit = input.rowLimit(100)
        let counted = max(limit, countLimit)
        let all = try await contacts.findAddresses(
            text, kind, isByUse: isByUse, limit: counted == .max ? .max : counted + 1, key: key)
        let found = Array(all.prefix(limit))
        if all.count > counted {
            let rest = Output.count(found.count, ofMoreThan: counted, "matches")
            return (found, "more than \(NumberFormat.grouped(counted)) addresses match", rest)
        }
        let matches = NumberFormat.counted(all.count, "address matches", "addresses match")
        return (found, matches, Output.count(found.count, of: all.count, "matches"))
    }

    private static func command(
        _ verb: String, _ kind: AddressKind, _ noun: String, _ nouns: String
    ) -> Command {
        Command(
            verb, summary: "print \(nouns), one per line",
            examples: [
                Example("hub contacts \(verb) lukasz", "values only"),
                Example("hub contacts \(verb) lukasz --plain", "values with name and kind"),
            ], prominence: .more, parameters: [words, SharedOptions.limit], fields: fields
        ) { (contacts: ContactsPlugin, input: Input) in
            let text = input[words].joined(separator: " ")
            let (found, _, rest) = try await find(text, kind, in: contacts, input)
            // A single match counts as a use of the contact.
            if !input.dryRun, let id = found.first?.contact.id, found.allSatisfy({ $0.contact.id == id }) {
                await contacts.recordUsage(of: id)
            }
            var output = Output.matches(
                found, fields, count: rest, none: Diagnostic("No contact with \(noun) matches \"\(text)\""))
            output.human = found.map(\.value)
            return output
        }
    }
}
