package import ContactsDomain
package import HubKit
package import Links

/// Connects an account: tests it, finds its books, keeps password and settings. When any step fails, nothing is kept.
package struct AddAccount: Sendable {
    let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    /// Connects `account` and answers with the books that it has; a server may have none yet.
    ///
    /// Throws `conflict` when there is one of that name, or, unless `isForced`, one that has the same books, and what is wrong
    /// with address, user or password.
    package func callAsFunction(
        _ account: Account, password: GivenPassword, isForced: Bool = false
    ) async throws -> [Book] {
        if account.isServer { try desk.register.requireNetwork() }
        try desk.register.requireFree(account.name)
        let secret = try await desk.register.secret(password)
        let found: [RemoteBook]
        let link: any AccountLink
        do throws(HubError) {
            link = try desk.link(to: account, password: secret, isBrief: true)
            found = try await desk.books(link, of: account)
        } catch {
            throw error.whileAdding(AccountDesk.words)
        }
        // A new user of a server has no book there yet, and can make the first one from here.
        guard !found.isEmpty || account.isServer && account.collections.isEmpty else {
            throw HubError(
                .notFound, code: "no-books", "\(account.name) has no address books",
                hint: "make one there first, or give the address of the book itself")
        }
        let check: () async throws -> Void = {
            if !isForced { try await FindSameBooks(desk: desk)(found, of: account, over: link) }
        }
        return try await desk.register.add(account, password: password, checking: check) {
            try await desk.keep(found, of: account)
        }
    }
}
