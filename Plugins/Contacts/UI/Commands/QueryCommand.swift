import Commands
import ContactsDomain

/// `hub contacts query`: addresses for mail programs.
enum QueryCommand {
    private static let words = Arguments<String>("WORD", .oneOrMore, help: "words or prefixes of words")
    private static let mutt = Flag("mutt", help: "print the banner line that mutt expects first")

    static let command = Command(
        "query", summary: "print e-mail addresses for mutt and aerc",
        discussion: [
            "One line per address: address, name and kind, tab-separated. Exits with 1 when nothing matches. The most used "
                + "contacts come first: show, email, phone, postaddress, qr and new --from-mail count as a use of a contact.",
            "mutt: set query_command = \"hub contacts query --mutt %s\"",
            "aerc: address-book-cmd = hub contacts query %s",
        ],
        examples: [
            Example("hub contacts query lukasz", "for aerc"), Example("hub contacts query --mutt lukasz", "for mutt"),
        ], prominence: .more, parameters: [words, mutt, SharedOptions.limit], fields: AddressCommands.fields
    ) { (contacts: ContactsPlugin, input: Input) in
        let text = input[words].joined(separator: " ")
        // Duplicate contacts may have the same address; mail programs need it once.
        let (found, matches, rest) = try await AddressCommands.find(
            text, .email, isByUse: true, in: contacts, input, key: QueryCommand.line)
        let banner = input[mutt] ? ["\(matches) \"\(text)\""] : []
        var output =
            Output.isForProgram(input)
            ? Output.list(found, AddressCommands.fields) : .text(banner + found.map(QueryCommand.line))
        if let rest { output.notes.append(Diagnostic(rest, level: .aside)) }
        if found.isEmpty { output.exit = .no }
        return output
    }

    /// The line for mail programs. Line breaks and tabs in values are replaced by spaces.
    private static func line(_ address: ContactAddress) -> String {
        [address.value, address.contact.name, address.label].map { part in
            isPlain(part)
                ? part
                : TerminalSanitizer.line(
                    part.split { $0.isNewline || $0 == "\t" }.map(\.trimmed).joined(separator: " "))
        }.joined(separator: "\t")
    }

    /// Whether a value can stay as it is: visible ASCII, with blanks only inside.
    private static func isPlain(_ value: String) -> Bool {
        value.utf8.first != 0x20 && value.utf8.last != 0x20 && value.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }
}
