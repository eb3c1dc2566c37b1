package import Sync

/// The terms and commands of a plugin's accounts.
package struct AccountKind: Sendable {
    /// The plugin's id: commands are `hub PLUGIN accounts …`, leases `PLUGIN/ACCOUNT`.
    package let plugin: String
    /// The plural of the items in an account, such as `contacts`.
    package let things: String
    /// The description of an address, such as `a URL, an e-mail address or a folder`.
    package let addresses: String
    /// Some addresses, for the hint of a wrong one.
    package let examples: String
    /// The hint for a service that does not accept passwords.
    package let withoutPassword: String
    /// Whether an account may be a folder.
    package let takesFolders: Bool
    /// News, not kept: accounts were added, changed or removed.
    package let changed: Topic

    package init(
        plugin: String, things: String, addresses: String, examples: String, withoutPassword: String,
        takesFolders: Bool, changed: Topic
    ) {
        self.plugin = plugin
        self.things = things
        self.addresses = addresses
        self.examples = examples
        self.withoutPassword = withoutPassword
        self.takesFolders = takesFolders
        self.changed = changed
    }

    /// Returns the accounts command followed by `rest`.
    package func command(_ rest: String) -> String { "hub \(plugin) accounts \(rest)" }

    /// The name of the lease on an account: only one process talks to it at a time.
    package func lock(_ account: String) -> String { "\(plugin)/\(account)" }

    /// The keyring entry for the password of `account`. It holds the server too: at another one it is another entry.
    package func ownPassword(of account: Account) -> SecretSource {
        .keyring(.account(plugin: plugin, name: account.name, origin: account.address.origin ?? ""))
    }

    /// Returns the error for text that is not a valid address of an account.
    package func noAddress(_ text: String) -> HubError {
        // The part before an @ may be a password.
        let shown = text.lastIndex(of: "@").map { "…" + text[$0...] } ?? text
        return HubError(
            .usage, code: "no-address", "\"\(TerminalSanitizer.line(shown))\" is not a valid address of \(things)",
            details: ["the address of an account is \(addresses)"], hint: "examples: \(examples)")
    }
}
