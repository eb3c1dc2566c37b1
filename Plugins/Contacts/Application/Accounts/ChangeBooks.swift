package import ContactsDomain
import HubKit
import Sync

/// Creates a book in an account.
package struct CreateBook: Sendable {
    let manager: AccountManager

    package init(_ manager: AccountManager) { self.manager = manager }

    /// Creates the book `name` in `account`. Throws the error of the account.
    package func callAsFunction(_ name: String, in account: String) async throws -> Book {
        let setup = try manager.account(account)
        if setup.account.isServer { try manager.register.requireNetwork() }
        let link = try await manager.link(to: setup)
        let made: RemoteBook
        do throws(RemoteError) {
            made = try await link.createBook(name)
        } catch {
            throw error.hubError(account)
        }
        let names = setup.account.collections
        if !names.isEmpty, let change = AccountKeys.contacts.change(names + [name], of: account) {
            try manager.register.settings.apply([change])
        }
        let book = try await manager.contacts.write(.accounts) { try $0.saveBook(made, account: account) }
        manager.register.announce()
        return book
    }
}

/// Deletes a book with all its cards in the account; its contacts are kept, in no book.
package struct RemoveBook: Sendable {
    let manager: AccountManager

    package init(_ manager: AccountManager) { self.manager = manager }

    /// The number of contacts of the book.
    package func contactCount(_ book: Book) async throws -> Int {
        try await manager.contacts.read { try $0.contactCount(inBook: book.id) }
    }

    /// Returns whether the book no longer exists in the account. Throws the error of the account.
    package func isGone(_ book: Book) async throws -> Bool {
        let setup = try manager.account(book.account)
        if setup.account.isServer { try manager.register.requireNetwork() }
        let link = try await manager.link(to: setup)
        do throws(RemoteError) {
            _ = try await link.open(book.remote).state()
            return false
        } catch {
            if case .notFound = error { return true }
            throw error.hubError(book.account)
        }
    }

    /// Forgets a book that no longer exists in the account; its contacts are kept, in no book.
    package func forget(_ book: Book) async throws {
        let lock = try await manager.register.locks.acquire(AccountManager.words.lock(book.account))
        defer { withExtendedLifetime(lock) {} }
        try await manager.contacts.write(.accounts) { try $0.removeBook(book.id) }
        manager.register.announce()
    }

    /// Deletes the book. Throws the error of the account.
    package func callAsFunction(_ book: Book) async throws {
        let setup = try manager.account(book.account)
        if setup.account.isServer { try manager.register.requireNetwork() }
        let lock = try await manager.register.locks.acquire(AccountManager.words.lock(book.account))
        defer { withExtendedLifetime(lock) {} }
        let link = try await manager.link(to: setup)
        do throws(RemoteError) {
            try await link.removeBook(book.remote.href)
        } catch {
            throw error.hubError(book.account)
        }
        try await manager.contacts.write(.accounts) { try $0.removeBook(book.id) }
        manager.register.announce()
    }
}
