import ContactsDomain
import HubKit

/// `hub contacts query`: addresses for mail programs.
enum QueryCommand {
    private static let words = Arguments<String>("WORD", .oneOrMore)
    private static let mutt = Flag("mutt", help: "a banner line first, which mutt skips")

    static let command = Command(
        "query", summary: "e-mail addresses for mutt and aerc",
        discussion: [
            "One line each: address, name and kind, tab-separated; exit code 1 when nothing matches. Contacts that you "
                + "used most come first: looking somebody up by show, email, phone, postaddress or qr counts as a use, "
                + "and so does a mail of theirs that new --from-mail reads.",
            "mutt: set query_command = \"hub contacts query --mutt %s\"",
            "aerc: address-book-cmd = hub contacts query %s",
        ],
        examples: [
            Example("hub contacts query lukasz", "for aerc"), Example("hub contacts query --mutt lukasz", "for mutt"),
        ], prominence: .more, parameters: [words, mutt, SharedOptions.limit], fields: AddressCommands.fields
    ) { (contacts: ContactsPlugin, input: Input) in
        let text = input[words].joined(separator: " ")
        let found = try await contacts.findAddresses(
            text, .email, isByUse: true, limit: input[SharedOptions.limit] ?? 100)
        // Contacts that are one person say the same twice, and no mail program needs both.
        var seen = Set<String>()
        let rows = found.filter { seen.insert(QueryCommand.line($0)).inserted }
        let banner = input[mutt] ? ["\(Numerals.grouped(rows.count)) of your contacts match \"\(text)\""] : []
        var output =
            Output.isForProgram(input)
            ? Output.list(rows, AddressCommands.fields) : .text(banner + rows.map(QueryCommand.line))
        if rows.isEmpty { output.exit = .no }
        return output
    }

    /// The line that mail programs read: each of its three parts on it, whatever stands in a card.
    private static func line(_ address: FindAddresses.Address) -> String {
        [address.value, address.contact.name, address.label].map { part in
            PrintableText.line(part.split { $0.isNewline || $0 == "\t" }.map(\.trimmed).joined(separator: " "))
        }.joined(separator: "\t")
    }
}
