import Commands
import ContactsDomain
import HubKit

/// `hub contacts books`: the address books of all accounts.
enum BooksCommands {
    private static let book = Argument<String>(
        "BOOK", help: "book as ACCOUNT/BOOK, or its name", completion: BookSelection.completion)

    static let command = Command(
        group: "books", aliases: ["book"], summary: "manage address books", prominence: .more, view: "list",
        subcommands: [list, new, remove, clean])

    private struct Row: Sendable {
        let book: Book
        let count: Int
        let isDefault: Bool
    }

    private static let fields = [
        Field<Row>("name", "BOOK", help: "account and name of the book") { .text($0.book.fullName) },
        Field<Row>("contacts", "CONTACTS", help: "number of contacts stored here", align: .trailing) {
            .integer($0.count)
        },
        Field<Row>(
            "read_only", "ACCESS", help: "whether the book is read-only",
            cell: { $0.book.remote.isReadOnly ? "read-only" : "read, write" }
        ) { .bool($0.book.remote.isReadOnly) },
        Field<Row>(
            "default", "DEFAULT", help: "whether new contacts are added to the book",
            cell: { $0.isDefault ? "new contacts" : "" }
        ) { .bool($0.isDefault) },
        Field<Row>("synced_at", "SYNCED", help: "time of the last sync") {
            FieldValue($0.book.syncedAt.map { Instant(milliseconds: $0) })
        },
        Field<Row>("problem", "PROBLEM", help: "error of the last sync", column: .onRequest) {
            FieldValue($0.book.problem)
        },
        Field<Row>("href", "PLACE", help: "path of the book in the account", column: .onRequest) {
            .text($0.book.remote.href)
        },
    ]

    private static let list = Command(
        "list", summary: "list address books",
        examples: [
            Example("hub contacts books", "all books"),
            Example("hub config set plugins.contacts.default_book posteo/Contacts", "set the book for new contacts"),
        ], fields: fields
    ) { (contacts: ContactsPlugin, _: Input) in
        let books = try await contacts.books.all()
        let target = try? await contacts.books.forNewContacts()
        var rows: [Row] = []
        for book in books {
            rows.append(
                Row(
                    book: book, count: try await contacts.books.contactCount(book),
                    isDefault: book.id == target?.id))
        }
        return .list(
            rows, fields,
            empty: Diagnostic(
                "No books",
                suggestions: [Example("hub contacts accounts add NAME ADDRESS", "connect a server or folder")]))
    }

    private static let name = Argument<String>("ACCOUNT/NAME", help: "account and name of the new book")

    private static let new = Command(
        "new", summary: "create a book in an account, or here",
        discussion: [
            "A book named here/NAME belongs to no account: your own machines have it, and devices that see each book."
        ],
        examples: [
            Example("hub contacts books new posteo/Chess", "on a server"),
            Example("hub contacts books new home/family", "in a folder"),
            Example("hub contacts books new here/Family", "in no account"),
        ], parameters: [name], fields: fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let parts = input[name].split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw HubError(
                .usage, code: "book-name", "\"\(input[name])\" has no account",
                hint: "hub contacts books new ACCOUNT/\(input[name])")
        }
        if parts[0] == Book.here {
            if input.dryRun { return .done("Would create the book \(parts[1]) on this machine") }
            let book = try await contacts.books.createLocal(parts[1], operation: Operation(input))
            return .edited("Created \(book.fullName)", Row(book: book, count: 0, isDefault: false), fields)
        }
        if input.offline { throw HubError.offline }
        let setup = try contacts.books.registry.account(parts[0])
        if input.dryRun { return .done("Would create the book \(parts[1]) in \(setup.name)") }
        let book = try await contacts.books.create(parts[1], in: parts[0])
        return .changed(
            "Created \(book.fullName). To revert: hub contacts books rm \(ShellWords.quote(book.fullName))",
            Row(book: book, count: 0, isDefault: false), fields)
    }

    private static let remove = Command(
        "rm", summary: "delete a book in its account, keep its contacts here",
        discussion: [
            "Always asks for confirmation, since deleting a book of an account cannot be undone; removing here/BOOK can."
        ],
        examples: [
            Example("hub contacts books rm posteo/Chess", "asks first"),
            Example("hub contacts books rm posteo/Chess --yes", "without asking"),
        ], parameters: [book], changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        guard let book = try await contacts.books.one(input[book]) else {
            throw HubError(.usage, code: "no-book", "\"here\" is not a book and cannot be deleted")
        }
        let count = try await contacts.books.contactCount(book)
        let what = "\(book.fullName) with \(NumberFormat.counted(count, "contact"))"
        if book.isLocal {
            if input.dryRun { return .done("Would remove \(what); its contacts would be kept, in no book") }
            try await contacts.books.removeLocal(book, operation: Operation(input))
            return .edited("Removed \(book.fullName); its contacts are kept, in no book")
        }
        if input.offline { throw HubError.offline }
        if try await contacts.books.isGone(book) {
            // Nothing is deleted in the account: the book no longer exists there.
            if input.dryRun {
                return .done("Would forget \(what), which no longer exists there; its contacts would be kept here")
            }
            try await contacts.books.forget(book)
            return .done("\(book.fullName) no longer exists there and was forgotten; its contacts are kept here")
        }
        if input.dryRun { return .done("Would delete \(what) in its account; its contacts would be kept here") }
        guard
            try await input.confirm(
                "Permanently delete \(what) in its account?", consequence: "this would delete \(what) in its account")
        else { return .cancelled }
        try await contacts.books.remove(book)
        return .done("Deleted \(book.fullName) in its account; its contacts are kept here")
    }
}

extension BooksCommands {
    private static let twinFields = [
        Field<TwinCard>("contact", "CONTACT", help: "contact with the same UID") { .text($0.contact.shownName) },
        Field<TwinCard>("outcome", "OUTCOME", help: "what becomes of the values: equal, merged, separate or unreadable")
        {
            .text($0.word)
        },
        Field<TwinCard>("href", "PLACE", help: "path of the card in the account") { .text($0.href) },
    ]

    private static let clean = Command(
        "clean", summary: "merge cards of a book that have the same UID",
        discussion: [
            "A sync skips such cards. Values that the contact lacks are merged into it first; a card that differs in a field "
                + "with one value, such as the name, becomes a contact of its own. The removal there cannot be undone, so "
                + "it asks for confirmation."
        ],
        examples: [
            Example("hub contacts books clean posteo/Contacts --dry-run", "show what would be done"),
            Example("hub contacts books clean posteo/Contacts --yes", "without asking"),
        ], parameters: [book], fields: twinFields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        guard let book = try await contacts.books.one(input[book]), !book.isLocal else {
            throw HubError(
                .usage, code: "no-book", "\"\(TerminalSanitizer.line(input[book]))\" is not a book of an account")
        }
        if input.offline { throw HubError.offline }
        let twins = try await contacts.books.twins(in: book)
        let count = twins.count(where: \.isRemoved)
        if twins.isEmpty { return .done("No cards of \(book.fullName) are known to have the UID of another one") }
        let what = "\(NumberFormat.counted(count, "card")) of \(book.fullName)"
        if !input.dryRun, count > 0 {
            guard
                try await input.confirm(
                    "Merge and permanently remove \(what) in its account?",
                    consequence: "this would remove \(what) in its account")
            else { return .cancelled }
        }
        let failed =
            input.dryRun ? [] : try await contacts.books.clean(twins, in: book, operation: Operation(input))
        var output = Output.report(twins, twinFields)
        output.human =
            twins.map { "\($0.word.padded(to: 10))  \($0.contact.shownName)  \($0.href)" }
            + [
                input.dryRun
                    ? "Would remove \(what)" : "Removed \(count - failed.count(where: \.twin.isRemoved)) of \(what)"
            ]
        for (twin, reason) in failed {
            output = output.noting(.warning("\(twin.href) was not removed: \(reason)", code: "not-removed"))
        }
        return output
    }
}

extension TwinCard {
    /// The outcome in one word.
    fileprivate var word: String {
        switch outcome {
        case .equal: "equal"
        case .merged: "merged"
        case .separate: "separate"
        case .unreadable: "unreadable"
        }
    }
}

/// Resolves book names from the command line.
struct BookSelection: Sendable {
    static let completion = Completion.from(ContactsPlugin.self) { contacts, _ in
        try await contacts.books.all().map { CompletionWord($0.fullName) }
            + [CompletionWord(AddressBooks.here, "only on this machine, in no book")]
    }

    private let contacts: ContactsPlugin

    init(_ contacts: ContactsPlugin) { self.contacts = contacts }

    /// Returns the ids of the books with the name `word`; none for `here`.
    func ids(_ word: String) async throws -> [String] {
        word == AddressBooks.here ? [] : try await contacts.books.several(word).map(\.id)
    }
}

extension ContactsPlugin {
    /// Returns a warning for each read-only book of the changed contacts `ids`.
    func readOnlyNotes(_ ids: [String]) async throws -> [Diagnostic] {
        try await books.readOnly(of: ids).map {
            .warning("\($0.fullName) is read-only: the change is not sent", code: "read-only")
        }
    }

    /// Returns the book for a new contact: the one named `word`, else the default; nil for a contact in no book.
    func bookForNew(_ word: String?) async throws -> Book? {
        guard let word else { return try await books.forNewContacts() }
        let book = try await books.one(word)
        if let book, book.remote.isReadOnly {
            throw HubError(.denied, code: "book-read-only", "\(book.fullName) is read-only")
        }
        return book
    }
}
