import ContactsDomain
import HubKit

/// Resolves contact selectors from the command line.
struct ContactSelection: Sendable {
    /// One selector: an id or a prefix of it, an e-mail address, a phone number, words, or `last`.
    static let one = Argument<String>(
        "SEL", help: "contact: id, e-mail, phone number, words, or last", completion: completion)
    /// Several selectors.
    static let many = Arguments<String>(
        "SEL", .oneOrMore, help: "contacts: ids, e-mails, phone numbers, words, last, or - for stdin",
        completion: completion)
    /// Several selectors, or none if an option selects the contacts.
    static let some = Arguments<String>(
        "SEL", .zeroOrMore, help: "contacts: ids, e-mails, phone numbers, words, last, or - for stdin",
        completion: completion)

    /// Only contacts that have all these tags.
    static let tags = Option<[String]>(
        "tag", "TAG", help: "only contacts with this tag (can be repeated)", completion: tagCompletion)

    /// The tags in use.
    static let tagCompletion = Completion.from(ContactsPlugin.self) { contacts, _ in
        try await contacts.getLabels().map {
            CompletionWord($0.tag, $0.count == 1 ? "1 contact" : "\($0.count) contacts")
        }
    }

    /// Completes contacts by id prefix and by words in any of their fields.
    static let completion = Completion.from(ContactsPlugin.self) { contacts, prefix in
        if prefix.isEmpty { return try await words(contacts, try await contacts.getContacts(limit: 50).rows) }
        let byID = Identifier.isPrefix(prefix) ? (try? await contacts.resolve(prefix)) ?? [] : []
        let named = byID.filter { $0.id.hasPrefix(prefix) }
        let found = named.isEmpty ? try await contacts.search(prefix, limit: 50).rows : named
        return try await words(contacts, Array(found.prefix(50)))
    }

    private static func words(
        _ contacts: ContactsPlugin, _ found: [ContactSummary]
    ) async throws -> [CompletionWord] {
        try await contacts.listed(found).map { CompletionWord(id: $0.shortID, name: $0.summary.name) }
    }

    private let contacts: ContactsPlugin
    private let input: Input

    init(_ contacts: ContactsPlugin, _ input: Input) {
        self.contacts = contacts
        self.input = input
    }

    /// Returns the contact that `word` matches. If several match, the user picks one on a terminal.
    func contact(_ word: String, inTrash: Bool = false) async throws -> ContactSummary {
        let found = try await contacts.resolve(word, inTrash: inTrash)
        if found.count == 1 { return found[0] }
        let rows = try await contacts.listed(found)
        let candidates = rows.map { Candidate(id: $0.shortID, name: ContactSelection.line($0.summary)) }
        let picked = try await input.pick(candidates, named: word, noun: "contacts")
        guard let row = rows.first(where: { $0.shortID == picked.id }) else {
            throw HubError.ambiguous(candidates, named: word, noun: "contacts")
        }
        return row.summary
    }

    /// Returns the contacts that `words` match, each once and in order; `-` reads more words from stdin, one per line.
    func contacts(_ words: [String], inTrash: Bool = false) async throws -> [ContactSummary] {
        var chosen: [ContactSummary] = []
        for word in try await expanded(words) {
            let contact = try await contact(word, inTrash: inTrash)
            if !chosen.contains(where: { $0.id == contact.id }) { chosen.append(contact) }
        }
        return chosen
    }

    private func expanded(_ words: [String]) async throws -> [String] {
        guard words.contains("-") else { return words }
        var bytes: [UInt8] = []
        for try await chunk in input.console.standardInput() {
            bytes += chunk
            guard bytes.count <= 16 << 20 else {
                throw HubError(.invalid, code: "input-too-large", "stdin has more than 16 MiB of selectors")
            }
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
        return words.flatMap { $0 == "-" ? lines : [$0] }
    }

    private static func line(_ contact: ContactSummary) -> String {
        [contact.name, contact.email.isEmpty ? contact.phone : contact.email].filter { !$0.isEmpty }
            .joined(separator: "  ")
    }
}
