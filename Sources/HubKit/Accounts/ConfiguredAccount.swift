package import Commands
package import Sync

/// An account as the config file describes it: where it is, and where its password comes from.
package struct ConfiguredAccount: Hashable, Sendable {
    /// The address, user and trust of the account.
    package let account: Account
    /// The source of the password; nil for none. By default it is the keyring entry of this account at this server.
    package let password: SecretSource?

    package init(account: Account, password: SecretSource?) {
        self.account = account
        self.password = password
    }

    /// The account's name.
    package var name: String { account.name }
}

extension ConfiguredAccount {
    /// The account `name` of `config`; throws a configuration error when what is written makes none.
    init(_ name: String, in config: Config, _ kind: AccountKind) throws(HubError) {
        let keys = kind.keys
        guard Account.isName(name) else {
            throw HubError(
                .config, code: "account-name",
                "\"\(TerminalSanitizer.line(name))\" is not a valid \(kind.noun.one) name",
                details: ["use letters, digits, - and _"], hint: "rename it with hub config edit")
        }
        let key = kind.addresses.key
        guard let place = config[keys.address, name] else {
            throw HubError(
                .config, code: "account-without-\(key)", "the \(kind.noun.one) \(name) has no \(key)",
                hint: kind.command("edit \(name) --\(key) ADDRESS"))
        }
        guard let address = kind.addresses.address(place) else { throw kind.noAddress(place) }
        var user = config[keys.user, name]
        if case .mail(let mail) = address { user = user ?? mail }
        account = Account(
            name: name, address: address, user: user, every: config[keys.every, name],
            collections: keys.collections(of: name, in: config), trust: keys.trust(of: name, in: config))
        // The secret is in the keyring unless the file says otherwise.
        let own = kind.hasSecret(address, user: user) ? kind.ownPassword(of: account) : nil
        password = kind.secret == nil || address.isFolder ? nil : config[keys.password, name] ?? own
    }

    /// The changes of the config file that write this account.
    func changes(_ keys: AccountKeys) -> [SettingChange] {
        var changes: [SettingChange] = [.set(keys.address, name, .text(account.place))]
        if let user = account.user { changes.append(.set(keys.user, name, .text(user))) }
        if let password, !password.isOwnEntry {
            changes.append(.set(keys.password, name, ConfigType<SecretSource>.secret.write(password)))
        }
        if account.every != keys.every.defaultValue {
            changes.append(.set(keys.every, name, ConfigType<Duration>.duration.write(account.every)))
        }
        switch account.trust {
        case .system: break
        case .authorities(let file): changes.append(.set(keys.authorities, name, .text(file)))
        case .certificate(let fingerprint):
            changes.append(.set(keys.trust, name, ConfigType<CertificateFingerprint>.fingerprint.write(fingerprint)))
        }
        if let names = keys.change(account.collections, of: name) { changes.append(names) }
        return changes
    }
}
