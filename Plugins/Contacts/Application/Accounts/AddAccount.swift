package import ContactsDomain
package import HubKit
package import Sync

/// Connects an account: tests the connection, finds its books, stores password and settings. If a step fails, nothing
/// is stored.
package struct AddAccount: Sendable {
    let manager: AccountManager

    package init(_ manager: AccountManager) { self.manager = manager }

    /// Connects `account` and returns its books; a new server may have none.
    ///
    /// Throws `conflict` if an account has that name or, unless `isForced`, the same books, and an error if the
    /// address, the user or the password is wrong.
    package func callAsFunction(
        _ account: Account, password: PasswordInput, isForced: Bool = false
    ) async throws -> [Book] {
        if account.isServer { try manager.register.requireNetwork() }
        try manager.register.requireFree(account.name)
        let secret = try await manager.register.secret(password)
        let found: [RemoteBook]
        let link: any AccountClient
        do throws(HubError) {
            link = try manager.link(to: account, password: secret, isBrief: true)
            found = try await manager.books(link, of: account)
        } catch {
            throw error.whileAdding(AccountManager.words)
        }
        // A new user of a server has no books yet and can create the first one from here.
        guard !found.isEmpty || account.isServer && account.collections.isEmpty else {
            throw HubError(
                .notFound, code: "no-books", "\(account.name) has no address books",
                hint: "create one there first, or use the URL of an address book")
        }
        let check: () async throws -> Void = {
            if !isForced { try await FindSameBooks(manager: manager)(found, of: account, over: link) }
        }
        return try await manager.register.add(account, password: password, checking: check) {
            try await manager.keep(found, of: account)
        }
    }
}
