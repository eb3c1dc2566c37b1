import Commands
import Storage
package import Sync

extension AccountRegistry {
    /// Throws when no account may be added under this name.
    package func requireFree(_ name: String) throws(HubError) {
        guard Account.isName(name) else {
            throw HubError(
                .usage, code: "account-name",
                "\"\(TerminalSanitizer.line(name))\" is not a valid \(kind.noun.one) name",
                details: ["use letters, digits, - and _"], hint: kind.command("add home ADDRESS"))
        }
        guard try !accounts().contains(where: { $0.name == name }) else {
            throw HubError(
                .conflict, code: "account-exists", "\(kind.noun.article) \(kind.noun.one) named \(name) already exists",
                hint: "choose another name, or change the \(kind.noun.one): \(kind.command("edit \(name)"))")
        }
    }

    /// The secret that was given; nil for none.
    package func secret(_ password: PasswordInput) async throws(HubError) -> String? {
        switch password {
        case .typed(let text), .granted(let text): text
        case .source(.nothing): nil
        case .source(let source): try await secrets.read(source)
        case .none: nil
        }
    }

    /// Runs `work` as the only process that changes the accounts of this plugin.
    private func withLock<Result>(_ work: () async throws -> Result) async throws -> Result {
        let lock = try await locks.acquire("accounts/\(kind.plugin)")
        let shared = try await acquireShared("settings/\(kind.plugin)")
        defer { withExtendedLifetime((lock, shared)) {} }
        return try await work()
    }

    /// Keeps a new account, its password first; `finding` keeps what was found of it. All is taken back when a step
    /// fails.
    package func add<Found>(
        _ account: Account, password: PasswordInput, checking: () async throws -> Void = {},
        finding: () async throws -> Found
    ) async throws -> Found {
        try await withLock {
            try requireFree(account.name)
            try await checking()
            return try await keepNew(account, password: password, finding: finding)
        }
    }

    private func keepNew<Found>(
        _ account: Account, password: PasswordInput, finding: () async throws -> Found
    ) async throws -> Found {
        let kept = try await keep(password, of: account)
        let setup = ConfiguredAccount(account: account, password: kept.source)
        let found: Found
        do {
            try await settings.apply(setup.changes(kind.keys))
            found = try await finding()
        } catch {
            try? await settings.apply([.remove(ConfigPath([kind.noun.many, account.name]))])
            throw told(error, await takeBack(kept))
        }
        announce()
        return found
    }

    /// Returns the account with another password, or with its current one, and that password.
    package func changed(
        _ account: Account, password: PasswordInput?
    ) async throws(HubError) -> (setup: ConfiguredAccount, secret: String?) {
        let old = try self.account(account.name)
        var source = account.address.isFolder ? nil : old.password
        var secret: String?
        switch password {
        case .typed(let text), .granted(let text): (source, secret) = (kind.ownPassword(of: account), text)
        case .source(let given): source = given
        case .none?: source = nil
        case nil:
            let word = kind.secretWord
            guard try !needsNewPassword(account) else {
                throw HubError(
                    .usage, code: "password-needed",
                    "\(account.name) would move to another server, which needs a \(kind.secretNoun)",
                    details: ["the \(kind.secretNoun) of \(old.account.place) is not sent to \(account.place)"],
                    hint: "add --\(word), --\(word)-command or --\(word)-file")
            }
        }
        let setup = ConfiguredAccount(account: account, password: source)
        if secret == nil { secret = try await self.password(of: setup) }
        return (setup, secret)
    }

    /// Puts a changed account in the place of what was there.
    /// - Returns: a password that is used no more and could not be removed.
    package func replace(_ setup: ConfiguredAccount, password: PasswordInput?) async throws -> RemainingPassword? {
        try await withLock { try await replaceLocked(setup, password: password) }
    }

    private func replaceLocked(_ setup: ConfiguredAccount, password: PasswordInput?) async throws -> RemainingPassword?
    {
        let old = try account(setup.name)
        let mayBeOld = try isOldEntryOurs(old)
        let kept = try await keep(password ?? .none, of: setup.account)
        let changes = setup.changes(kind.keys)
        let remaining = Set(changes.map(\.path))
        let dropped = old.changes(kind.keys).map(\.path).filter { !remaining.contains($0) }
        do throws(HubError) {
            try await settings.apply(dropped.map { .remove($0) } + changes)
        } catch {
            throw told(error, await takeBack(kept))
        }
        if old.password != setup.password {
            return await removePassword(of: old, mayBeOld: mayBeOld)
        } else if case .typed? = password, mayBeOld {
            return await remove(.old(setup.name), of: setup.name)
        }
        return nil
    }

    /// Takes an account out of the config file, and its password out of the keyring; throws when it is not what it was.
    /// - Returns: the password, when it could not be removed.
    package func remove(_ setup: ConfiguredAccount) async throws -> RemainingPassword? {
        try await withLock {
            guard try account(setup.name) == setup else {
                throw HubError(
                    .conflict, code: "account-changed", "\(setup.name) was changed meanwhile; it was not removed",
                    hint: kind.command("rm \(setup.name)"))
            }
            let mayBeOld = try isOldEntryOurs(setup)
            try await settings.apply([.remove(ConfigPath([kind.noun.many, setup.name]))])
            return await removePassword(of: setup, mayBeOld: mayBeOld)
        }
    }

    /// The error of a change that was taken back, with the password that could not be.
    private func told(_ error: any Error, _ remaining: RemainingPassword?) -> any Error {
        guard var error = error as? HubError, let remaining else { return error }
        error.details.append("\(remaining.note.text); \(remaining.command) removes it")
        return error
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
