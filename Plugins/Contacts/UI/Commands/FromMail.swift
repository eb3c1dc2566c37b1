import Commands
import ContactsDomain
import HubKit

/// `hub contacts new --from-mail -`: adds the people of a mail as contacts.
struct FromMail: Sendable {
    /// The address headers of a mail that can be selected.
    enum Header: String, CaseIterable, Sendable {
        case from, to, cc, bcc, sender
        case replyTo = "reply-to"
    }

    private let contacts: ContactsPlugin
    private let input: Input

    init(_ contacts: ContactsPlugin, _ input: Input) {
        self.contacts = contacts
        self.input = input
    }

    /// Adds the people in `headers` of the mail in `file` (`-` for stdin) to a book; returns a line for each. With `contact`,
    /// the address of the only one is added to that contact.
    func add(
        from file: String, headers: [Header], to book: Book?, adding contact: ContactSummary? = nil
    ) async throws -> Output {
        let header = MailHeader(try await bytes(of: file))
        let source = file == "-" ? "stdin" : file
        guard !header.isEmpty else {
            throw HubError(
                .invalid, code: "no-mail", "\(source) is not a mail message",
                hint: "a message starts with headers such as From: …")
        }
        let people = header.people(in: headers.map(\.rawValue))
        let fields = headers.map(\.rawValue).joined(separator: ", ")
        if people.isEmpty {
            var output = Output.list([], PersonLine.fields, empty: Diagnostic("No addresses in the headers \(fields)"))
            output.exit = .no
            return output
        }
        var mail = MailPeople(people, own: contacts.ownAddresses(), lists: header.listAddresses)
        let operation = Operation(input)
        if let contact {
            let others = people.filter { !mail.own.contains($0.address.lowercased()) }
            guard let only = others.first, others.count == 1 else {
                throw HubError(
                    .usage, code: "mail-people", "the headers \(fields) name \(others.count) people",
                    details: others.map(\.address), hint: "choose one header with --header")
            }
            mail.people = [only]
            mail.decisions[only.address.lowercased()] = .addTo(contact.id)
        } else {
            try await decide(&mail, operation)
        }
        let added = try await contacts.importFromMail(
            mail, book: book?.id, operation: operation, isDryRun: input.dryRun)
        return try await output(added)
    }

    /// Asks about the people whose names contacts with other addresses have.
    private func decide(_ mail: inout MailPeople, _ operation: Operation) async throws {
        guard input.yes || !input.dryRun && input.console.isInteractive else { return }
        let plan = try await contacts.importFromMail(mail, operation: operation, isDryRun: true)
        for person in plan where person.outcome == .similar {
            let address = person.address.address
            let label = try await contacts.entities.label(of: person.contact)
            let question = "Is \(address) an address of \(label)? Add it, new contact, or skip?"
            let answer = input.yes ? "a" : try await input.choose(question, letters: ["a", "n", "s"], option: "--yes")
            switch answer {
            case "a": mail.decisions[address.lowercased()] = .addTo(person.contact.id)
            case "n": mail.decisions[address.lowercased()] = .create
            default: mail.people.removeAll { $0 == person.address }
            }
        }
    }

    private func output(_ people: [MailPerson]) async throws -> Output {
        let short = try await contacts.entities.shortIDs(of: people.map(\.contact.id).filter { !$0.isEmpty })
        let lines = people.map { PersonLine(person: $0, shortID: short[$0.contact.id] ?? "", isDryRun: input.dryRun) }
        var output = Output(.rows(Rows(lines, PersonLine.fields)))
        output.human = lines.isEmpty ? ["Nothing added"] : lines.map(\.text)
        output.isReport = true
        for line in lines where line.person.outcome == .similar {
            let (address, name) = (line.person.address.address, line.person.contact.name)
            output = output.noting(
                .warning(
                    "\(name) (\(line.shortID)) may be the person of \(address), which was not added",
                    code: "possible-duplicate",
                    hint: "to add it: hub contacts set \(line.shortID) email+=\(ShellWords.quote(address)); "
                        + "another person: hub contacts new \(ShellWords.quote(line.person.address.name)) "
                        + "email=\(ShellWords.quote(address))"))
        }
        output.exit = FromMail.exit(people.map(\.outcome))
        let isChanged = people.contains { $0.outcome == .new || $0.outcome == .added }
        return isChanged ? output.asEdit(.last) : output
    }

    /// Someone who may be a known person was skipped; or there is nothing to add, only the user and mailing lists.
    private static func exit(_ outcomes: [MailPerson.Outcome]) -> ExitStatus {
        if outcomes.contains(.similar) { return .partly }
        return !outcomes.isEmpty && outcomes.allSatisfy { $0 == .own || $0 == .list } ? .no : .done
    }

    /// Returns the start of the mail, up to the maximum length of a header. Reads and discards the rest, so that the
    /// sending program does not get SIGPIPE.
    private func bytes(of file: String) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        if file == "-" {
            for try await chunk in input.console.standardInput() where bytes.count < MailHeader.maximumLength {
                bytes += chunk
            }
        } else {
            let chunks = try await ChunkedFileReader(path: file)
            while bytes.count < MailHeader.maximumLength, let chunk = try await chunks.next() { bytes += chunk }
        }
        return bytes
    }

    /// Parses a comma-separated list of headers.
    static func headers(_ words: String?) throws(HubError) -> [Header] {
        guard let words else { return [.from] }
        var headers: [Header] = []
        for word in words.split(separator: ",").map({ $0.trimmed.lowercased() }) where !word.isEmpty {
            guard let header = Header(rawValue: word) else {
                let known = Header.allCases.map(\.rawValue).joined(separator: ", ")
                throw HubError(
                    .usage, code: "header-unknown", "\"\(word)\" is not an address header",
                    hint: "use \(known)")
            }
            if !headers.contains(header) { headers.append(header) }
        }
        return headers
    }
}

/// One person of a mail.
struct PersonLine: Sendable {
    let person: MailPerson
    let shortID: String
    let isDryRun: Bool

    /// The line for a person.
    var text: String {
        let word = person.outcome.rawValue.padded(to: 7)
        let contact = shortID.isEmpty ? person.contact.name : "\(person.contact.name) (\(shortID))"
        return "\(word)  \(contact)  \(person.address.address)"
    }

    static let fields = [
        Field<PersonLine>("outcome", "OUTCOME", help: "outcome: new, known, added, similar, own or list") {
            .text($0.person.outcome.rawValue)
        },
        Field<PersonLine>("id", "ID", help: "id of the contact") {
            FieldValue($0.person.contact.id.isEmpty ? nil : $0.person.contact.id)
        },
        Field<PersonLine>("name", "NAME", help: "name of the contact") { .text($0.person.contact.name) },
        Field<PersonLine>("email", "EMAIL", help: "address in the mail") { .text($0.person.address.address) },
    ]
}
