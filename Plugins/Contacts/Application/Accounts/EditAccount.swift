package import ContactsDomain
package import HubKit
package import Links

/// Changes an account after testing the new settings.
package struct EditAccount: Sendable {
    let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    /// Replaces the account by `account`, and its password by `password` if given. Returns the books.
    ///
    /// Throws `conflict` if another account has the same address, unless `isForced`.
    package func callAsFunction(
        _ account: Account, password: GivenPassword?, isForced: Bool = false
    ) async throws -> (books: [Book], remaining: RemainingPassword?) {
        if account.isServer { try desk.register.requireNetwork() }
        let (setup, secret) = try await desk.register.changed(account, password: password)
        let link = try desk.link(to: account, password: secret, isBrief: true)
        let found = try await desk.books(link, of: account)
        if !isForced, try desk.account(account.name).account.address != account.address {
            try await FindSameBooks(desk: desk)(found, of: account, over: link)
        }
        let remaining = try await desk.register.replace(setup, password: password)
        let books = try await desk.keep(found, of: account)
        // An account at the same place keeps its books; at a new place the old ones have no meaning.
        let hrefs = Set(books.map(\.remote.href))
        try await desk.contacts.write(.accounts) { transaction in
            for book in try transaction.books(of: account.name) where !hrefs.contains(book.remote.href) {
                try transaction.removeBook(book.id)
            }
        }
        desk.register.announce()
        return (books, remaining)
    }
}
