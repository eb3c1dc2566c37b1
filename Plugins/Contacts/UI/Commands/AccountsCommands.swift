import ContactsDomain
import HubKit
import Sync

/// `hub contacts accounts`: CardDAV servers and vCard folders to sync contacts with.
enum AccountsCommands {
    static let completion = Completion.from(ContactsPlugin.self) { contacts, _ in
        try contacts.accountManager.accounts().map { CompletionWord($0.name, $0.account.place) }
    }

    static let one = Argument<String>("NAME", help: "name of the account", completion: completion)

    /// The example that is shown when there are no accounts.
    static let firstStep = Example("hub contacts accounts add NAME ADDRESS", "connect a server or folder")
    static let firstSteps = [
        Example("hub contacts accounts add NAME URL", "connect a CardDAV server"),
        Example("hub contacts accounts add NAME DIR", "sync a folder of khard or vdirsyncer"),
    ]

    static let command = Command(
        group: "accounts", aliases: ["account"], summary: "manage CardDAV servers and vCard folders to sync with",
        view: "list", subcommands: [list, AddAccountCommand.command, EditAccountCommand.command, remove, test])

    private static let list = Command(
        "list", summary: "list accounts and their sync state",
        examples: [
            Example("hub contacts accounts", "all accounts"),
            Example("hub contacts accounts list --json", "for a script"),
        ], fields: AccountState.fields
    ) { (contacts: ContactsPlugin, _: Input) in
        let rows = try await contacts.getAccounts().map { AccountState($0, now: contacts.clock.now) }
        return .list(rows, AccountState.fields, empty: Diagnostic("No accounts", suggestions: firstSteps))
    }

    private static let remove = Command(
        "rm", summary: "disconnect an account",
        discussion: [
            "Removes its section of the config file and its password from the keyring. Contacts are kept here and in the "
                + "account."
        ],
        examples: [
            Example("hub contacts accounts rm posteo", "asks first"),
            Example("hub contacts accounts rm posteo --yes", "without asking"),
        ], parameters: [one], changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let setup = try contacts.accountManager.account(input[one])
        let count = try await contacts.removeAccount.contactCount(setup.name)
        let stay = "\(count == 1 ? "1 contact is" : "\(NumberFormat.grouped(count)) contacts are") kept here"
        if input.dryRun { return .done("Would disconnect \(setup.name); \(stay)") }
        guard
            try await input.confirm(
                "Disconnect \(setup.name)? \(stay.prefix(1).uppercased() + stay.dropFirst()) and in the account.",
                consequence: "this would disconnect \(setup.name)")
        else { return .cancelled }
        let remaining = try await contacts.removeAccount(setup.name)
        let again = AccountOptions.again(
            setup, AccountManager.words, collections: setup.account.collections.flatMap { ["--book", $0] })
        return .done("Disconnected \(setup.name); \(stay). To revert: \(again)").noting(remaining)
    }

    private static let test = Command(
        "test", summary: "test the connection and list address books",
        examples: [
            Example("hub contacts accounts test posteo", "test the connection"),
            Example("hub contacts accounts test home --json=name", "names of its books, for a script"),
        ], parameters: [one], fields: FoundBook.fields
    ) { (contacts: ContactsPlugin, input: Input) in
        if input.offline { throw HubError.offline }
        let name = input[one]
        let result = try await contacts.testAccount(name)
        let books = result.books.map { FoundBook(book: $0) }
        var output = Output(.rows(Rows(books, FoundBook.fields)))
        let count = books.count == 1 ? "1 book" : "\(books.count) books"
        let milliseconds = result.duration.components.attoseconds / 1_000_000_000_000_000
        let time = "\(result.duration.components.seconds).\(milliseconds / 100) s"
        output.human = ["\(name) connected in \(time), \(count)"] + books.map { "  " + $0.line }
        return output
    }
}

/// An address book as the account reports it.
struct FoundBook: Sendable {
    let book: RemoteBook

    static let fields = [
        Field<FoundBook>("name", "BOOK", help: "name of the book") { .text($0.book.name) },
        Field<FoundBook>("read_only", "READ-ONLY", help: "whether the book is read-only") { .bool($0.book.isReadOnly) },
        Field<FoundBook>(
            "versions", "VCARD", help: "accepted vCard versions",
            cell: {
                $0.book.versions.sorted().joined(separator: ", ")
            }
        ) { FieldValue($0.book.versions.sorted()) },
        Field<FoundBook>("href", "PLACE", help: "path of the book in the account", column: .onRequest) {
            .text($0.book.href)
        },
    ]

    /// The book in one line.
    var line: String { book.name + (book.isReadOnly ? " (read-only)" : "") }
}
