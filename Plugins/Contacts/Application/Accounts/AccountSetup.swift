package import ContactsDomain
package import HubKit

/// An account as the config file describes it: where it is, and where its password comes from.
package struct AccountSetup: Hashable, Sendable {
    package let account: Account
    /// Where the password comes from; nil where there is none.
    package let password: SecretSource?

    package init(account: Account, password: SecretSource?) {
        self.account = account
        self.password = password
    }

    /// The account's name.
    package var name: String { account.name }
}

extension AccountSetup {
    /// The account `name` of `config`; throws a configuration error when what is written makes none.
    init(_ name: String, in config: Config) throws(HubError) {
        guard Account.isName(name) else {
            throw HubError(
                .config, code: "account-name", "\"\(PrintableText.line(name))\" is no name for an account",
                details: ["names are letters, digits, - and _"], hint: "hub config edit opens the file")
        }
        guard let place = config[AccountKeys.url, name] else {
            throw HubError(
                .config, code: "account-without-url", "the account \(name) has no url",
                hint: "hub contacts accounts edit \(name) --url ADDRESS")
        }
        guard let address = Account.Address(place) else { throw HubError.noAddress(place) }
        var user = config[AccountKeys.user, name]
        if case .mail(let mail) = address { user = user ?? mail }
        account = Account(
            name: name, address: address, user: user, every: config[AccountKeys.every, name],
            books: config[AccountKeys.books, name])
        // A server with a user has a password, in the keyring unless the file says otherwise.
        let source = config[AccountKeys.password, name]
        password = account.kind == .vdir ? nil : source ?? user.map { _ in .keyring(name) }
    }

    /// The changes of the config file that write this account.
    var changes: [SettingChange] {
        var changes: [SettingChange] = [.set(AccountKeys.url, name, .text(account.place))]
        if let user = account.user { changes.append(.set(AccountKeys.user, name, .text(user))) }
        if let password, password != .keyring(name) {
            let value = ConfigType<SecretSource>.secret.write(password)
            changes.append(.set(AccountKeys.password, name, value))
        }
        if account.every != AccountKeys.every.defaultValue {
            let value = ConfigType<Duration>.duration.write(account.every)
            changes.append(.set(AccountKeys.every, name, value))
        }
        if !account.books.isEmpty {
            changes.append(.set(AccountKeys.books, name, .list(account.books.map { .text($0) })))
        }
        return changes
    }
}

extension HubError {
    /// The error for text that is no address of an account.
    package static func noAddress(_ text: String) -> HubError {
        HubError(
            .usage, code: "no-address", "\"\(PrintableText.line(text))\" is no address of contacts",
            details: ["an account is a URL, an e-mail address or a folder"],
            hint: "such as https://dav.example.org, ada@example.org or ~/.contacts")
    }
}
