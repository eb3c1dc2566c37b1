import ContactsDomain
import HubKit
import Sync

/// `hub contacts accounts add`: connects a CardDAV server or a vCard folder.
enum AddAccountCommand {
    private static let name = Argument<String>("NAME", help: "name of the account: letters, digits, - and _")
    private static let address = Argument<String>(
        "URL|E-MAIL|DIR", help: "CardDAV server, e-mail address or vCard folder", completion: .directories)

    static let command = Command(
        "add", summary: "connect a CardDAV server or a vCard folder",
        discussion: [
            "The connection is tested first and the password is stored in the keyring. If the test fails, nothing is saved. "
                + "A folder is synced in both directions and needs no password."
        ],
        examples: [
            Example("hub contacts accounts add home ~/.contacts", "sync a folder of khard"),
            Example("hub contacts accounts add posteo https://posteo.de:8443 --user ada", "connect a server"),
            Example(
                "hub contacts accounts add work ada@example.org --password-command \"pass work\"",
                "server found by e-mail address"),
        ], parameters: [name, address] + AccountOptions.all + [BookOption.book], exclusive: AccountOptions.exclusive,
        fields: FoundBook.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let name = input[name]
        let options = AccountOptions(input, AccountManager.words)
        let (address, userInURL) = try await options.address(input[address])
        if input.offline { throw HubError.offline }
        let user = try await options.user(of: address, inURL: userInURL)
        let account = Account(
            name: name, address: address, user: user, every: try options.every ?? .seconds(900),
            collections: input[BookOption.book], trust: try options.trust ?? .system)
        guard try await options.consentsToPlainText(account) else { return .cancelled }
        let password = try await options.password(of: account, isAsked: user != nil)
        if input.dryRun { return .done("Would connect \(name): \(account.kindWord), \(account.place)") }
        let books = try await options.trusting(account) {
            try await contacts.addAccount($0, password: password ?? .none, isForced: options.isForced)
        }
        return answer(account, books, isNew: true)
    }

    /// Returns the output of `add` and `edit`.
    static func answer(_ account: Account, _ books: [Book], isNew: Bool) -> Output {
        let found = books.map { FoundBook(book: $0.remote) }
        var output = Output.report(found, FoundBook.fields)
        let count = found.isEmpty ? "no books yet" : found.count == 1 ? "1 book" : "\(found.count) books"
        let next = found.isEmpty ? "books new \(account.name)/Contacts" : "sync \(account.name)"
        output.human =
            ["\(account.name) is \(isNew ? "connected" : "changed"): \(account.place), \(count)"]
            + found.map { "  " + $0.line } + ["Next: hub contacts \(next)"]
        return output
    }
}
