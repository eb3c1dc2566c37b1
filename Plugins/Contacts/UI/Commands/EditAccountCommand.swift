import ContactsDomain
import HubKit
import Sync

/// `hub contacts accounts edit`: changes the address, user, password or books of an account.
enum EditAccountCommand {
    private static let url = Option<String>("url", "ADDRESS", help: "new URL, e-mail address or folder")
    private static let password = Flag("password", help: "ask for a new password")

    static let command = Command(
        "edit", summary: "change the settings of an account",
        discussion: ["The new settings are tested first. If the test fails, nothing is changed."],
        examples: [
            Example("hub contacts accounts edit posteo --password", "ask for a new password"),
            Example("hub contacts accounts edit home --url ~/contacts --every 5min", "a folder that moved"),
        ], parameters: [AccountsCommands.one, url, password] + AccountOptions.all + [BookOption.book],
        exclusive: [["password", "password-command", "password-file"]], fields: FoundBook.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let old = try contacts.accountManager.account(input[AccountsCommands.one]).account
        let options = AccountOptions(input, AccountManager.words)
        if input.offline { throw HubError.offline }
        let books = input[BookOption.book]
        var (address, userInURL) = (old.address, String?.none)
        if let word = input[url] { (address, userInURL) = try await options.address(word) }
        let account = Account(
            name: old.name, address: address, user: options.user ?? userInURL ?? old.user,
            every: try options.every ?? old.every, collections: books.isEmpty ? old.collections : books,
            trust: try options.trust ?? old.trust)
        if account.address != old.address {
            guard try await options.consentsToPlainText(account) else { return .cancelled }
        }
        let isAsked = try input[password] || contacts.accountManager.register.needsNewPassword(account)
        let password = try await options.password(of: account, isAsked: isAsked)
        if account == old, password == nil { return .done("Nothing changed") }
        if input.dryRun { return .done("Would change \(account.name): \(account.place)") }
        let found = try await options.trusting(account) {
            try await contacts.editAccount($0, password: password, isForced: options.isForced)
        }
        return AddAccountCommand.answer(account, found.books, isNew: false).noting(found.remaining)
    }
}
