package import Links

extension AccountRegister {
    /// Throws when no account may be added under this name.
    package func requireFree(_ name: String) throws(HubError) {
        guard Account.isName(name) else {
            throw HubError(
                .usage, code: "account-name", "\"\(PrintableText.line(name))\" is not a valid account name",
                details: ["use letters, digits, - and _"], hint: words.command("add home ADDRESS"))
        }
        guard try !accounts().contains(where: { $0.name == name }) else {
            throw HubError(
                .conflict, code: "account-exists", "there is already an account \(name)",
                hint: "choose another name, or change the account: \(words.command("edit \(name)"))")
        }
    }

    /// The secret that was given; nil for none.
    package func secret(_ password: GivenPassword) async throws(HubError) -> String? {
        switch password {
        case .typed(let text): text
        case .source(let source): try await secrets.read(source)
        case .none: nil
        }
    }

    /// Keeps a new account, its password first; `finding` keeps what was found of it. All is taken back when a step
    /// fails.
    package func add<Found>(
        _ account: Account, password: GivenPassword, finding: () async throws -> Found
    ) async throws -> Found {
        try requireFree(account.name)
        let kept = try await keep(password, of: account)
        let setup = AccountSetup(account: account, password: kept.source)
        let found: Found
        do {
            try settings.apply(setup.changes(keys))
            found = try await finding()
        } catch {
            try? settings.apply([.remove(ConfigPath(["accounts", account.name]))])
            await takeBack(kept)
            throw error
        }
        announce()
        return found
    }

    /// Returns the account with another password, or with its current one, and that password.
    package func changed(
        _ account: Account, password: GivenPassword?
    ) async throws(HubError) -> (setup: AccountSetup, secret: String?) {
        let old = try self.account(account.name)
        var source = account.isServer ? old.password : nil
        var secret: String?
        switch password {
        case .typed(let text): (source, secret) = (words.ownPassword(of: account), text)
        case .source(let given): source = given
        case .none?: source = nil
        case nil:
            guard try !needsNewPassword(account) else {
                throw HubError(
                    .usage, code: "password-needed",
                    "\(account.name) would move to another server, which needs a password",
                    details: ["the password of \(old.account.place) is not sent to \(account.place)"],
                    hint: "add --password, --password-command or --password-file")
            }
        }
        let setup = AccountSetup(account: account, password: source)
        if secret == nil { secret = try await self.password(of: setup) }
        return (setup, secret)
    }

    /// Puts a changed account in the place of what was there.
    package func replace(_ setup: AccountSetup, password: GivenPassword?) async throws(HubError) {
        let old = try account(setup.name)
        let mayBeOld = try isOldEntryOurs(old)
        let kept = try await keep(password ?? .none, of: setup.account)
        let changes = setup.changes(keys)
        let remaining = Set(changes.map(\.path))
        let dropped = old.changes(keys).map(\.path).filter { !remaining.contains($0) }
        do throws(HubError) {
            try settings.apply(dropped.map { .remove($0) } + changes)
        } catch {
            await takeBack(kept)
            throw error
        }
        if old.password != setup.password {
            await removePassword(of: old, mayBeOld: mayBeOld)
        } else if case .typed? = password, mayBeOld {
            _ = try? await secrets.remove(.old(setup.name))
        }
    }

    /// Takes an account out of the config file, and its password out of the keyring.
    package func remove(_ setup: AccountSetup) async throws(HubError) {
        let mayBeOld = try isOldEntryOurs(setup)
        try settings.apply([.remove(ConfigPath(["accounts", setup.name]))])
        await removePassword(of: setup, mayBeOld: mayBeOld)
    }
}

extension SettingChange {
    /// The path of the setting that it changes.
    fileprivate var path: ConfigPath {
        switch self {
        case .set(let path, _), .remove(let path): path
        }
    }
}
