import ContactsDomain
import HubKit

/// `hub contacts books`: the address books of all accounts.
enum BooksCommands {
    private static let book = Argument<String>(
        "BOOK", help: "account/book, or the book's name", completion: BookSelection.completion)

    static let command = Command(
        group: "books", aliases: ["book"], summary: "address books of your accounts", prominence: .more, view: "list",
        subcommands: [list, new, remove])

    private struct Row: Sendable {
        let book: Book
        let count: Int
        let isDefault: Bool
    }

    private static let fields = [
        Field<Row>("name", "BOOK", help: "account and book") { .text($0.book.fullName) },
        Field<Row>("contacts", "CONTACTS", help: "how many contacts it has here", align: .trailing) {
            .integer($0.count)
        },
        Field<Row>(
            "read_only", "ACCESS", help: "whether it takes no changes",
            cell: {
                $0.book.remote.isReadOnly ? "read only" : $0.isDefault ? "new contacts" : ""
            }
        ) { .bool($0.book.remote.isReadOnly) },
        Field<Row>("default", "DEFAULT", help: "whether new contacts go there", column: .onRequest) {
            .bool($0.isDefault)
        },
        Field<Row>("synced_at", "SYNCED", help: "when it was synced last") {
            FieldValue($0.book.syncedAt.map { Instant(milliseconds: $0) })
        },
        Field<Row>("problem", "PROBLEM", help: "why that failed", column: .onRequest) { FieldValue($0.book.problem) },
        Field<Row>("href", "PLACE", help: "where the account keeps it", column: .onRequest) {
            .text($0.book.remote.href)
        },
    ]

    private static let list = Command(
        "list", summary: "list the books and where new contacts go",
        examples: [
            Example("hub contacts books", "all books"),
            Example("hub config set plugins.contacts.default_book posteo/Contacts", "where new contacts go"),
        ], fields: fields
    ) { (contacts: ContactsPlugin, _: Input) in
        let books = try await contacts.resolveBook.all()
        let target = try? await contacts.resolveBook.forNewContacts()
        var rows: [Row] = []
        for book in books {
            rows.append(
                Row(
                    book: book, count: try await contacts.removeBook.contactCount(book),
                    isDefault: book.id == target?.id))
        }
        return .list(rows, fields, empty: Note("No books", suggestions: [AccountsCommands.firstStep]))
    }

    private static let name = Argument<String>("ACCOUNT/NAME", help: "the account and the name of the new book")

    private static let new = Command(
        "new", summary: "make a book in an account",
        examples: [
            Example("hub contacts books new posteo/Chess", "on a server"),
            Example("hub contacts books new home/family", "a folder of a vdir"),
        ], parameters: [name], fields: fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let parts = input[name].split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw HubError(
                .usage, code: "book-name", "\"\(input[name])\" does not say in which account",
                hint: "hub contacts books new ACCOUNT/\(input[name])")
        }
        if input.offline { throw HubError.offline }
        let setup = try contacts.accountDesk.account(parts[0])
        if input.dryRun { return .done("Would make the book \(parts[1]) in \(setup.name)") }
        let book = try await contacts.createBook(parts[1], in: parts[0])
        return .changed(
            "\(book.fullName) is new. Back: hub contacts books rm \(ShellWords.quote(book.fullName))",
            Row(book: book, count: 0, isDefault: false), fields)
    }

    private static let remove = Command(
        "rm", summary: "destroy a book in its account; its contacts stay here",
        discussion: ["Undo cannot bring back a book of a server, so it is always asked for."],
        examples: [
            Example("hub contacts books rm posteo/Chess", "asks first"),
            Example("hub contacts books rm posteo/Chess --yes", "without asking"),
        ], parameters: [book], changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        guard let book = try await contacts.resolveBook.one(input[book]) else {
            throw HubError(.usage, code: "no-book", "the contacts that are only here are in no book")
        }
        if input.offline { throw HubError.offline }
        let count = try await contacts.removeBook.contactCount(book)
        let what = "\(book.fullName) with \(count == 1 ? "1 contact" : "\(Numerals.grouped(count)) contacts")"
        if try await contacts.removeBook.isGone(book) {
            // Nothing is destroyed: all that is left of it is here.
            if input.dryRun { return .done("Would drop \(what), which is not there any more; they would stay here") }
            try await contacts.removeBook.forget(book)
            return .done("\(book.fullName) was not there any more and is dropped; its contacts are only here now")
        }
        if input.dryRun { return .done("Would destroy \(what) there; they would stay here") }
        guard
            try await input.confirm(
                "Destroy \(what) for good there?", consequence: "\(what) would be destroyed there")
        else { return .cancelled }
        try await contacts.removeBook(book)
        return .done("\(book.fullName) is destroyed there; its contacts are only here now")
    }
}
