package import ContactsDomain
import HubKit
import Links

/// Creates a book in an account.
package struct CreateBook: Sendable {
    let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    /// Creates the book `name` in `account`. Throws the error of the account.
    package func callAsFunction(_ name: String, in account: String) async throws -> Book {
        let setup = try desk.account(account)
        if setup.account.isServer { try desk.register.requireNetwork() }
        let link = try await desk.link(to: setup)
        let made: RemoteBook
        do throws(LinkError) {
            made = try await link.createBook(name)
        } catch {
            throw error.hubError(account)
        }
        let names = setup.account.collections
        if !names.isEmpty, let change = AccountKeys.contacts.change(names + [name], of: account) {
            try desk.register.settings.apply([change])
        }
        let book = try await desk.contacts.write(.accounts) { try $0.saveBook(made, account: account) }
        desk.register.announce()
        return book
    }
}

/// Deletes a book with all its cards in the account; its contacts are kept, in no book.
package struct RemoveBook: Sendable {
    let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    /// The number of contacts of the book.
    package func contactCount(_ book: Book) async throws -> Int {
        try await desk.contacts.read { try $0.contactCount(inBook: book.id) }
    }

    /// Returns whether the book no longer exists in the account. Throws the error of the account.
    package func isGone(_ book: Book) async throws -> Bool {
        let setup = try desk.account(book.account)
        if setup.account.isServer { try desk.register.requireNetwork() }
        let link = try await desk.link(to: setup)
        do throws(LinkError) {
            _ = try await link.open(book.remote).state()
            return false
        } catch {
            if case .notFound = error { return true }
            throw error.hubError(book.account)
        }
    }

    /// Forgets a book that no longer exists in the account; its contacts are kept, in no book.
    package func forget(_ book: Book) async throws {
        let lease = try await desk.register.leases.acquire(AccountDesk.words.lease(book.account))
        defer { withExtendedLifetime(lease) {} }
        try await desk.contacts.write(.accounts) { try $0.removeBook(book.id) }
        desk.register.announce()
    }

    /// Deletes the book. Throws the error of the account.
    package func callAsFunction(_ book: Book) async throws {
        let setup = try desk.account(book.account)
        if setup.account.isServer { try desk.register.requireNetwork() }
        let lease = try await desk.register.leases.acquire(AccountDesk.words.lease(book.account))
        defer { withExtendedLifetime(lease) {} }
        let link = try await desk.link(to: setup)
        do throws(LinkError) {
            try await link.removeBook(book.remote.href)
        } catch {
            throw error.hubError(book.account)
        }
        try await desk.contacts.write(.accounts) { try $0.removeBook(book.id) }
        desk.register.announce()
    }
}
