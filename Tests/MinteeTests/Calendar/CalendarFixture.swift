import CivilDate
import HubKit
import HubKitTesting
import MinteeDomain
import NetworkTestSupport
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

@testable import Mintee

/// A hub with tasks and an account on a played server, and a phone at the same server.
final class CalendarFixture: Sendable {
    let hub: MinteeFixture
    let server: PlayedServer
    let settings = MemorySettings(MinteeKeys.all + Calendars.kind.keys.all)
    let secrets = MemorySecrets()
    let folder: TemporaryFolder
    let manager: Calendars
    /// What happens once, while a comparison is not kept yet.
    private let interruption: Interruption

    init(
        _ server: PlayedServer = PlayedServer(), hub: MinteeFixture = MinteeFixture(), isOffline: Bool = false,
        back: Int = 30, ahead: Int = 14
    ) throws {
        self.hub = hub
        self.server = server
        folder = try TemporaryFolder()
        let registry = AccountRegistry(
            Calendars.kind, settings: settings, secrets: secrets,
            locks: FileLocks(directory: folder.path, clock: SystemClock()), clock: hub.clock, bus: EventBus(),
            isOffline: isOffline)
        let interruption = Interruption()
        self.interruption = interruption
        manager = Calendars(
            hub.store, day: hub.day, registry: registry, links: server, back: back, ahead: ahead,
            onCompared: { await interruption.happen() })
    }

    /// Does `body` the next `times` times that days were compared and nothing of it is kept yet.
    func interrupt(times: Int = 1, _ body: @escaping @Sendable () async -> Void) {
        interruption.plan.withLock { $0 = (times, body) }
    }

    var accounts: AccountManager<Calendars> {
        AccountManager(manager, registry: manager.registry, store: hub.store) { 0.5 }
    }

    /// Connects the server as the account `home`.
    @discardableResult
    func connect(calendar: String = "Mintee") async throws -> ConfiguredAccount {
        let account = Account(
            name: "home", address: .server("https://dav.example.org"), user: "ann", collections: [calendar])
        try await accounts.add(account, password: .typed("secret"))
        return try manager.registry.account("home")
    }

    /// Syncs once, a minute later than before.
    @discardableResult
    func syncing(isDryRun: Bool = false) async throws -> SyncReport<CalendarReport> {
        hub.clock.advance(by: .seconds(60))
        var request = SyncRequest(System.Operation("mintee sync home", who: .service("sync")))
        request.isDryRun = isDryRun
        return try await accounts.sync(try manager.registry.account("home"), request)
    }

    /// Syncs until nothing moves any more.
    func settle(_ comment: Comment? = nil) async throws {
        for _ in 0..<6 {
            let report = try await syncing()
            #expect(report.failure == nil && report.problems.isEmpty, comment)
            if report.run.received.total + report.run.sent.total == 0 { return }
        }
        Issue.record("it goes on for ever")
    }

    func entry(_ record: TaskRecord, _ date: String) async throws -> Entry? {
        let day = try #require(CivilDate(date))
        return try await hub.store.read { try $0.entry(record.id, on: day) }
    }

    /// The path of the to-do of a day.
    func place(_ record: TaskRecord, _ date: String) -> String {
        "\(PlayedServer.place)task-\(record.id)-day-\(date).ics"
    }

    /// The to-do of a day, as the phone shows it.
    func todo(_ record: TaskRecord, _ date: String) -> IncomingTodo? {
        server.items()[place(record, date)].flatMap { (try? IncomingTodo.read(Array($0.text.utf8))) ?? nil }
    }

    /// The person does something to a to-do on the phone, which changes these properties; nil takes one out.
    func phone(_ record: TaskRecord, _ date: String, _ changes: [String: String?]) {
        let (place, now) = (place(record, date), hub.clock.now)
        server.edit { content in
            guard let item = content.items[place] else { return }
            content.put(place, Phone.changed(item.text, changes, at: now))
        }
    }

    /// Makes a task with a target over several days, such as `3 times a week`.
    func period(
        _ name: String, _ words: String, from: String = "2026-11-02", remindAt: Int? = nil
    ) async throws -> TaskRecord {
        try await hub.makePeriod(name, words, from: from, remindAt: remindAt)
    }

    /// The path of the to-do of the period that begins on this day.
    func periodPlace(_ record: TaskRecord, _ date: String) -> String {
        "\(PlayedServer.place)task-\(record.id)-period-\(date).ics"
    }

    /// The lines of the to-do of a period, by the names of their properties; empty if there is none.
    func periodLines(_ record: TaskRecord, _ date: String) -> [String: String] {
        let lines = server.items()[periodPlace(record, date)]?.text.split(separator: "\r\n") ?? []
        let pairs = lines.compactMap { line in
            line.firstIndex(of: ":").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The person completes the to-do of a period, or changes it in another way.
    func phonePeriod(_ record: TaskRecord, _ date: String, _ changes: [String: String?]) {
        let (place, now) = (periodPlace(record, date), hub.clock.now)
        server.edit { content in
            guard let item = content.items[place] else { return }
            content.put(place, Phone.changed(item.text, changes, at: now))
        }
    }

    /// The person completes the to-do of a period now.
    func tickPeriod(_ record: TaskRecord, _ date: String, note: String? = nil) {
        let stamp = Phone.stamp(hub.clock.now)
        var changes: [String: String?] = ["STATUS": "COMPLETED", "PERCENT-COMPLETE": "100", "COMPLETED": stamp]
        if let note { changes["DESCRIPTION"] = note }
        phonePeriod(record, date, changes)
    }

    func tick(_ record: TaskRecord, _ date: String) { phone(record, date, Phone.tick) }
    func untick(_ record: TaskRecord, _ date: String) { phone(record, date, Phone.untick) }
}

/// To-dos as reminder apps write them.
enum Phone {
    static let tick: [String: String?] = [
        "STATUS": "COMPLETED", "PERCENT-COMPLETE": "100", "COMPLETED": "20261120T110000Z",
    ]
    static let untick: [String: String?] = ["STATUS": "NEEDS-ACTION", "PERCENT-COMPLETE": nil, "COMPLETED": nil]

    /// A moment as `20261120T120000Z`.
    static func stamp(_ moment: Instant) -> String {
        let time = TimeZoneRules.utc.localTime(at: moment)
        let day = time.day.description.replacing("-", with: "")
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let seconds = time.millisecond / 1000
        return "\(day)T\(two(seconds / 3600))\(two(seconds / 60 % 60))\(two(seconds % 60))Z"
    }

    /// `text` with other properties.
    static func changed(_ text: String, _ changes: [String: String?], at moment: Instant) -> String {
        let stamp = stamp(moment)
        var lines = text.split(separator: "\r\n").map(String.init)
        let all = changes.merging(["LAST-MODIFIED": stamp, "DTSTAMP": stamp]) { $1 }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) {
            lines.removeAll { $0.hasPrefix(name + ":") }
            guard let value, let end = lines.firstIndex(of: "END:VTODO") else { continue }
            lines.insert("\(name):\(value)", at: end)
        }
        return lines.map { $0 + "\r\n" }.joined()
    }
}

/// Something that happens in the middle of a sync.
private final class Interruption: Sendable {
    let plan = Mutex<(times: Int, body: @Sendable () async -> Void)>((0, {}))

    func happen() async {
        let body = plan.withLock { plan in
            plan.times -= 1
            return plan.times >= 0 ? plan.body : nil
        }
        await body?()
    }
}

/// A lock held by another process until it is released.
final class Held: Sendable {
    private let lock: Mutex<FileLock?>

    init(_ lock: FileLock?) { self.lock = Mutex(lock) }

    func release() { lock.withLock { $0 = nil } }
}
