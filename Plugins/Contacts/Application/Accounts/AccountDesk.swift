import ContactsDomain
package import HubKit
import Links

/// What all use cases of accounts share: the config file, the passwords, the ways out, and the right to talk.
package struct AccountDesk: Sendable {
    let contacts: ContactStore
    let settings: any Settings
    let secrets: any Secrets
    let links: any AccountLinks
    let leases: Leases
    let clock: any Clock
    let bus: EventBus
    /// Whether nothing may go out to the network.
    let isOffline: Bool

    package init(
        _ contacts: ContactStore, settings: any Settings, secrets: any Secrets, links: any AccountLinks,
        leases: Leases, clock: any Clock, bus: EventBus, isOffline: Bool = false
    ) {
        self.contacts = contacts
        self.settings = settings
        self.secrets = secrets
        self.links = links
        self.leases = leases
        self.clock = clock
        self.bus = bus
        self.isOffline = isOffline
    }

    /// News, not kept: accounts were added, changed or removed.
    static let changed: Topic = "gate.contacts/accounts-changed"

    /// All accounts, in the order of the config file; throws when one of them is written wrongly.
    package func accounts() throws(HubError) -> [AccountSetup] {
        let config = try settings.current()
        var setups: [AccountSetup] = []
        for name in config.names(for: AccountKeys.url) {
            setups.append(try AccountSetup(name, in: config))
        }
        return setups
    }

    /// The account `name`; throws `not-found`.
    package func account(_ name: String) throws(HubError) -> AccountSetup {
        let all = try accounts()
        if let setup = all.first(where: { $0.name == name }) { return setup }
        let names = all.map(\.name)
        let nearest = Suggestion.nearest(to: name, in: names).map { "did you mean \($0)?" }
        throw HubError(
            .notFound, code: "no-account", "there is no account \"\(PrintableText.line(name))\"",
            hint: nearest ?? (names.isEmpty ? "hub contacts accounts add NAME ADDRESS" : "hub contacts accounts list"))
    }

    /// The way to an account, its password read from where it is kept; `isBrief` is for a person who waits.
    func link(to setup: AccountSetup, isBrief: Bool = false) async throws(HubError) -> any AccountLink {
        let password: String?
        if let source = setup.password { password = try await secrets.read(source) } else { password = nil }
        return try link(to: setup.account, password: password, isBrief: isBrief)
    }

    /// The way to an account with a password in hand.
    func link(to account: Account, password: String?, isBrief: Bool) throws(HubError) -> any AccountLink {
        do throws(LinkError) {
            return try links.link(to: account, password: password, isBrief: isBrief)
        } catch {
            throw HubError(error, account: account.name)
        }
    }

    /// The books that `link` finds; it tests the account by that.
    func books(_ link: any AccountLink, of account: Account) async throws(HubError) -> [RemoteBook] {
        do throws(LinkError) {
            return try await link.books()
        } catch {
            throw HubError(error, account: account.name)
        }
    }

    /// Keeps the books of an account as they were found, without those that are not wanted.
    func keep(_ books: [RemoteBook], of account: Account) async throws -> [Book] {
        let wanted = books.filter { account.wants($0.name) }
        return try await contacts.write(.accounts) { transaction in
            try wanted.map { try transaction.saveBook($0, account: account.name) }
        }
    }

    /// Throws when nothing may go out to the network.
    func requireNetwork() throws(HubError) {
        guard isOffline else { return }
        throw HubError(
            .unavailable, code: "offline", "hub is offline, so no account can be talked to",
            details: ["what was changed here waits"], hint: "leave out --offline, or unset HUB_OFFLINE")
    }

    /// Tells the background service, here or in another process, to look at the accounts again.
    func announce() { bus.announce(.some([Self.changed])) }
}

extension Operation {
    /// What is kept of accounts has no history: it can be found out again.
    static let accounts = Operation("contacts accounts", kind: .cache)
}
