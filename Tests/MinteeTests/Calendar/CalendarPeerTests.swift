import CivilDate
import Commands
import DAVTestSupport
import FoundationEssentials
import HTTPClient
import HubKit
import HubKitTesting
import MinteeDomain
import NetworkTestSupport
import Storage
import Sync
import TestSupport
import Testing

@testable import Mintee

/// Tasks on a real server: two hubs and two phones at one calendar.
@Suite(.timeLimit(.minutes(20)))
struct CalendarPeerTests {
    /// A hub at the server, its tasks shown a few days around today.
    private func hub(_ server: PeerServer) async throws -> Peer {
        let peer = try Peer(server)
        let account = Account(
            name: "home", address: .server("http://127.0.0.1:\(server.port)"), user: "ann", collections: ["Mintee"])
        try await peer.accounts.add(account, password: .source(.text("secret")))
        return peer
    }

    private func uid(_ record: TaskRecord, _ date: String) -> String { "task/\(record.id)/day/\(date)" }

    @Test(arguments: RemindersApp.Style.allCases)
    func `completing a week on the phone enters days until it is reached`(style: RemindersApp.Style) async throws {
        let server = try await RadicaleServer.start()
        let hub = try await hub(server)
        let gym = try await hub.hub.makePeriod("Gym", "twice a week", remindAt: 1110)
        try await hub.settle()
        let phone = RemindersApp(style, server)
        let uid = "task/\(gym.id)/period/2026-11-16"
        #expect(try await phone.lines(uid).contains("SUMMARY:Gym (0 of 2)"))
        try await phone.set(uid, done: true, at: "20261120T115000Z")
        try await hub.settle()
        #expect(try await hub.entry(gym, "2026-11-20") == Entry(completion: 1))
        let open = try await phone.lines(uid)
        #expect(open.contains("SUMMARY:Gym (1 of 2)") && open.contains("STATUS:IN-PROCESS"), "\(open)")
        #expect(open.contains("TRIGGER:PT18H30M") && !open.contains { $0.hasPrefix("COMPLETED:") })
        hub.hub.clock.advance(by: .seconds(86_400))
        try await phone.set(uid, done: true, at: "20261121T115000Z")
        try await hub.settle()
        #expect(try await hub.entry(gym, "2026-11-21") == Entry(completion: 1))
        #expect(try await phone.lines(uid).contains("STATUS:COMPLETED"))
    }

    @Test(arguments: RemindersApp.Style.allCases)
    func `a tick on the phone reaches both hubs, and a value of a hub reaches the phone`(
        style: RemindersApp.Style
    ) async throws {
        let server = try await RadicaleServer.start()
        let (first, second) = (try await hub(server), try await hub(server))
        let review = try await first.hub.make("Review", "daily: x >= 20", tags: ["work"])
        try await second.copy(review)
        #expect(try await first.syncing().run.sent.new == 7)
        let met = try await second.syncing()
        #expect(met.run.sent.total == 0 && met.run.received.total == 0 && met.failure == nil)
        let phone = RemindersApp(style, server)

        try await phone.set(uid(review, "2026-11-20"), done: true, at: "20261120T130000Z")
        try await first.settle()
        try await second.settle()
        for hub in [first, second] {
            #expect(try await hub.entry(review, "2026-11-20") == Entry(completion: 20))
        }
        let lines = try await phone.lines(uid(review, "2026-11-20"))
        #expect(lines.contains("X-MINTEE-COMPLETION:20") && lines.contains("STATUS:COMPLETED"))
        #expect(lines.contains(style == .apple ? "X-APPLE-SORT-ORDER:785412345" : "SEQUENCE:3"), "\(lines)")

        second.hub.clock.advance(by: .seconds(7200))
        try await second.hub.enter(review, "2026-11-19", .value(12.5))
        try await second.settle()
        try await first.settle()
        #expect(try await first.entry(review, "2026-11-19") == Entry(completion: 12.5))
        #expect(try await phone.lines(uid(review, "2026-11-19")).contains("PERCENT-COMPLETE:63"))

        first.hub.clock.advance(by: .seconds(14_400))
        try await phone.set(uid(review, "2026-11-20"), done: false, at: "20261120T150000Z")
        try await first.settle()
        try await second.settle()
        for hub in [first, second] { #expect(try await hub.entry(review, "2026-11-20") == nil) }
        #expect(try await first.syncing().run.words() == "up to date")
        #expect(try await second.syncing().run.words() == "up to date")
    }

    @Test func `an emptied calendar is filled again, an old token is no loss, a removed one is made`() async throws {
        let server = try await RadicaleServer.start()
        let hub = try await hub(server)
        let read = try await hub.hub.make("Read")
        try await hub.hub.enter(read, "2026-11-19", .done)
        try await hub.settle()
        let phone = RemindersApp(.tasksOrg, server)
        try await phone.empty()
        #expect(try await hub.syncing().run.sent.new == 7)
        #expect(try await hub.entry(read, "2026-11-19") == Entry(completion: 1))

        let cache = "\(server.data)/collection-root/ann/mintee/.Radicale.cache/sync-token"
        try #require(FileManager.default.fileExists(atPath: cache))
        try FileManager.default.removeItem(atPath: cache)
        try await phone.set(uid(read, "2026-11-20"), done: true, at: "20261120T130000Z")
        try await hub.settle()
        #expect(try await hub.entry(read, "2026-11-20") == Entry(completion: 1))

        try await phone.removeCalendar()
        let again = try await hub.syncing()
        #expect(
            again.notices == ["the calendar Mintee was missing on the server and has been recreated"]
                && again.run.sent.new == 7)
        #expect(try await phone.places().count == 7)
        #expect(try await phone.lines(uid(read, "2026-11-20")).contains("STATUS:COMPLETED"))

        // A server that is new and knows nothing, as after a loss of its disk.
        try await server.wipe()
        let refilled = try await hub.syncing()
        #expect(refilled.failure == nil && refilled.run.sent.new == 7)
        #expect(try await hub.entry(read, "2026-11-20") == Entry(completion: 1))

        try await server.stop()
        let away = try await hub.syncing()
        #expect(away.failure?.code == "account-unreachable" && away.run.failures == 1)
        try await server.start()
        try await hub.settle()
    }

    @Test func `what clients without hub's properties write is taken as it is meant`() async throws {
        let server = try await RadicaleServer.start()
        let hub = try await hub(server)
        let coffee = try await hub.hub.make("Coffee", "daily: x <= 3")
        try await hub.settle()
        let phone = RemindersApp(.apple, server)
        #expect(try await phone.lines(uid(coffee, "2026-11-20")).contains("STATUS:NEEDS-ACTION"))
        try await phone.set(uid(coffee, "2026-11-20"), done: true, at: "20261120T130000Z")
        try await hub.settle()
        #expect(try await hub.entry(coffee, "2026-11-20") == Entry(completion: 0))
        hub.hub.clock.advance(by: .seconds(14_400))
        try await hub.hub.enter(coffee, "2026-11-20", .value(5))
        try await hub.settle()
        #expect(try await phone.lines(uid(coffee, "2026-11-20")).contains("X-MINTEE-COMPLETION:5"))
    }
}

/// A hub in memory with an account on a real server.
private final class Peer: Sendable {
    let hub = MinteeFixture()
    let manager: Calendars
    private let folder: TemporaryFolder

    init(_ server: PeerServer) throws {
        folder = try TemporaryFolder()
        let registry = AccountRegistry(
            Calendars.kind,
            settings: MemorySettings(MinteeKeys.all + Calendars.kind.keys.all),
            secrets: MemorySecrets(),
            locks: FileLocks(directory: folder.path, clock: SystemClock()), clock: hub.clock, bus: EventBus(),
            isOffline: false)
        manager = Calendars(
            hub.store, day: hub.day, registry: registry, links: SystemCalendarClients(clock: hub.clock), back: 4,
            ahead: 2
        )
    }

    /// Makes the same task, as a restored backup has it.
    func copy(_ record: TaskRecord) async throws {
        try await hub.store.write(hub.operation("restore")) { try $0.insertTask(record.id, record.draft) }
    }

    var accounts: AccountManager<Calendars> {
        AccountManager(manager, registry: manager.registry, store: hub.store) { 0.5 }
    }

    func syncing() async throws -> SyncReport<CalendarReport> {
        hub.clock.advance(by: .seconds(60))
        return try await accounts.sync(
            try manager.registry.account("home"),
            SyncRequest(System.Operation("mintee sync", who: .service("sync"))))
    }

    func settle() async throws {
        for _ in 0..<5 {
            let report = try await syncing()
            #expect(report.failure == nil && report.problems.isEmpty, "\(report)")
            if report.run.received.total + report.run.sent.total == 0 { return }
        }
        Issue.record("it goes on for ever")
    }

    func entry(_ record: TaskRecord, _ date: String) async throws -> Entry? {
        let day = try #require(CivilDate(date))
        return try await hub.store.read { try $0.entry(record.id, on: day) }
    }
}
