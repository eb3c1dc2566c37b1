import Commands
import ContactsDomain
import HubKit

/// `hub contacts move`: moves contacts to another book.
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
        let given = input[words]
        let tags = input[ContactCommands.tags]
        guard let last = given.last, tags.isEmpty ? given.count > 1 : given.count == 1 else {
            throw HubError(
                .usage, code: "missing-argument", "hub contacts move needs contacts and a book",
                hint: "hub contacts move SEL BOOK; hub contacts books list shows the books")
        }
        let book = try await contacts.books.one(last)
        var filter = ContactFilter()
        filter.tags = tags
        let chosen =
            tags.isEmpty
            ? try await contacts.entities.select(Array(given.dropLast()), asking: input)
            : try await contacts.filter(filter)
        if chosen.isEmpty { return .list([], ContactListItem.fields, empty: Diagnostic("No contacts match")) }
        let place = book?.fullName ?? "no book (only here)"
        let moved = try await contacts.books.move(chosen.map(\.id), to: book, operation: Operation(plannable: input))
        if moved.isEmpty { return .done("Nothing changed") }
        let rows = try await contacts.entities.listed(moved)
        let count = moved.count == 1 ? moved[0].name : "\(NumberFormat.grouped(moved.count)) contacts"
        var output = Output.report(rows, ContactListItem.fields)
        output.human = [
            input.dryRun
                ? "Would move \(count) to \(place)"
                : "\(count) moved to \(place); the change is sent with the next sync"
        ]
        return output.asEdit(.last)
    }
}
