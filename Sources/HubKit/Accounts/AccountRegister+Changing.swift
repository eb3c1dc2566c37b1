package import Links

extension AccountRegister {
    /// Throws when no account may be added under this name.
    package func requireFree(_ name: String) throws(HubError) {
        guard Account.isName(name) else {
            throw HubError(
                .usage, code: "account-name", "\"\(PrintableText.line(name))\" is no name for an account",
                details: ["names are letters, digits, - and _"], hint: words.command("add home ADDRESS"))
        }
        guard try !accounts().contains(where: { $0.name == name }) else {
            throw HubError(
                .conflict, code: "account-exists", "there is an account \(name) already",
                hint: "take another name, or change it: \(words.command("edit \(name)"))")
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

    /// Keeps a new account, its password first; `finding` keeps what was found of it. All is taken back when a step fails.
    package func add<Found>(
        _ account: Account, password: GivenPassword, finding: () async throws -> Found
    ) async throws -> Found {
        let setup = AccountSetup(account: account, password: try await keep(password, of: account.name))
        let found: Found
        do {
            try settings.apply(setup.changes(keys))
            found = try await finding()
        } catch {
            try? settings.apply([.remove(ConfigPath(["accounts", account.name]))])
            if case .typed = password { _ = try? await secrets.remove(account: account.name) }
            throw error
        }
        announce()
        return found
    }

    /// What an account would be with another password, or with the one it has, and that password.
    package func changed(
        _ account: Account, password: GivenPassword?
    ) async throws(HubError) -> (setup: AccountSetup, secret: String?) {
        let old = try self.account(account.name)
        var source = account.isServer ? old.password : nil
        var secret: String?
        switch password {
        case .typed(let text): (source, secret) = (.keyring(account.name), text)
        case .source(let given): source = given
        case .none?: source = nil
        case nil: break
        }
        if secret == nil, let source { secret = try await secrets.read(source) }
        return (AccountSetup(account: account, password: source), secret)
    }

    /// Puts a changed account in the place of what was there.
    package func replace(_ setup: AccountSetup, password: GivenPassword?) async throws(HubError) {
        let old = try account(setup.name)
        if case .typed = password { _ = try await keep(password ?? .none, of: setup.name) }
        let changes = setup.changes(keys)
        let kept = Set(changes.map(\.path))
        let dropped = old.changes(keys).map(\.path).filter { !kept.contains($0) }
        try settings.apply(dropped.map { .remove($0) } + changes)
    }

    /// Takes an account out of the config file, and its password out of the keyring.
    package func remove(_ setup: AccountSetup) async throws(HubError) {
        try settings.apply([.remove(ConfigPath(["accounts", setup.name]))])
        if case .keyring(let entry) = setup.password { _ = try? await secrets.remove(account: entry) }
    }

    /// Where the password is from now on; a typed one goes into the keyring.
    private func keep(_ password: GivenPassword, of name: String) async throws(HubError) -> SecretSource? {
        switch password {
        case .none: return nil
        case .source(let source): return source
        case .typed(let text):
            do throws(HubError) {
                try await secrets.save(text, account: name)
            } catch {
                throw HubError(
                    error.kind, code: error.code,
                    "the password of \(name) cannot be kept in the keyring; nothing was changed",
                    details: error.details.isEmpty ? [error.message] : error.details,
                    hint: "add --password-command \"pass dav/\(name)\", or --password-file FILE", cause: error)
            }
            return .keyring(name)
        }
    }
}

extension SettingChange {
    /// What it changes.
    fileprivate var path: ConfigPath {
        switch self {
        case .set(let path, _), .remove(let path): path
        }
    }
}
