package import Commands
package import Storage
package import Sync

/// A plugin's accounts: their settings in the config file and their passwords in the keyring. It makes no
/// connections.
package struct AccountRegistry: Sendable {
    /// The kind of the accounts.
    package let kind: AccountKind
    /// The settings of the plugin, where accounts are stored.
    package let settings: any Settings
    /// The keyring and other sources of passwords.
    package let secrets: any Secrets
    /// The locks of the store.
    package let locks: FileLocks
    /// The locks that stores with one config file share; nil where there is no such store.
    let sharedLocks: FileLocks?
    /// The watcher of the folders of accounts.
    let watcher: DirectoryWatcher
    /// The clock for intervals and retries.
    package let clock: any Clock
    /// The bus on which changes of accounts are announced.
    package let bus: EventBus
    /// Whether nothing may go out to the network.
    package let isOffline: Bool

    package init(
        _ kind: AccountKind, settings: any Settings, secrets: any Secrets, locks: FileLocks, clock: any Clock,
        bus: EventBus, sharedLocks: FileLocks? = nil, watcher: DirectoryWatcher = DirectoryWatcher(), isOffline: Bool
    ) {
        self.kind = kind
        self.settings = settings
        self.secrets = secrets
        self.locks = locks
        self.sharedLocks = sharedLocks
        self.watcher = watcher
        self.clock = clock
        self.bus = bus
        self.isOffline = isOffline
    }

    /// The accounts of the plugin that `context` is for.
    package init(_ kind: AccountKind, context: Context) {
        self.init(
            kind, settings: context.settings, secrets: context.secrets, locks: context.locks,
            clock: context.clock, bus: context.bus,
            sharedLocks: FileLocks(directory: context.directories.state + "/account-locks", clock: context.clock),
            watcher: context.watcher, isOffline: context.isOffline)
    }

    /// All accounts, in the order of the config file; throws when one of them is written wrongly.
    package func accounts() throws(HubError) -> [ConfiguredAccount] {
        let config = try settings.current()
        var setups: [ConfiguredAccount] = []
        for name in config.names(for: kind.keys.address) {
            setups.append(try ConfiguredAccount(name, in: config, kind))
        }
        return setups
    }

    /// The accounts that `names` name, all when there are none; throws `not-found`.
    package func accounts(_ names: [String]) throws(HubError) -> [ConfiguredAccount] {
        if names.isEmpty { return try accounts() }
        var setups: [ConfiguredAccount] = []
        for name in names { setups.append(try account(name)) }
        return setups
    }

    /// The account `name`; throws `not-found`.
    package func account(_ name: String) throws(HubError) -> ConfiguredAccount {
        let all = try accounts()
        if let setup = all.first(where: { $0.name == name }) { return setup }
        let names = all.map(\.name)
        let nearest = Suggestion.nearest(to: name, in: names).map { "did you mean \($0)?" }
        throw HubError(
            .notFound, code: "no-account", "no \(kind.noun.one) named \"\(TerminalSanitizer.line(name))\"",
            hint: nearest ?? kind.command(names.isEmpty ? "add NAME ADDRESS" : "list"))
    }

    /// Returns the same error with a hint for the place where the password of the account is stored.
    package func fitting(_ error: HubError, account name: String) -> HubError {
        guard error.code == "account-denied", let password = (try? account(name))?.password else { return error }
        var error = error
        switch password {
        case .file(let path): error.hint = "check the password in \(TerminalSanitizer.line(path))"
        case .command(let command): error.hint = "check the output of \(TerminalSanitizer.line(command))"
        case .keyring(.named(let entry)): error.hint = "hub secrets set \(ShellWords.quote(entry))"
        case .text: error.hint = "change the password of \(name) with hub config edit"
        case .keyring: break
        }
        return error
    }

    /// Throws when hub is offline and the account is not a folder.
    package func requireNetwork(for account: Account) throws(HubError) {
        guard isOffline, !account.address.isFolder else { return }
        throw HubError(
            .unavailable, code: "offline", "cannot connect to \(kind.noun.many) while offline",
            details: ["local changes will be sent with the next sync"], hint: "omit --offline or unset HUB_OFFLINE")
    }

    /// Notifies the background service, in this or another process, that the accounts changed.
    package func announce() { bus.announce(.some([kind.changed])) }
}
