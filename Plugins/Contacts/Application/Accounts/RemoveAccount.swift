import ContactsDomain
import HubKit

/// Disconnects an account. Its contacts stay, only here from now on; nothing changes on the other side.
package struct RemoveAccount: Sendable {
    let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    /// How many contacts the account's books have here.
    package func contactCount(_ name: String) async throws -> Int {
        try await desk.contacts.read { transaction in
            try transaction.books(of: name).reduce(0) { try $0 + transaction.contactCount(inBook: $1.id) }
        }
    }

    /// Removes the account from the config file, its password from the keyring, and what was known of its sync.
    package func callAsFunction(_ name: String) async throws {
        let setup = try desk.account(name)
        let lease = try await desk.leases.acquire("contacts/\(name)")
        defer { withExtendedLifetime(lease) {} }
        try desk.settings.apply([.remove(ConfigPath(["accounts", name]))])
        try await desk.contacts.write(.accounts) { try $0.removeAccount(name) }
        if case .keyring(let entry) = setup.password { _ = try? await desk.secrets.remove(account: entry) }
        desk.announce()
    }
}
