import ContactsDomain
package import HubKit

/// Disconnects an account. Its contacts are kept, in no book; nothing changes in the account.
package struct RemoveAccount: Sendable {
    let manager: AccountManager

    package init(_ manager: AccountManager) { self.manager = manager }

    /// The number of contacts in the account's books.
    package func contactCount(_ name: String) async throws -> Int {
        try await manager.contacts.read { transaction in
            try transaction.books(of: name).reduce(0) { try $0 + transaction.contactCount(inBook: $1.id) }
        }
    }

    /// Removes the account from the config file, its password from the keyring, and its sync state.
    package func callAsFunction(_ name: String) async throws -> RemainingPassword? {
        let setup = try manager.account(name)
        let lock = try await manager.register.locks.acquire(AccountManager.words.lock(name))
        defer { withExtendedLifetime(lock) {} }
        let remaining = try await manager.register.remove(setup)
        try await manager.contacts.write(.accounts) { try $0.removeAccount(name) }
        manager.register.announce()
        return remaining
    }
}
