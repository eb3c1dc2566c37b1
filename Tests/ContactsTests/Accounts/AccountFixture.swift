import ContactsDomain
import HubKit
import Links
import Synchronization
import TestSupport

@testable import Contacts

/// A hub with accounts: folders are real, servers are played.
final class AccountFixture: Sendable {
    let hub: ContactsFixture
    let folder: TemporaryFolder
    let settings = MemorySettings(ContactsKeys.all)
    let secrets = MemorySecrets()
    let links: PlayedLinks
    let bus = EventBus()
    let leases: Leases
    let desk: AccountDesk

    init(isOffline: Bool = false) throws {
        hub = try ContactsFixture()
        folder = try TemporaryFolder()
        links = PlayedLinks(clock: hub.clock)
        leases = Leases(directory: folder.path + "/leases", clock: SystemClock())
        let register = AccountRegister(
            AccountDesk.words, keys: .contacts, settings: settings, secrets: secrets, leases: leases,
            clock: hub.clock, bus: bus, isOffline: isOffline)
        desk = AccountDesk(hub.contacts, register: register, links: links)
    }

    var sync: SyncAccount { SyncAccount(desk) { 0.5 } }

    /// A folder of cards with these names, connected as the account `name`.
    @discardableResult
    func addFolder(_ name: String, _ people: String...) async throws -> AccountSetup {
        for person in people { try write(person, in: name) }
        try Folder.make("\(folder.path)/\(name)")
        let account = Account(name: name, address: .folder("\(folder.path)/\(name)"))
        _ = try await AddAccount(desk)(account, password: .none)
        return try desk.account(name)
    }

    func write(_ person: String, in account: String) throws {
        let uid = "\(account)-\(person)"
        try folder.write(vcard(uid, "FN:\(person)", "N:\(person);;;;"), to: "\(account)/\(person).vcf")
    }

    /// Syncs once, the disk's and the hub's clock a moment later than before.
    @discardableResult
    func syncing(_ setup: AccountSetup, _ options: SyncOptions = SyncOptions()) async throws -> AccountSyncReport {
        hub.clock.advance(by: .seconds(1))
        return try await sync(setup, options: options, operation: hub.operation("contacts sync"))
    }

    func names() async throws -> [String] {
        try await FilterContacts(hub.contacts)(ContactFilter()).map(\.name)
    }
}

/// Real folders, and scripted servers.
final class PlayedLinks: AccountLinks {
    private struct State {
        var books = ["/dav/ada/": RemoteBook(href: "/dav/ada/", name: "Contacts")]
        var password: String? = "secret"
        var failure: LinkError?
        var asked = 0
    }

    private let state = Mutex(State())
    private let clock: any Clock
    let book = ScriptedBook()

    init(clock: any Clock) { self.clock = clock }

    /// The error of every call; nil for none.
    func fail(_ error: LinkError?) { state.withLock { $0.failure = error } }

    /// Leaves the server without books, as a new user of it finds it.
    func removeBooks() { state.withLock { $0.books = [:] } }

    /// Makes these the server's books.
    func keep(_ books: RemoteBook...) {
        state.withLock { $0.books = Dictionary(uniqueKeysWithValues: books.map { ($0.href, $0) }) }
    }

    /// The number of book listings.
    var asked: Int { state.withLock(\.asked) }

    func link(to account: Account, password: String?, isBrief: Bool) throws(LinkError) -> any AccountLink {
        if case .folder(let path) = account.address { return VdirAccount(path: path, clock: clock) }
        return Link(links: self, password: password)
    }

    private struct Link: AccountLink {
        let links: PlayedLinks
        let password: String?

        func books() async throws(LinkError) -> [RemoteBook] {
            let state = links.state.withLock { state in
                state.asked += 1
                return state
            }
            if let failure = state.failure { throw failure }
            guard password == state.password else { throw .denied(reason: "401 Unauthorized") }
            return state.books.values.sorted { $0.name < $1.name }
        }

        func createBook(_ name: String) async throws(LinkError) -> RemoteBook { throw .refused(reason: "403") }
        func removeBook(_ href: String) async throws(LinkError) { throw .refused(reason: "403") }
        func open(_ book: RemoteBook) -> any AddressBookLink { links.book }
    }
}
