import Commands
package import ContactsDomain
package import HubKit
package import Storage
package import Sync

/// The address books of the accounts: CardDAV servers and vCard folders.
package struct AddressBooks: AccountBackend {
    let contacts: ContactStore
    /// The accounts of the config file.
    package let registry: AccountRegistry
    let links: any AccountClients

    package init(_ contacts: ContactStore, registry: AccountRegistry, links: any AccountClients) {
        self.contacts = contacts
        self.registry = registry
        self.links = links
    }

    /// The use cases of the accounts.
    package var accounts: AccountManager<AddressBooks> {
        AccountManager(self, registry: registry, store: contacts.store)
    }

    /// Returns a connection; nothing is sent yet.
    package func connect(to account: Account, password: String?, isBrief: Bool) throws -> any AccountClient {
        try links.link(to: account, password: password, isBrief: isBrief)
    }

    /// Lets the user allow access by OAuth, and returns the secret to store.
    package func signIn(
        to account: Account, client file: [UInt8], show: @escaping @Sendable ([String]) async -> Void
    ) async throws -> String {
        try await links.signIn(to: account, client: file, show: show)
    }

    /// Returns the books of an account, including those that are not synced.
    package func discover(_ account: Account, over connection: any AccountClient) async throws -> [RemoteBook] {
        try await connection.books()
    }

    /// Throws if there is no book, or if the account has the same books as another one.
    package func check(
        _ items: [RemoteBook], of account: Account, over connection: any AccountClient, replacing old: Account?,
        isForced: Bool
    ) async throws {
        // A new user of a server has no books yet and can create the first one from here.
        guard old != nil || !items.isEmpty || account.isServer && account.collections.isEmpty else {
            throw HubError(
                .notFound, code: "no-books", "\(account.name) has no address books",
                hint: "create one there first, or use the URL of an address book")
        }
        if !isForced, old?.address != account.address {
            try await requireOtherBooks(items, of: account, over: connection)
        }
    }

    /// Stores the books that are synced, and forgets the books of an earlier address.
    package func save(
        _ items: [RemoteBook], of account: Account, replacing old: Account?
    ) async throws -> [RemoteBook] {
        let books = try await keep(items, of: account)
        // An account at the same place keeps its books; at a new place the old ones have no meaning.
        let hrefs = Set(books.map(\.remote.href))
        try await contacts.write(Self.kind.operation) { transaction in
            for book in try transaction.books(of: account.name) where !hrefs.contains(book.remote.href) {
                try transaction.removeBook(book.id)
            }
        }
        return books.map(\.remote)
    }

    /// Stores the books of an account as they were found, without the excluded ones.
    func keep(_ books: [RemoteBook], of account: Account) async throws -> [Book] {
        let wanted = books.filter { account.wants($0.name) }
        return try await contacts.write(Self.kind.operation) { transaction in
            try wanted.map { try transaction.saveBook($0, account: account.name) }
        }
    }

    /// Whether changes are pending; they can never be sent to a read-only book.
    package func hasPendingChanges(for account: Account, in transaction: Transaction) throws -> Bool {
        try transaction.books(of: account.name).contains { book in
            try !book.remote.isReadOnly && transaction.hasSyncWork(in: book)
        }
    }

    /// The books of an account with what is stored of them here.
    package struct State: AccountDetails {
        /// The books.
        package let books: [Book]
        /// The number of live contacts in them.
        package let contacts: Int
        /// The items that are not synced, oldest first.
        package let problems: [StoredProblem]
        /// The number of open conflicts.
        package let conflicts: Int

        /// `1 contact` or `1,204 contacts`.
        package var amount: String? { NumberFormat.counted(contacts, "contact") }

        /// The contacts stay where they are.
        package var kept: String? { "\(amount ?? "") \(contacts == 1 ? "is" : "are") kept here" }

        /// The items and books that could not be synced.
        package func remarks(isFailing: Bool) -> [String] {
            let items = NumberFormat.counted(problems.count, "item not synced", "items not synced")
            return (problems.isEmpty ? [] : [items]) + (isFailing ? [] : books.compactMap(\.problem))
        }
    }

    /// Returns the books of an account with what is stored of them here.
    package func state(of account: Account, in transaction: Transaction) throws -> State {
        let books = try transaction.books(of: account.name)
        return State(
            books: books, contacts: try books.reduce(0) { try $0 + transaction.contactCount(inBook: $1.id) },
            problems: try books.flatMap { try transaction.syncProblems(of: $0.id) },
            conflicts: try transaction.conflicts().count { conflict in books.contains { $0.id == conflict.book } })
    }

    /// Forgets the books of a removed account. Its contacts are kept, in no book.
    package func forget(_ account: String, in transaction: Transaction) throws {
        for book in try transaction.books(of: account) { try transaction.removeBook(book.id) }
    }
}

extension AddressBooks {
    /// The accounts of contacts: CardDAV servers and vCard folders.
    package static let kind = AccountKind(
        plugin: "contacts", things: "contacts",
        addresses: AccountAddresses(
            "URL|E-MAIL|DIR", help: "CardDAV server, e-mail address or vCard folder",
            description: "a URL, an e-mail address or a folder",
            examples: "https://dav.example.org, ada@example.org or ~/.contacts", server: "carddav", folder: "vdir"),
        collections: .many(
            ConfigKey("accounts.*.books", .list(of: .text), default: [], help: "books to sync (default: all)"),
            Option("book", "NAME", help: "sync only this book (can be repeated)")),
        unit: "cards", takesOAuth: true,
        advice: KnownService.advice(_:hasClient:),
        withoutPassword: "export the contacts there as vCard, and use hub contacts import contacts.vcf",
        texts: AccountTexts(
            accounts: "manage CardDAV servers and vCard folders to sync with",
            add: (
                "connect a CardDAV server or a vCard folder",
                "A folder is synced in both directions and needs no password.",
                [
                    Example("hub contacts accounts add home ~/.contacts", "sync a khard folder"),
                    Example("hub contacts accounts add posteo https://posteo.de:8443 --user ada", "connect a server"),
                    Example(
                        "hub contacts accounts add work ada@example.org --password-command \"pass work\"",
                        "server found by e-mail address"),
                ]
            ),
            edit: Example("hub contacts accounts edit home --url ~/contacts --every 5min", "a folder that moved"),
            remove: "Contacts are kept here and in the account.", found: ("book", "books"),
            sync: (
                "sync contacts with your accounts",
                "Changes on both sides are merged field by field. If both sides changed the same field, both versions "
                    + "are kept as a conflict. A sync that would remove many contacts asks first."
            ),
            firstSteps: [
                Example("hub contacts accounts add NAME URL", "connect a CardDAV server"),
                Example("hub contacts accounts add NAME DIR", "sync a khard or vdirsyncer folder"),
            ]))

    /// The book for new contacts.
    static let defaultBook = ConfigKey<String?>(
        "default_book", .text, otherwise: "the first book of the only account",
        help: "book for new contacts, or here", example: #""posteo/Contacts""#)
}
