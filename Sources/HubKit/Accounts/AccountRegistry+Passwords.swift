package import Commands
package import Sync

extension AccountRegistry {
    /// The password of an account, read from where it is kept; nil where it has none.
    package func password(of setup: ConfiguredAccount) async throws(HubError) -> String? {
        guard let source = setup.password, source != .nothing else { return nil }
        guard case .keyring(let entry) = source, source.isOwnEntry else { return try await secrets.read(source) }
        if let secret = try await secrets.secret(of: entry) { return secret }
        if let secret = try await moveOldEntry(of: setup, to: entry) { return secret }
        throw HubError(
            .notFound, code: "secret-not-found",
            "the keyring has no \(kind.secretNoun) for \(setup.name) for this server",
            details: [setup.account.place], hint: kind.command("edit \(setup.name) --\(kind.secretWord) asks for it"))
    }

    /// Whether the account would get a password that was given for another server. Such a one is never sent there.
    package func needsNewPassword(_ changed: Account) throws(HubError) -> Bool {
        let old = try account(changed.name)
        return !changed.address.isFolder && old.password?.isOwnEntry == true
            && kind.ownPassword(of: changed) != old.password
    }

    /// A password that was put into the keyring, and what its entry held before.
    struct KeptPassword {
        let source: SecretSource?
        fileprivate let entry: KeyringEntry?
        fileprivate let previous: String?
    }

    /// Keeps the password of `account`: a typed one in the keyring, under the entry of this account at this server.
    func keep(_ password: PasswordInput, of account: Account) async throws(HubError) -> KeptPassword {
        switch password {
        case .none: return KeptPassword(source: nil, entry: nil, previous: nil)
        case .source(let source): return KeptPassword(source: source, entry: nil, previous: nil)
        case .typed(let text), .granted(let text):
            let isGranted = if case .granted = password { true } else { false }
            let source = kind.ownPassword(of: account)
            guard case .keyring(let entry) = source else { return KeptPassword(source: nil, entry: nil, previous: nil) }
            do throws(HubError) {
                let previous = try await secrets.secret(of: entry)
                try await secrets.save(text, as: entry)
                return KeptPassword(source: source, entry: entry, previous: previous)
            } catch {
                throw isGranted
                    ? noKeyring(for: account, error)
                    : HubError(
                        error.kind, code: error.code,
                        "the \(kind.secretNoun) of \(account.name) cannot be stored in the keyring; nothing was changed",
                        details: error.details.isEmpty ? [error.message] : error.details,
                        hint: kind.passwordOptions(account.name), cause: error)
            }
        }
    }

    /// Throws when the keyring cannot keep the access that the user is about to grant to `account`. A keyring that is locked, or
    /// read-only, shows it only when it is written to.
    func requireKeyring(for account: Account) async throws(HubError) {
        guard case .keyring(let entry) = kind.ownPassword(of: account) else { return }
        do throws(HubError) {
            if let current = try await secrets.secret(of: entry) {
                try await secrets.save(current, as: entry)
            } else {
                try await secrets.save("no access was granted yet", as: entry)
                _ = try await secrets.remove(entry)
            }
        } catch {
            throw noKeyring(for: account, error)
        }
    }

    private func noKeyring(for account: Account, _ error: HubError) -> HubError {
        HubError(
            error.kind, code: error.code,
            "the access of \(account.name) cannot be stored in the keyring; nothing was changed",
            details: error.details.isEmpty ? [error.message] : error.details,
            hint:
                "access by OAuth is kept in a keyring only, such as gnome-keyring; unlock or install one, then sign in",
            cause: error)
    }

    /// Makes the keyring hold again what it held before `keep`.
    /// - Returns: the password that was to be kept, when the keyring still holds it.
    func takeBack(_ kept: KeptPassword) async -> RemainingPassword? {
        guard let entry = kept.entry, case .account(_, let name, _) = entry else { return nil }
        guard let previous = kept.previous else { return await remove(entry, of: name) }
        do {
            try await secrets.save(previous, as: entry)
            return nil
        } catch {
            return RemainingPassword(account: name, entry: entry, reason: error)
        }
    }

    /// Deletes the password of this account from the keyring after the account has left the config file; `mayBeOld`
    /// means that an entry of an older hub can only belong to this account. Entries named by the user are kept.
    func removePassword(of setup: ConfiguredAccount, mayBeOld: Bool) async -> RemainingPassword? {
        guard case .keyring(let entry) = setup.password, setup.password?.isOwnEntry == true else { return nil }
        do {
            if try await secrets.remove(entry) || !mayBeOld { return nil }
        } catch {
            return RemainingPassword(account: setup.name, entry: entry, reason: error)
        }
        return await remove(.old(setup.name), of: setup.name)
    }

    /// Removes an entry of the account `name`.
    /// - Returns: the entry, when the keyring could not remove it.
    func remove(_ entry: KeyringEntry, of name: String) async -> RemainingPassword? {
        do {
            _ = try await secrets.remove(entry)
            return nil
        } catch {
            return RemainingPassword(account: name, entry: entry, reason: error)
        }
    }

    // MARK: Entries of an older hub

    /// The account to which an entry under the account's name alone may belong.
    private enum OldEntryOwner {
        /// To this account only.
        case thisAccount
        /// To this one and to accounts of the same user at the same server, which may know it too.
        case thisUser
        /// Perhaps to another account or server: it must not be sent.
        case unknown
    }

    /// Whether an entry under the name alone can belong to no other account and to nothing else in the config file.
    func isOldEntryOurs(_ setup: ConfiguredAccount) throws(HubError) -> Bool {
        try owner(ofOldEntryOf: setup) == .thisAccount
    }

    /// The password that an older hub kept; it is moved when it can belong to no other account.
    private func moveOldEntry(of setup: ConfiguredAccount, to entry: KeyringEntry) async throws(HubError) -> String? {
        let owner = try owner(ofOldEntryOf: setup)
        guard owner != .unknown, let secret = try await secrets.secret(of: .old(setup.name)) else { return nil }
        try await secrets.save(secret, as: entry)
        if owner == .thisAccount { _ = try await secrets.remove(.old(setup.name)) }
        return secret
    }

    private func owner(ofOldEntryOf setup: ConfiguredAccount) throws(HubError) -> OldEntryOwner {
        let written = try settings.written()
        let name = setup.name
        // An entry that the config file names may have other uses.
        guard !written.contains(where: { $0.value == .table([.init("keyring", .text(name))]) }) else { return .unknown }
        var owner = OldEntryOwner.thisAccount
        for (path, value) in written {
            let parts = path.parts
            guard parts.count == 5, parts[0] == "plugins", parts[1] != kind.plugin, parts[2] == "accounts",
                parts[3] == name, parts[4] == "url", case .text(let place) = value
            else { continue }
            func sibling(_ key: String) -> ConfigValue? {
                written.first { $0.path.parts == parts.dropLast() + [key] }?.value
            }
            // An account that has its password elsewhere never had an entry.
            guard sibling("password") == nil, let address = Account.Address(place), !address.isFolder else { continue }
            var user: String?
            if case .text(let text)? = sibling("user") {
                user = text
            } else if case .mail(let mail) = address {
                user = mail
            }
            guard address.origin == setup.account.address.origin, user == setup.account.user else { return .unknown }
            owner = .thisUser
        }
        return owner
    }
}

extension SecretSource {
    /// Whether it is the keyring entry that hub keeps for one account itself.
    package var isOwnEntry: Bool {
        if case .keyring(.account) = self { true } else { false }
    }
}
