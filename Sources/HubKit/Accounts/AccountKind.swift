package import Commands
package import Storage
package import Sync

/// A kind of account: all that is known of a plugin's accounts before one is opened. Settings, commands, help,
/// completion and messages come from it.
package struct AccountKind: Sendable {
    /// The secret of an account.
    package enum Secret: Sendable {
        /// A password, for servers with a user.
        case password
        /// An access token, for servers with a user.
        case token
        /// An API key, which every account has.
        case key
    }

    /// The setting and the option that choose collections of an account.
    package enum Collections: Sendable {
        /// There is nothing to choose.
        case none
        /// Any number of names; empty for all collections.
        case many(ConfigKey<[String]>, Option<[String]>)
        /// Exactly one.
        case one(ConfigKey<String>, Option<String>)
    }

    /// The word for accounts in commands, settings and messages.
    package struct Noun: Sendable {
        /// The singular, such as `server`.
        package let one: String
        /// The plural, which is also the command and the section of the settings.
        package let many: String
        /// Whether the singular is another name of the command.
        package let isSingularCommand: Bool

        /// Accounts as most plugins call them.
        package static let account = Noun(one: "account", many: "accounts")

        package init(one: String, many: String, isSingularCommand: Bool = true) {
            self.one = one
            self.many = many
            self.isSingularCommand = isSingularCommand
        }

        /// The indefinite article of the singular.
        var article: String { one.first.map { "aeiou".contains($0) } == true ? "an" : "a" }

        /// The singular as a placeholder of usage lines.
        var placeholder: String { one.uppercased() }
    }

    /// The plugin's id: commands are `hub PLUGIN accounts …`, locks `PLUGIN/ACCOUNT`, the log is the table `PLUGIN_run`.
    package let plugin: String
    /// The word for the accounts.
    package let noun: Noun
    /// The plural of the items in an account, such as `contacts`.
    package let things: String
    /// The addresses that accounts may have.
    package let addresses: AccountAddresses
    /// The secret of accounts; nil if they have none.
    package let secret: Secret?
    /// The choice of collections.
    package let collections: Collections
    /// The default interval of background syncs; nil for accounts that are synced by command only.
    package let interval: Duration?
    /// Whether accounts come and go, as devices do. An absent one is not failing: it is looked for at its interval.
    package let isIntermittent: Bool
    /// The unit of the progress of a sync, such as `cards` or `kB`.
    package let unit: String
    /// Whether the user can allow access by OAuth instead of a password.
    package let takesOAuth: Bool
    /// Returns what the user should know before an account at this address is added; `hasClient` is whether it is added by OAuth.
    /// Throws if the service there is known to have nothing to sync with.
    package let advice: @Sendable (_ address: Account.Address, _ hasClient: Bool) throws(HubError) -> [String]
    /// The hint for a service that does not accept passwords.
    package let withoutPassword: String
    /// Returns what a line says that a server's owner has sent; nil for another line.
    package let invitation: @Sendable (String) -> AccountInvitation?
    /// The texts of the commands.
    package let texts: AccountTexts
    /// The settings of an account.
    package let keys: AccountKeys

    /// Creates a kind with its settings; by default for accounts with a password that are synced every 15 minutes.
    package init(
        plugin: String, noun: Noun = .account, things: String, addresses: AccountAddresses, secret: Secret? = .password,
        collections: Collections = .none, interval: Duration? = .seconds(900), isIntermittent: Bool = false,
        unit: String, takesOAuth: Bool = false,
        advice: @escaping @Sendable (Account.Address, Bool) throws(HubError) -> [String] = { _, _ in [] },
        withoutPassword: String = "use another service",
        invitation: @escaping @Sendable (String) -> AccountInvitation? = { _ in nil }, texts: AccountTexts
    ) {
        self.plugin = plugin
        self.noun = noun
        self.things = things
        self.addresses = addresses
        self.secret = secret
        self.collections = collections
        self.interval = interval
        self.isIntermittent = isIntermittent
        self.unit = unit
        self.takesOAuth = takesOAuth
        self.advice = advice
        self.withoutPassword = withoutPassword
        self.invitation = invitation
        self.texts = texts
        keys = AccountKeys(
            section: noun.many, addresses, secret: secret, collections: collections, interval: interval)
    }

    /// The name of an account in examples.
    var example: String { noun.one == "account" ? "posteo" : "home" }

    /// The word for the secret in settings and options.
    var secretWord: String {
        switch secret {
        case .key: "key"
        case .token: "token"
        case .password, nil: "password"
        }
    }

    /// The name of the secret in messages.
    var secretNoun: String { secret == .key ? "API key" : secretWord }

    /// The hint that names the options for the secret of the account `name`.
    func passwordOptions(_ name: String) -> String {
        "use --\(secretWord)-command \"pass dav/\(name)\" or --\(secretWord)-file FILE"
    }

    /// Returns the accounts command followed by `rest`.
    package func command(_ rest: String) -> String { "hub \(plugin) \(noun.many) \(rest)" }

    /// The live topic for added, changed and removed accounts.
    package var changed: Topic { Topic(stringLiteral: "gate.\(plugin)/\(noun.many)-changed") }

    /// The operation under which the state of accounts is stored. It has no history, since it can be found again.
    package var operation: Operation { Operation("\(plugin) \(noun.many)", kind: .cache) }

    /// The collections of a new account, if none are chosen.
    var defaultCollections: [String] { if case .one(let key, _) = collections { [key.defaultValue] } else { [] } }

    /// Whether an account at this address has a secret.
    func hasSecret(_ address: Account.Address, user: String?) -> Bool {
        switch secret {
        case nil: false
        case .password, .token: user != nil && !address.isFolder
        case .key: true
        }
    }

    /// The keyring entry for the secret of `account`. It holds the server too: at another one it is another entry.
    package func ownPassword(of account: Account) -> SecretSource {
        .keyring(.account(plugin: plugin, name: account.name, origin: account.address.origin ?? ""))
    }

    /// Returns the error for text that is not a valid address of an account.
    package func noAddress(_ text: String) -> HubError {
        // The part before an @ may be a password.
        let shown = text.lastIndex(of: "@").map { "…" + text[$0...] } ?? text
        return HubError(
            .usage, code: "no-address", "\"\(TerminalSanitizer.line(shown))\" is not a valid address of \(things)",
            details: ["the address of \(noun.article) \(noun.one) is \(addresses.description)"],
            hint: "examples: \(addresses.examples)")
    }
}

/// All that is needed to add an account, in one line that the owner of a server has sent.
package struct AccountInvitation: Sendable {
    /// The address of the server.
    let address: String
    /// The user name there.
    let user: String
    /// The password or token.
    let secret: String

    package init(address: String, user: String, secret: String) {
        self.address = address
        self.user = user
        self.secret = secret
    }
}

/// The addresses that accounts of a kind may have.
package struct AccountAddresses: Sendable {
    /// Returns the identifier that a text means, in its one spelling without blanks; nil if it is none.
    package typealias Identify = @Sendable (String) -> String?

    /// The name of the setting and of the option of `accounts edit`.
    let key: String
    /// The address in the usage line, such as `URL|E-MAIL|DIR`.
    let placeholder: String
    /// A few words of help.
    let help: String
    /// The description, such as `a URL, an e-mail address or a folder`.
    let description: String
    /// Some addresses, for the hint of a wrong one; the first is the example of the setting.
    let examples: String
    /// The word for an account on a server, such as `carddav`; nil if there are none.
    let server: String?
    /// The word for an account in a folder, such as `vdir`; nil if there are none.
    let folder: String?
    /// Reads identifiers of devices or services; nil if addresses are servers or folders.
    let identify: Identify?

    /// Creates servers and folders, or identifiers of devices and services.
    package init(
        key: String = "url", _ placeholder: String, help: String, description: String, examples: String,
        server: String? = nil, folder: String? = nil, identify: Identify? = nil
    ) {
        self.key = key
        self.placeholder = placeholder
        self.help = help
        self.description = description
        self.examples = examples
        self.server = server
        self.folder = folder
        self.identify = identify
    }

    /// Returns the address that `text` means in the config file; nil if it is none of these.
    func address(_ text: String) -> Account.Address? {
        if let identify { return identify(text).map(Account.Address.identifier) }
        return Account.Address(text).flatMap { ($0.isFolder ? folder : server) == nil ? nil : $0 }
    }

    /// Returns the word for the type of an account; nil if there is only one.
    func type(of account: Account) -> String? {
        guard let server, let folder else { return nil }
        return account.isServer ? server : folder
    }
}

/// The texts of the account commands that only the plugin can know. Sentences end in a full stop, summaries do not.
package struct AccountTexts: Sendable {
    /// The summary of `accounts`.
    package let accounts: String
    /// Whether the help of the plugin lists `accounts` with its summary.
    package let prominence: Command.Prominence
    /// The summary of `accounts add`, a sentence for its help, and its examples.
    package let add: (summary: String, sentence: String, examples: [Example])
    /// An example of `accounts edit`.
    package let edit: Example
    /// A sentence about what remains after `accounts rm`.
    package let remove: String
    /// The singular and plural of what a test finds, such as `book` and `books`.
    package let found: (one: String, many: String)
    /// The summary of `sync` and the sentences of its help.
    package let sync: (summary: String, sentences: String)
    /// The commands that are suggested when there is no account.
    package let firstSteps: [Example]

    package init(
        accounts: String, prominence: Command.Prominence = .main,
        add: (summary: String, sentence: String, examples: [Example]), edit: Example, remove: String,
        found: (one: String, many: String), sync: (summary: String, sentences: String), firstSteps: [Example]
    ) {
        self.accounts = accounts
        self.prominence = prominence
        self.add = add
        self.edit = edit
        self.remove = remove
        self.found = found
        self.sync = sync
        self.firstSteps = firstSteps
    }
}
