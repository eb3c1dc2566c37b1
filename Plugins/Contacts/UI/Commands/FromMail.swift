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

    /// Adds the people in `headers` of the mail in `file` (`-` for stdin) to a book; returns a line for each.
    func add(from file: String, headers: [Header], to book: Book?) async throws -> Output {
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
            return .list([], PersonLine.fields, empty: Diagnostic("No addresses in the headers \(fields)"))
        }
        let added = try await contacts.importFromMail(
            people, book: book?.id, operation: Operation(input), isDryRun: input.dryRun)
        let short = try await contacts.entities.shortIDs(of: added.map(\.contact.id).filter { !$0.isEmpty })
        let lines = added.map { PersonLine(person: $0, shortID: short[$0.contact.id] ?? "", isDryRun: input.dryRun) }
        var output = Output(.rows(Rows(lines, PersonLine.fields)))
        output.human = lines.map(\.text)
        output.isReport = true
        return added.contains(where: \.isNew) ? output.asEdit(.last) : output
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
        let name = person.contact.name
        if !person.isNew { return "known    \(name) (\(shortID))  \(person.address.address)" }
        return isDryRun
            ? "new      \(name)  \(person.address.address)" : "new      \(name) (\(shortID))  \(person.address.address)"
    }

    static let fields = [
        Field<PersonLine>("outcome", "OUTCOME", help: "outcome: new or known") {
            .text($0.person.isNew ? "new" : "known")
        },
        Field<PersonLine>("id", "ID", help: "id of the contact") {
            FieldValue($0.person.contact.id.isEmpty ? nil : $0.person.contact.id)
        },
        Field<PersonLine>("name", "NAME", help: "name of the contact") { .text($0.person.contact.name) },
        Field<PersonLine>("email", "EMAIL", help: "address in the mail") { .text($0.person.address.address) },
    ]
}
