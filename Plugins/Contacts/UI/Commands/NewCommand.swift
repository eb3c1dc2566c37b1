import Commands
import ContactsDomain
import HubKit

/// `hub contacts new`: creates a contact from arguments or in the editor.
enum NewCommand {
    private static let words = Arguments<String>(
        "NAME|FIELD=VALUE", .zeroOrMore, help: "name, and fields such as phone.mobile=…; - reads a form from stdin")

    private static let fromMail = Option<String>(
        "from-mail", "FILE",
        help: "add the people of the mail in FILE, or - for stdin; skip known ones, yourself and lists",
        completion: .files([]))
    private static let header = Option<String>(
        "header", "NAMES", help: "mail headers to read: from, to, cc, bcc, sender, reply-to (default: from)")
    private static let addTo = Option<String>(
        "add-to", "SEL", help: "with --from-mail: add the address to this contact",
        completion: ContactCommands.completion)
    private static let book = Option<String>(
        "book", "BOOK", help: "book for the contact, or here (default: default_book)",
        completion: BookSelection.completion)

    static let command = Command(
        "new", summary: "create a contact",
        discussion: [
            "Fields are name, nickname, phone, email, address, birthday, anniversary, date, org, title, role, url, im, "
                + "relation, gender, pronouns, language, tag, note and custom; add a kind after a dot: phone.mobile=…, "
                + "relation.spouse=…, date.first-met=…, custom.shoe-size=…, or x-foo=… for a property. Without arguments, the editor opens.",
            "--from-mail does not add a person whose name a contact with another address has: on a terminal it asks, with "
                + "--yes it adds the address to that contact, and else it says so and exits with 2. It exits with 1 if "
                + "there is nothing to add: no address, or only your own and those of mailing lists.",
        ],
        examples: [
            Example("hub contacts new", "in the editor"),
            Example("hub contacts new Ada Lovelace email=ada@example.org", "from the command line"),
            Example("hub contacts new --from-mail - --header from,cc", "add the people of a mail on stdin"),
        ], parameters: [words, book, fromMail, header, addTo], fields: ContactListItem.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        if let mail = input[fromMail] {
            guard input[words].isEmpty else {
                throw HubError(
                    .usage, code: "argument-surplus", "--from-mail takes no other arguments",
                    hint: "remove \(input[words].joined(separator: " "))")
            }
            var target: ContactSummary?
            if let selector = input[addTo] {
                target = try await contacts.entities.select([selector], asking: input).first
            }
            return try await FromMail(contacts, input).add(
                from: mail, headers: try FromMail.headers(input[header]),
                to: try await contacts.bookForNew(input[book]), adding: target)
        }
        if input[addTo] != nil {
            throw HubError(
                .usage, code: "option-alone", "--add-to needs --from-mail",
                hint: "to add an address: hub contacts set SEL email+=ADDRESS")
        }
        if input.dryRun, input[words].isEmpty { return .done("Would open a new contact in the editor") }
        let details = try await details(contacts, input)
        guard let details else { return .cancelled }
        let place = try await contacts.bookForNew(input[book])
        let result = try await contacts.create(details, book: place?.id, operation: Operation(plannable: input))
        let row = try await contacts.entities.listed(result.contact.summary)
        let inBook = place.map { " in \($0.fullName)" } ?? ""
        var output = Output.edited(
            input.dryRun
                ? "Would create \(row.summary.shownName)\(inBook)"
                : "\(row.summary.shownName) (\(row.shortID)) is new\(inBook)",
            row, ContactListItem.fields)
        if let twin = result.lookalikes.first {
            output = output.noting(
                .warning(
                    "\(try await contacts.entities.label(of: twin)) has the same address or number",
                    code: "possible-duplicate")
            )
        }
        return output
    }

    /// Returns the details from the arguments or from the editor; nil if nothing was saved.
    private static func details(_ contacts: ContactsPlugin, _ input: Input) async throws -> ContactDetails? {
        let given = input[words]
        if given == ["-"] { return try await form(from: input) }
        guard given.isEmpty else { return try details(from: given) }
        return try await ContactEditing(contacts, input).edited(ContactDetails(), title: "New contact", isNew: true)
    }

    private static func details(from words: [String]) throws -> ContactDetails {
        var details = ContactDetails()
        var names: [String] = []
        var assignments: [FieldAssignment] = []
        for word in words {
            if let assignment = try FieldAssignment(word: word) {
                assignments.append(assignment)
            } else {
                names.append(word)
            }
        }
        for assignment in try FieldAssignment.together(assignments) { try assignment.applied(to: &details) }
        if !names.isEmpty {
            try FieldAssignment(field: .name, .set, names.joined(separator: " ")).applied(to: &details)
        }
        return details
    }

    private static func form(from input: Input) async throws -> ContactDetails {
        var bytes: [UInt8] = []
        for try await chunk in input.console.standardInput() where bytes.count <= ContactForm.maximumLength {
            bytes += chunk
        }
        let reading = ContactForm.read(String(decoding: bytes, as: UTF8.self), editing: ContactDetails())
        if let problem = reading.problems.first {
            throw HubError(
                .invalid, code: problem.code, problem.message,
                details: reading.problems.flatMap { $0.excerptLines }, hint: problem.hint)
        }
        return reading.details
    }
}
