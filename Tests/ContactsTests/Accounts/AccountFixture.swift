import ContactsDomain
import HubKit
import HubKitTesting
import Storage
import Sync
import Synchronization
import TestSupport

@testable import Contacts

/// A hub with accounts: folders are real, servers are played.
final class AccountFixture: Sendable {
    let hub: ContactsFixture
    let folder: TemporaryFolder
    let settings = MemorySettings(ContactsKeys.all + AddressBooks.kind.keys.all)
    let secrets = MemorySecrets()
    let links: PlayedLinks
    let bus = EventBus()
    let locks: FileLocks
    let books: AddressBooks

    init(isOffline: Bool = false) throws {
        hub = try ContactsFixture()
        folder = try TemporaryFolder()
        links = PlayedLinks(clock: hub.clock)
        locks = FileLocks(directory: folder.path + "/locks", clock: SystemClock())
        let registry = AccountRegistry(
            AddressBooks.kind, settings: settings, secrets: secrets, locks: locks, clock: hub.clock, bus: bus,
            isOffline: isOffline)
        books = AddressBooks(hub.contacts, registry: registry, links: links)
    }

    var accounts: AccountManager<AddressBooks> { accounts(books) }

    func accounts(_ books: AddressBooks) -> AccountManager<AddressBooks> {
        AccountManager(books, registry: books.registry, store: hub.contacts.store) { 0.5 }
    }

    func account(_ name: String) throws -> ConfiguredAccount { try books.registry.account(name) }

    /// A folder of cards with these names, connected as the account `name`.
    @discardableResult
    func addFolder(_ name: String, _ people: String...) async throws -> ConfiguredAccount {
        for person in people { try write(person, in: name) }
        try Directory.make("\(folder.path)/\(name)")
        let account = Account(name: name, address: .folder("\(folder.path)/\(name)"))
        try await accounts.add(account, password: .none)
        return try self.account(name)
    }

    func write(_ person: String, in account: String) throws {
        let uid = "\(account)-\(person)"
        try folder.write(vcard(uid, "FN:\(person)", "N:\(person);;;;"), to: "\(account)/\(person).vcf")
    }

    /// Syncs once, the disk's and the hub's clock a moment later than before.
    @discardableResult
    func syncing(
        _ setup: ConfiguredAccount, _ change: (inout SyncRequest) -> Void = { _ in }
    ) async throws -> SyncReport<AccountSyncDetails> {
        hub.clock.advance(by: .seconds(1))
        var request = SyncRequest(hub.operation("contacts sync"))
        change(&request)
        return try await accounts.sync(setup, request)
    }

    func names() async throws -> [String] {
        try await hub.plugin.filter(ContactFilter()).map(\.name)
    }
}

/// Real folders, and scripted servers.
final class PlayedLinks: AccountClients {
    private struct State {
        var books = ["/dav/ada/": RemoteBook(href: "/dav/ada/", name: "Contacts")]
        var password: String? = "secret"
        var failure: RemoteError?
        var asked = 0
        var signIns = 0
    }

    private let state = Mutex(State())
    private let clock: any Clock
    let book = ScriptedBook()

    init(clock: any Clock) { self.clock = clock }

    /// The error of every call; nil for none.
    func fail(_ error: RemoteError?) { state.withLock { $0.failure = error } }

    /// Leaves the server without books, as a new user of it finds it.
    func removeBooks() { state.withLock { $0.books = [:] } }

    /// Makes these the server's books.
    func keep(_ books: RemoteBook...) {
        state.withLock { $0.books = Dictionary(uniqueKeysWithValues: books.map { ($0.href, $0) }) }
    }

    /// The number of book listings.
    var asked: Int { state.withLock(\.asked) }

    /// The number of sign-ins.
    var signIns: Int { state.withLock(\.signIns) }

    /// Grants the password of the server.
    func signIn(
        to account: Account, client file: [UInt8], show: @escaping @Sendable ([String]) async -> Void
    ) async throws -> String {
        try state.withLock { state in
            state.signIns += 1
            guard let password = state.password else { throw RemoteError.denied(reason: "401 Unauthorized") }
            return password
        }
    }

    func link(to account: Account, password: String?, isBrief: Bool) throws(RemoteError) -> any AccountClient {
        if case .folder(let path) = account.address { return VdirAccount(path: path, clock: clock) }
        return Link(links: self, password: password)
    }

    private struct Link: AccountClient {
        let links: PlayedLinks
        let password: String?

        func books() async throws(RemoteError) -> [RemoteBook] {
            let state = links.state.withLock { state in
                state.asked += 1
                return state
            }
            if let failure = state.failure { throw failure }
            guard password == state.password else { throw .denied(reason: "401 Unauthorized") }
            return state.books.values.sorted { $0.name < $1.name }
        }

        func createBook(_ name: String) async throws(RemoteError) -> RemoteBook { throw .refused(reason: "403") }
        func removeBook(_ href: String) async throws(RemoteError) { throw .refused(reason: "403") }
        func open(_ book: RemoteBook) -> any CollectionClient { links.book }
    }
}
