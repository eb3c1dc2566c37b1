import ContactsDomain
package import HubKit
import Sync

/// The dependencies that all account use cases share: the accounts, the contacts, and the connections.
package struct AccountManager: Sendable {
    let contacts: ContactStore
    /// The accounts of the config file.
    package let register: AccountRegistry
    let links: any AccountClients

    package init(_ contacts: ContactStore, register: AccountRegistry, links: any AccountClients) {
        self.contacts = contacts
        self.register = register
        self.links = links
    }

    /// The terms and messages of contacts accounts.
    package static let words = AccountKind(
        plugin: "contacts", things: "contacts", addresses: "a URL, an e-mail address or a folder",
        examples: "https://dav.example.org, ada@example.org or ~/.contacts",
        withoutPassword: "export the contacts there as vCard, then use hub contacts import contacts.vcf",
        takesFolders: true, changed: "gate.contacts/accounts-changed")

    var clock: any Clock { register.clock }

    /// All accounts, in the order of the config file. Throws if one of them is not valid.
    package func accounts() throws(HubError) -> [ConfiguredAccount] { try register.accounts() }

    /// Returns the account `name`. Throws `not-found`.
    package func account(_ name: String) throws(HubError) -> ConfiguredAccount { try register.account(name) }

    /// Returns a connection to an account, with the stored password. `isBrief` uses short timeouts for interactive
    /// commands.
    func link(to setup: ConfiguredAccount, isBrief: Bool = false) async throws(HubError) -> any AccountClient {
        try link(to: setup.account, password: try await register.password(of: setup), isBrief: isBrief)
    }

    /// Returns a connection to an account with the given password.
    func link(to account: Account, password: String?, isBrief: Bool) throws(HubError) -> any AccountClient {
        do throws(RemoteError) {
            return try links.link(to: account, password: password, isBrief: isBrief)
        } catch {
            throw error.hubError(account.name)
        }
    }

    /// Returns the books that `link` finds, which also tests the connection.
    func books(_ link: any AccountClient, of account: Account) async throws(HubError) -> [RemoteBook] {
        do throws(RemoteError) {
            return try await link.books()
        } catch {
            throw register.fitting(error.hubError(account.name), account: account.name)
        }
    }

    /// Stores the books of an account as they were found, without the excluded ones.
    func keep(_ books: [RemoteBook], of account: Account) async throws -> [Book] {
        let wanted = books.filter { account.wants($0.name) }
        return try await contacts.write(.accounts) { transaction in
            try wanted.map { try transaction.saveBook($0, account: account.name) }
        }
    }
}

extension RemoteError {
    /// Converts a connection error of the account `name` to an error for the user.
    func hubError(_ name: String) -> HubError { HubError(self, account: name, AccountManager.words) }
}

extension Operation {
    /// The operation of account state, which has no history since it can be found again.
    static let accounts = Operation("contacts accounts", kind: .cache)
}
