import Commands
import ContactsDomain
import HubKit
import HubKitTesting
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

@testable import Contacts

@Suite(.timeLimit(.minutes(20))) struct AccountSyncServiceTests {
    private let fixture: AccountFixture

    init() throws { fixture = try AccountFixture() }

    private let log = Log(label: "test") { _, _, _ in }

    private func round(hasNews: Bool, in other: AccountFixture? = nil) async throws -> Duration {
        var changed: Set<String> = []
        return try await (other ?? fixture).accounts.round(hasNews: hasNews, changed: &changed, log: log)
    }

    private func run(_ account: String) async throws -> SyncLogEntry {
        try #require(try await fixture.hub.contacts.read { try $0.lastSync(of: account) })
    }

    @Test func `both ways, counted, and at rest afterwards`() async throws {
        let home = try await fixture.addFolder("home", "Ada", "Bob")
        let first = try await fixture.syncing(home)
        #expect(first.run.received == SyncLogEntry.Counts(new: 2) && first.failure == nil)
        let ada = try #require(try await fixture.hub.plugin.filter(ContactFilter()).first)
        fixture.hub.clock.advance(by: .seconds(1))
        _ = try await fixture.hub.plugin.update(ada.id, operation: fixture.hub.operation()) {
            $0.note = "met in London"
        }
        try fixture.folder.write(vcard("home-Bob", "FN:Bob B", "N:Bob;;;;"), to: "home/Bob.vcf")
        let second = try await fixture.syncing(home)
        #expect(second.run.received == SyncLogEntry.Counts(changed: 1))
        #expect(second.run.sent == SyncLogEntry.Counts(changed: 1))
        #expect(fixture.folder.read("home/Ada.vcf")?.contains("NOTE:met in London") == true)
        let third = try await fixture.syncing(home)
        #expect(third.run.received.total + third.run.sent.total == 0)
        #expect(try await run("home").failures == 0)
    }

    @Test func `a plan changes nothing and leaves no trace`() async throws {
        let home = try await fixture.addFolder("home", "Ada")
        let plan = try await fixture.syncing(home) { $0.isDryRun = true }
        #expect(plan.run.received.new == 1)
        #expect(try await fixture.names().isEmpty)
        #expect(try await fixture.hub.contacts.read { try $0.lastSync(of: "home") } == nil)
    }

    @Test func `an emptied folder removes nothing without --force`() async throws {
        let home = try await fixture.addFolder("home", "Ada", "Bob")
        try await fixture.syncing(home)
        for name in ["Ada", "Bob"] { try fixture.folder.remove("home/\(name).vcf") }
        let guarded = try await fixture.syncing(home)
        #expect(guarded.failure?.code == "book-emptied" && guarded.failure?.hint?.contains("--force") == true)
        #expect(try await fixture.names() == ["Ada", "Bob"])
        #expect(try await run("home").failures == 1)
        let forced = try await fixture.syncing(home) { request in
            request.isForced = true
            request.confirm = { _ in true }
        }
        #expect(forced.run.received.removed == 2)
        #expect(try await fixture.names().isEmpty)
    }

    @Test func `a folder that is away fails and loses nothing`() async throws {
        let home = try await fixture.addFolder("home", "Ada")
        try await fixture.syncing(home)
        try fixture.folder.remove("home/Ada.vcf")
        try fixture.folder.remove("home")
        let away = try await fixture.syncing(home)
        #expect(away.failure?.kind == .notFound)
        #expect(try await fixture.names() == ["Ada"])
    }

    @Test func `a process that waited for the lock reports the result of its holder`() async throws {
        let home = try await fixture.addFolder("home", "Ada")
        let other = Other(try await fixture.locks.tryAcquire("contacts/home"))
        let fixture = fixture
        let report = try await fixture.accounts.sync(
            home, SyncRequest(fixture.hub.operation()),
            waiting: { holder in
                other.seen.withLock { $0 = holder?.process }
                Task.detached { try await other.finish(fixture) }
            })
        #expect(other.seen.withLock(\.self) != nil)
        #expect(report.doneBy != nil && report.run.received.new == 12 && report.run.milliseconds == 7)
        #expect(try await fixture.names().isEmpty, "it did not do the work again")
    }

    /// Another process that syncs the account.
    private final class Other: Sendable {
        let seen = Mutex<Int32?>(nil)
        private let lock: Mutex<FileLock?>

        init(_ lock: FileLock?) { self.lock = Mutex(lock) }

        func finish(_ fixture: AccountFixture) async throws {
            try await fixture.hub.contacts.write(AddressBooks.kind.operation) { transaction in
                var run = SyncLogEntry(account: "home", finishedAt: 5, milliseconds: 7, nextAt: 9)
                run.received.new = 12
                try transaction.saveSync(run)
            }
            lock.withLock { $0 = nil }
        }
    }

    @Test func `the service syncs what is due and rests until the next`() async throws {
        try await fixture.addFolder("home", "Ada")
        let rest = try await round(hasNews: false)
        #expect(try await fixture.names() == ["Ada"])
        #expect(rest == .seconds(60), "never longer than a change of the config file may wait")
        let first = try await run("home")
        #expect(first.nextAt - first.finishedAt == 945_000)
        _ = try await round(hasNews: false)
        #expect(try await run("home") == first)
        fixture.hub.clock.advance(by: .seconds(945))
        _ = try await round(hasNews: false)
        #expect(try await run("home").finishedAt == fixture.hub.clock.now.milliseconds)
    }

    @Test func `books that are made on the server later are synced`() async throws {
        let posteo = Account(name: "posteo", address: .server("https://posteo.de"), user: "ada")
        _ = try await fixture.accounts.add(posteo, password: .typed("secret"))
        let setup = try fixture.account("posteo")
        #expect(try await fixture.syncing(setup).notices == [])
        fixture.links.keep(
            RemoteBook(href: "/dav/ada/", name: "Contacts"), RemoteBook(href: "/dav/aaa/", name: "Aardvark"))
        let report = try await fixture.syncing(setup)
        #expect(report.news == ["new book Aardvark in posteo"] && report.notices.isEmpty && report.failure == nil)
        let resolve = fixture.books
        #expect(try await resolve.all().map(\.name) == ["Aardvark", "Contacts"])
        #expect(try await resolve.forNewContacts()?.name == "Contacts")
        // A server that lists nothing still has its books.
        fixture.links.fail(.refused(reason: "403"))
        #expect(try await fixture.syncing(setup).failure == nil)
    }

    @Test func `a book that is renamed on the server keeps its contacts and its place in the settings`() async throws {
        let posteo = Account(
            name: "posteo", address: .server("https://posteo.de"), user: "ada", collections: ["Contacts"])
        _ = try await fixture.accounts.add(posteo, password: .typed("secret"))
        try await fixture.settings.apply([.set(ConfigPath(["default_book"]), .text("posteo/Contacts"))])
        let id = try await fixture.books.all().first?.id
        fixture.links.keep(RemoteBook(href: "/dav/ada/", name: "People"), RemoteBook(href: "/dav/x/", name: "Other"))
        try await fixture.syncing(try fixture.account("posteo"))
        #expect(try fixture.account("posteo").account.collections == ["People"])
        let target = try await fixture.books.forNewContacts()
        #expect(target?.fullName == "posteo/People" && target?.id == id)
        #expect(try await fixture.books.all().count == 1)
    }

    @Test func `a last sync in the future does not keep the service from the next`() async throws {
        try await fixture.addFolder("home", "Ada")
        fixture.hub.clock.advance(by: .seconds(100 * 86_400))
        _ = try await round(hasNews: false)
        fixture.hub.clock.advance(by: .seconds(-100 * 86_400))
        try fixture.write("Bob", in: "home")
        _ = try await round(hasNews: false)
        #expect(try await fixture.names() == ["Ada", "Bob"])
        #expect(try await run("home").finishedAt == fixture.hub.clock.now.milliseconds)
    }

    @Test func `a local change is sent soon, and without one nothing is sent`() async throws {
        try await fixture.addFolder("home", "Ada")
        _ = try await round(hasNews: false)
        let before = try await run("home")
        fixture.hub.clock.advance(by: .seconds(5))
        _ = try await round(hasNews: true)
        #expect(try await run("home") == before)
        let ada = try #require(try await fixture.hub.plugin.filter(ContactFilter()).first)
        _ = try await fixture.hub.plugin.update(ada.id, operation: fixture.hub.operation()) {
            $0.note = "x"
        }
        _ = try await round(hasNews: false)
        #expect(try await run("home") == before, "only when it hears of it")
        _ = try await round(hasNews: true)
        #expect(try await run("home").sent.changed == 1)
    }

    @Test func `failures back off, a success ends that`() async throws {
        let posteo = Account(name: "posteo", address: .server("https://posteo.de"), user: "ada")
        _ = try await fixture.accounts.add(posteo, password: .typed("secret"))
        fixture.links.book.edit { $0.manner.callsLeft = 0 }
        var waits: [Int64] = []
        for _ in 0..<3 {
            _ = try await round(hasNews: true)
            let run = try await run("posteo")
            waits.append(run.nextAt - run.finishedAt)
            fixture.hub.clock.advance(by: .milliseconds(run.nextAt - fixture.hub.clock.now.milliseconds - 1))
            _ = try await round(hasNews: true)
            #expect(try await self.run("posteo") == run, "not before its time, whatever changes here")
            fixture.hub.clock.advance(by: .milliseconds(1))
        }
        #expect(waits == [45_000, 90_000, 180_000])
        fixture.links.book.edit { $0.manner.callsLeft = nil }
        _ = try await round(hasNews: false)
        #expect(try await run("posteo").failures == 0)
    }

    @Test func `an account that another process holds is left to it`() async throws {
        try await fixture.addFolder("home", "Ada")
        let lock = try await fixture.locks.tryAcquire("contacts/home")
        #expect(try await round(hasNews: false) == .seconds(5))
        #expect(try await fixture.names().isEmpty)
        withExtendedLifetime(lock) {}
    }

    @Test func `offline nothing is talked to`() async throws {
        let offline = try AccountFixture(isOffline: true)
        try await offline.addFolder("home", "Ada")
        #expect(try await round(hasNews: true, in: offline) == .seconds(60))
        #expect(try await offline.names().isEmpty)
    }

    @Test func `the running service hears of a change and sends it`() async throws {
        try await fixture.addFolder("home", "Ada")
        let (fixture, service) = (fixture, fixture.accounts.service(log: log))
        let task = Task { try await service.run() }
        defer { task.cancel() }
        while try await fixture.names().isEmpty {
            try Task.checkCancellation()
            await Task.yield()
        }
        fixture.hub.database.onCommit { [bus = fixture.bus] in bus.announce(.some($0)) }
        let ada = try #require(try await fixture.hub.plugin.filter(ContactFilter()).first)
        _ = try await fixture.hub.plugin.update(ada.id, operation: fixture.hub.operation()) {
            $0.note = "heard"
        }
        while fixture.folder.read("home/Ada.vcf")?.contains("NOTE:heard") != true {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
