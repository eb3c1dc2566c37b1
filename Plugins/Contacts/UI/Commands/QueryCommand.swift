import ContactsDomain
import HubKit

/// `hub contacts query`: addresses for mail programs.
enum QueryCommand {
    private static let words = Arguments<String>("WORD", .oneOrMore, help: "words, or beginnings of words")
    private static let mutt = Flag("mutt", help: "a banner line first, which mutt skips")

    static let command = Command(
        "query", summary: "e-mail addresses for mutt and aerc",
        discussion: [
            "One line each: address, name and kind, parted by tabs; exit code 1 when nothing matches. Contacts that you "
                + "used most come first: looking somebody up by show, email, phone, postaddress or qr counts as a use, "
                + "and so does a mail of theirs that new --from-mail reads.",
            "mutt: set query_command = \"hub contacts query --mutt %s\"",
            "aerc: address-book-cmd = hub contacts query %s",
        ],
        examples: [
            Example("hub contacts query lukasz", "for aerc"), Example("hub contacts query --mutt lukasz", "for mutt"),
        ], prominence: .more, parameters: [words, mutt, SharedOptions.limit],
        fields: AddressCommands.fields
    ) { (contacts: ContactsPlugin, input: Input) in
        let text = input[words].joined(separator: " ")
        let all = try await contacts.findAddresses(text, .email, isByUse: true, limit: .max)
        let found = Array(all.prefix(input.rowLimit(100)))
        let lines = found.map { address in
            [address.value, address.contact.name, address.label].map { $0.map { $0 == "\t" ? " " : $0 } }
                .map { String($0) }.joined(separator: "\t")
        }
        let count = all.count == 1 ? "1 address matches" : "\(Numerals.grouped(all.count)) addresses match"
        let banner = input[mutt] ? ["\(count) \"\(text)\""] : []
        let forms = [GlobalOptions.json, GlobalOptions.plain, GlobalOptions.format]
        let asksFields = input[GlobalOptions.null] || forms.contains { input[$0] != nil }
        // Mail programs split the lines at tabs, which no other table keeps.
        var output = asksFields ? Output(.rows(Rows(found, AddressCommands.fields))) : .text(banner + lines)
        if let count = Output.count(found.count, of: all.count, "matches") {
            output.notes.append(Note(count, level: .aside))
        }
        if lines.isEmpty { output.exit = .no }
        return output
    }
}
