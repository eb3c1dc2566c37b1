package import ContactsDomain
package import HubKit

/// Connects an account: tests it, finds its books, keeps password and settings. When any step fails, nothing is kept.
package struct AddAccount: Sendable {
    /// A password that a person gives, or where it is to be read from.
    package enum Password: Sendable {
        /// Typed just now; it goes into the keyring.
        case typed(String)
        /// Kept elsewhere already.
        case source(SecretSource)
        /// The account has none.
        case none
    }

    let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    /// Connects `account` and answers with the books that it has; a server may have none yet.
    ///
    /// Throws `conflict` when there is one of that name, and what is wrong with address, user or password.
    package func callAsFunction(_ account: Account, password: Password) async throws -> [Book] {
        if account.kind == .carddav { try desk.requireNetwork() }
        try checkName(account.name)
        let secret: String?
        switch password {
        case .typed(let text): secret = text
        case .source(let source): secret = try await desk.secrets.read(source)
        case .none: secret = nil
        }
        let found: [RemoteBook]
        do throws(HubError) {
            found = try await desk.books(try desk.link(to: account, password: secret, isBrief: true), of: account)
        } catch {
            throw error.whileAdding()
        }
        // A new user of a server has no book there yet, and can make the first one from here.
        guard !found.isEmpty || account.kind == .carddav && account.books.isEmpty else {
            throw HubError(
                .notFound, code: "no-books", "\(account.name) has no address books",
                hint: "make one there first, or give the address of the book itself")
        }
        let setup = try await keepPassword(password, account)
        let books: [Book]
        do {
            try desk.settings.apply(setup.changes)
            books = try await desk.keep(found, of: account)
        } catch {
            try? desk.settings.apply([.remove(ConfigPath(["accounts", account.name]))])
            if case .typed = password { _ = try? await desk.secrets.remove(account: account.name) }
            throw error
        }
        desk.announce()
        return books
    }

    private func checkName(_ name: String) throws(HubError) {
        guard Account.isName(name) else {
            throw HubError(
                .usage, code: "account-name", "\"\(PrintableText.line(name))\" is no name for an account",
                details: ["names are letters, digits, - and _"], hint: "hub contacts accounts add home ADDRESS")
        }
        guard try !desk.accounts().contains(where: { $0.name == name }) else {
            throw HubError(
                .conflict, code: "account-exists", "there is an account \(name) already",
                hint: "take another name, or change it: hub contacts accounts edit \(name)")
        }
    }

    private func keepPassword(_ password: Password, _ account: Account) async throws(HubError) -> AccountSetup {
        switch password {
        case .none: return AccountSetup(account: account, password: nil)
        case .source(let source): return AccountSetup(account: account, password: source)
        case .typed(let text):
            do throws(HubError) {
                try await desk.secrets.save(text, account: account.name)
            } catch {
                throw HubError.noKeyring(error, account.name)
            }
            return AccountSetup(account: account, password: .keyring(account.name))
        }
    }
}

extension HubError {
    /// The keyring does not take a password: nothing is kept, and how it can be kept else.
    static func noKeyring(_ error: HubError, _ name: String) -> HubError {
        HubError(
            error.kind, code: error.code, "the password of \(name) cannot be kept in the keyring; nothing was changed",
            details: error.details.isEmpty ? [error.message] : error.details,
            hint: "add --password-command \"pass dav/\(name)\", or --password-file FILE", cause: error)
    }
}
