package import ContactsDomain
package import HubKit
package import Sync

/// Changes an account after testing the new settings.
package struct EditAccount: Sendable {
    let manager: AccountManager

    package init(_ manager: AccountManager) { self.manager = manager }

    /// Replaces the account by `account`, and its password by `password` if given. Returns the books.
    ///
    /// Throws `conflict` if another account has the same address, unless `isForced`.
    package func callAsFunction(
        _ account: Account, password: PasswordInput?, isForced: Bool = false
    ) async throws -> (books: [Book], remaining: RemainingPassword?) {
        if account.isServer { try manager.register.requireNetwork() }
        let (setup, secret) = try await manager.register.changed(account, password: password)
        let link = try manager.link(to: account, password: secret, isBrief: true)
        let found = try await manager.books(link, of: account)
        if !isForced, try manager.account(account.name).account.address != account.address {
            try await FindSameBooks(manager: manager)(found, of: account, over: link)
        }
        let remaining = try await manager.register.replace(setup, password: password)
        let books = try await manager.keep(found, of: account)
        // An account at the same place keeps its books; at a new place the old ones have no meaning.
        let hrefs = Set(books.map(\.remote.href))
        try await manager.contacts.write(.accounts) { transaction in
            for book in try transaction.books(of: account.name) where !hrefs.contains(book.remote.href) {
                try transaction.removeBook(book.id)
            }
        }
        manager.register.announce()
        return (books, remaining)
    }
}
