import ContactsDomain
package import HubKit

/// Disconnects an account. Its contacts are kept, in no book; nothing changes in the account.
package struct RemoveAccount: Sendable {
    let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    /// The number of contacts in the account's books.
    package func contactCount(_ name: String) async throws -> Int {
        try await desk.contacts.read { transaction in
            try transaction.books(of: name).reduce(0) { try $0 + transaction.contactCount(inBook: $1.id) }
        }
    }

    /// Removes the account from the config file, its password from the keyring, and its sync state.
    package func callAsFunction(_ name: String) async throws -> RemainingPassword? {
        let setup = try desk.account(name)
        let lease = try await desk.register.leases.acquire(AccountDesk.words.lease(name))
        defer { withExtendedLifetime(lease) {} }
        let remaining = try await desk.register.remove(setup)
        try await desk.contacts.write(.accounts) { try $0.removeAccount(name) }
        desk.register.announce()
        return remaining
    }
}
