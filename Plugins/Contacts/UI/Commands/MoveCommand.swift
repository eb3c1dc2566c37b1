import Commands
import ContactsDomain
import HubKit

/// `hub contacts move` and `hub contacts copy`: move or copy contacts to another book.
enum MoveCommand {
    private static let words = Arguments<String>(
        "SEL… BOOK", .oneOrMore, help: "contacts, then the book: ACCOUNT/BOOK, book name, account, or here",
        completion: .following { host, before, prefix in
            let books = try await words(of: BookSelection.completion, host, prefix)
            let contacts = try await words(of: ContactCommands.completion, host, prefix)
            return before.isEmpty ? contacts : books + contacts
        })

    private static func words(
        of completion: Completion, _ host: any PluginHost, _ prefix: String
    ) async throws -> [CompletionWord] {
        guard case .dynamic(let words) = completion else { return [] }
        return try await words(host, prefix)
    }

    static let command = Command(
        "move", summary: "move contacts to another address book",
        discussion: [
            "The next sync adds them to the new book and removes them from the old one. \"here\" keeps them on this machine "
                + "only."
        ],
        examples: [
            Example("hub contacts move lukasz posteo/Friends", "one contact"),
            Example("hub contacts move last here", "remove from its book, keep here"),
        ], prominence: .more, parameters: [words, ContactCommands.tags], fields: ContactListItem.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let (chosen, book) = try await arguments(contacts, input, verb: "move")
        if chosen.isEmpty { return .list([], ContactListItem.fields, empty: Diagnostic("No contacts match")) }
        let moved = try await contacts.books.move(chosen.map(\.id), to: book, operation: Operation(plannable: input))
        return try await output(moved, to: book, contacts, input, plan: "move", done: "moved")
    }

    static let copy = Command(
        "copy", summary: "copy contacts to another address book",
        discussion: [
            "The copy is a contact of its own, with a UID of its own, and the two are not proposed as duplicates. The next "
                + "sync adds it to the book. Contacts that are in the book already are left out."
        ],
        examples: [
            Example("hub contacts copy lukasz posteo/Friends", "one contact"),
            Example("hub contacts copy --tag work posteo/Work", "all with a tag"),
        ], prominence: .more, parameters: [words, ContactCommands.tags], fields: ContactListItem.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let (chosen, book) = try await arguments(contacts, input, verb: "copy")
        if chosen.isEmpty { return .list([], ContactListItem.fields, empty: Diagnostic("No contacts match")) }
        let copied = try await contacts.copy(
            chosen.map(\.id), to: book, operation: Operation(plannable: input))
        return try await output(copied, to: book, contacts, input, plan: "copy", done: "copied")
    }

    /// The contacts and the book that a command names.
    private static func arguments(
        _ contacts: ContactsPlugin, _ input: Input, verb: String
    ) async throws -> ([ContactSummary], Book?) {
        let given = input[words]
        let tags = input[ContactCommands.tags]
        guard let last = given.last, tags.isEmpty ? given.count > 1 : given.count == 1 else {
            throw HubError(
                .usage, code: "missing-argument", "hub contacts \(verb) needs contacts and a book",
                hint: "hub contacts \(verb) SEL BOOK; hub contacts books list shows the books")
        }
        let book = try await contacts.books.one(last)
        var filter = ContactFilter()
        filter.tags = tags
        let chosen =
            tags.isEmpty
            ? try await contacts.entities.select(Array(given.dropLast()), asking: input)
            : try await contacts.filter(filter)
        return (chosen, book)
    }

    private static func output(
        _ changed: [ContactSummary], to book: Book?, _ contacts: ContactsPlugin, _ input: Input, plan: String,
        done: String
    ) async throws -> Output {
        if changed.isEmpty { return .done("Nothing changed") }
        let place = book?.fullName ?? "no book (only here)"
        let rows = try await contacts.entities.listed(changed)
        let count = changed.count == 1 ? changed[0].name : "\(NumberFormat.grouped(changed.count)) contacts"
        var output = Output.report(rows, ContactListItem.fields)
        output.human = [
            input.dryRun
                ? "Would \(plan) \(count) to \(place)"
                : "\(count) \(done) to \(place); the change is sent with the next sync"
        ]
        return output.asEdit(.last)
    }
}
