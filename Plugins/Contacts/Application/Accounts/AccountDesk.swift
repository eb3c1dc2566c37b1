import ContactsDomain
package import HubKit
import Links

/// What all use cases of accounts share: the accounts themselves, the contacts, and the ways out.
package struct AccountDesk: Sendable {
    let contacts: ContactStore
    package let register: AccountRegister
    let links: any AccountLinks

    package init(_ contacts: ContactStore, register: AccountRegister, links: any AccountLinks) {
        self.contacts = contacts
        self.register = register
        self.links = links
    }

    /// How contacts speak of accounts.
    package static let words = AccountWords(
        plugin: "contacts", things: "contacts", addresses: "a URL, an e-mail address or a folder",
        examples: "https://dav.example.org, ada@example.org or ~/.contacts",
        withoutPassword: "export the contacts there as vCard, then use hub contacts import contacts.vcf",
        takesFolders: true, changed: "gate.contacts/accounts-changed")

    var clock: any Clock { register.clock }

    /// All accounts, in the order of the config file; throws when one of them is written wrongly.
    package func accounts() throws(HubError) -> [AccountSetup] { try register.accounts() }

    /// The account `name`; throws `not-found`.
    package func account(_ name: String) throws(HubError) -> AccountSetup { try register.account(name) }

    /// The way to an account, its password read from where it is kept; `isBrief` is for a person who waits.
    func link(to setup: AccountSetup, isBrief: Bool = false) async throws(HubError) -> any AccountLink {
        try link(to: setup.account, password: try await register.password(of: setup), isBrief: isBrief)
    }

    /// The way to an account with a password in hand.
    func link(to account: Account, password: String?, isBrief: Bool) throws(HubError) -> any AccountLink {
        do throws(LinkError) {
            return try links.link(to: account, password: password, isBrief: isBrief)
        } catch {
            throw error.hubError(account.name)
        }
    }

    /// The books that `link` finds; it tests the account by that.
    func books(_ link: any AccountLink, of account: Account) async throws(HubError) -> [RemoteBook] {
        do throws(LinkError) {
            return try await link.books()
        } catch {
            throw register.fitting(error.hubError(account.name), account: account.name)
        }
    }

    /// Keeps the books of an account as they were found, without those that are not wanted.
    func keep(_ books: [RemoteBook], of account: Account) async throws -> [Book] {
        let wanted = books.filter { account.wants($0.name) }
        return try await contacts.write(.accounts) { transaction in
            try wanted.map { try transaction.saveBook($0, account: account.name) }
        }
    }
}

extension LinkError {
    /// The failure of a talk with the account `name`, as a person is told of it.
    func hubError(_ name: String) -> HubError { HubError(self, account: name, AccountDesk.words) }
}

extension Operation {
    /// What is kept of accounts has no history: it can be found out again.
    static let accounts = Operation("contacts accounts", kind: .cache)
}
