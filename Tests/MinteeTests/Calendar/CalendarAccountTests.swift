import Commands
import HubKit
import HubKitTesting
import MinteeDomain
import Storage
import Sync
import TestSupport
import Testing

@testable import Mintee

@Suite(.timeLimit(.minutes(20)))
struct CalendarAccountTests {
    private let side: CalendarFixture
    private let entry = KeyringEntry.account(plugin: "mintee", name: "home", origin: "https://dav.example.org:443")

    init() throws { side = try CalendarFixture() }

    private func round(hasNews: Bool) async throws -> Duration {
        var changed: Set<String> = []
        return try await side.accounts.round(
            hasNews: hasNews, changed: &changed, log: Log(label: "test") { _, _, _ in })
    }

    @Test func `an account stands in the config file, its password in the keyring`() async throws {
        let setup = try await side.connect()
        #expect(setup.account.calendar == "Mintee" && setup.password == .keyring(entry))
        #expect(side.settings.all.map { $0.path.description }.sorted() == ["accounts.home.url", "accounts.home.user"])
        #expect(side.secrets.entries == [entry: "secret"])
        let again = await #expect(throws: HubError.self) { try await side.connect() }
        #expect(again?.code == "account-exists")
        #expect(again?.hint?.contains("hub mintee accounts edit home") == true)
    }

    @Test func `one calendar is connected once`() async throws {
        try await side.connect()
        func second(_ calendar: String) -> Account {
            Account(
                name: "second", address: .server("https://dav.example.org"), user: "ann", collections: [calendar])
        }
        let accounts = side.accounts
        let error = await #expect(throws: HubError.self) {
            try await accounts.add(second("Mintee"), password: .typed("secret"))
        }
        #expect(error?.code == "same-collection" && error?.hint?.contains("--force") == true)
        _ = try await accounts.add(second("Other"), password: .typed("secret"))
        #expect(try side.manager.registry.accounts().count == 2)
        let moved = await #expect(throws: HubError.self) {
            try await accounts.edit(second("Mintee"), password: nil)
        }
        #expect(moved?.code == "same-collection")
        _ = try await accounts.edit(second("Mintee"), password: nil, isForced: true)
    }

    @Test func `when the test fails nothing is kept`() async throws {
        side.server.behave { $0.password = "other" }
        let error = await #expect(throws: HubError.self) { try await side.connect() }
        #expect(error?.code == "account-denied" && side.settings.all.isEmpty && side.secrets.entries.isEmpty)
    }

    @Test func `a calendar that takes no tasks is refused, another name is made`() async throws {
        let server = PlayedServer(DiscoveredCollection(href: "/cal/events/", name: "Events", supported: ["VEVENT"]))
        let side = try CalendarFixture(server)
        let error = await #expect(throws: HubError.self) { try await side.connect(calendar: "Events") }
        #expect(error?.code == "calendar-unfit" && side.settings.all.isEmpty)
        try await side.hub.make("Read")
        try await side.connect(calendar: "Habits")
        try await side.settle()
        #expect(server.calendarNames == ["Events", "Habits"] && server.items("/cal/habits/").count == 45)
        #expect(side.settings.all.contains { $0.path.description == "accounts.home.calendar" })
    }

    @Test func `a calendar that is there is used`() async throws {
        let server = PlayedServer(DiscoveredCollection(href: "/x/1/", name: "Mintee", supported: ["VTODO", "VEVENT"]))
        let side = try CalendarFixture(server)
        try await side.hub.make("Read")
        try await side.connect()
        #expect(try await side.syncing().notices.isEmpty)
        #expect(server.items("/x/1/").count == 45 && server.calendarNames == ["Mintee"])
    }

    @Test func `another calendar is filled, and the old one stays as it is`() async throws {
        try await side.hub.make("Read")
        var setup = try await side.connect()
        try await side.settle()
        let account = Account(
            name: "home", address: setup.account.address, user: "ann", collections: ["Habits"])
        _ = try await side.accounts.edit(account, password: nil)
        setup = try side.manager.registry.account("home")
        #expect(setup.account.calendar == "Habits" && setup.password == .keyring(entry))
        try await side.settle()
        #expect(side.server.items("/cal/habits/").count == 45 && side.server.items().count == 45)
    }

    @Test func `a removed account leaves tasks and calendar, and is known again`() async throws {
        let read = try await side.hub.make("Read")
        try await side.connect()
        try await side.settle()
        try await side.accounts.remove("home")
        #expect(side.settings.all.isEmpty && side.secrets.entries.isEmpty && side.server.items().count == 45)
        #expect(try await side.hub.store.read { try $0.todoLinks(of: "home").isEmpty })
        side.tick(read, "2026-11-20")
        try await side.connect()
        let report = try await side.syncing()
        #expect(report.run.sent.new == 0 && report.run.received.changed == 1 && side.server.items().count == 45)
    }

    @Test func `the test of an account changes nothing`() async throws {
        try await side.connect()
        #expect(try await side.accounts.test("home").items.isEmpty)
        #expect(side.server.calendarNames.isEmpty)
        let offline = try CalendarFixture(side.server, isOffline: true)
        await #expect(throws: HubError.self) { try await offline.accounts.test("home") }
    }

    @Test func `the service syncs what is due, and soon what was changed here`() async throws {
        let read = try await side.hub.make("Read")
        try await side.connect()
        #expect(try await round(hasNews: false) == .seconds(60))
        #expect(side.server.items().count == 45)
        side.server.forgetCalls()
        _ = try await round(hasNews: true)
        #expect(side.server.calls.isEmpty, "nothing is due and nothing waits")
        try await side.hub.enter(read, "2026-11-20", .done)
        _ = try await round(hasNews: true)
        #expect(side.todo(read, "2026-11-20")?.progress.status == .completed)
        side.tick(read, "2026-11-19")
        side.hub.clock.advance(by: .seconds(1000))
        _ = try await round(hasNews: false)
        #expect(try await side.entry(read, "2026-11-19")?.completion == 1)
        side.server.behave { $0.callsLeft = 0 }
        try await side.hub.enter(read, "2026-11-18", .done)
        _ = try await round(hasNews: true)
        let item = try #require(try await side.accounts.list().first)
        #expect(item.run?.failures == 1 && item.isPending && item.state.todos == 45)
        side.server.forgetCalls()
        _ = try await round(hasNews: true)
        #expect(side.server.calls.isEmpty, "what fails is left to its back-off")
    }

    @Test func `a last sync in the future does not keep the service from the next`() async throws {
        try await side.connect()
        side.hub.clock.advance(by: .seconds(100 * 86_400))
        _ = try await round(hasNews: false)
        side.hub.clock.advance(by: .seconds(-100 * 86_400))
        side.server.forgetCalls()
        _ = try await round(hasNews: false)
        #expect(!side.server.calls.isEmpty)
    }

    @Test func `the last sync of an older store is read by the newer one`() async throws {
        try await withTemporaryDirectory { folder in
            let full = MinteeSchema.schema { try $1.announceTasks($0) }
            let older = PluginSchema(
                owner: "mintee", migrations: Array(full.migrations.prefix(3)), recorded: full.recorded)
            let clock = FixedClock()
            let old = Database(at: .directory(folder), plugins: [older], clock: clock, executors: .queues)
            try await old.store(for: "mintee").write(Calendars.kind.operation) {
                try $0.run(
                    """
                    INSERT INTO mintee_run (account, finished_at, duration_ms, received_changed, sent_new, sent_changed,
                        sent_removed, problems, failures, failure, next_at)
                    VALUES ('home', 5, 6, 1, 2, 3, 4, 7, 8, 'away', 9)
                    """)
            }
            await old.close()
            let new = Database(at: .directory(folder), plugins: [full], clock: clock, executors: .queues)
            var expected = SyncLogEntry(account: "home", finishedAt: 5, milliseconds: 6, nextAt: 9)
            (expected.received.changed, expected.sent) = (1, SyncLogEntry.Counts(new: 2, changed: 3, removed: 4))
            (expected.problems, expected.failures, expected.failure) = (7, 8, "away")
            #expect(try await new.store(for: "mintee").read { try $0.lastSync(of: "home") } == expected)
            await new.close()
        }
    }

    @Test func `whoever waits for the lock reports what the holder did`() async throws {
        let setup = try await side.connect()
        let side = side
        let lock = Held(try await side.manager.registry.locks.tryAcquire("mintee/home"))
        let report = try await side.accounts.sync(setup, SyncRequest(side.hub.operation())) { _ in
            Task.detached {
                try await side.manager.keep { transaction in
                    var run = SyncLogEntry(account: "home", finishedAt: 5, milliseconds: 7, nextAt: 9)
                    run.sent.new = 12
                    try transaction.saveSync(run)
                }
                lock.release()
            }
        }
        #expect(report.doneBy != nil && report.run.sent.new == 12 && side.server.calendarNames.isEmpty)
    }
}
