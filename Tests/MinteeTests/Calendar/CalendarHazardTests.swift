import CivilDate
import HubKit
import HubKitTesting
import MinteeDomain
import Sync
import Synchronization
import Testing

@testable import Mintee

/// One to-do that a server cannot handle stops no other, and is neither replaced nor shown twice.
@Suite(.timeLimit(.minutes(20)))
struct CalendarHazardTests {
    private let side: CalendarFixture

    init() throws { side = try CalendarFixture() }

    @Test func `an error of the server with one to-do stops no other`() async throws {
        try await side.hub.make("Run", "daily: x >= 5")
        try await side.connect()
        side.server.behave {
            $0.refuses = { $0.contains("day/2026-11-20") ? .serverError(reason: "status 500") : nil }
        }
        let report = try await side.syncing()
        #expect(report.failure == nil && report.problems.count == 1)
        #expect(report.problems.first?.text.contains("status 500") == true)
        #expect(side.server.items().count == report.run.sent.new && report.run.sent.new > 30)
        side.server.behave { $0.refuses = { _ in nil } }
        #expect(try await side.syncing().run.sent.new == 1)
    }

    @Test func `a server that has errors with everything is left alone`() async throws {
        try await side.hub.make("Run", "daily: x >= 5")
        try await side.connect()
        side.server.behave { $0.refuses = { _ in .serverError(reason: "status 500") } }
        let report = try await side.syncing()
        #expect(report.failure?.code == "account-server-error")
        #expect(side.server.calls.count { $0 == "create" } == ServerErrorStreak.limit)
    }

    @Test func `what cannot be read or fetched is never replaced`() async throws {
        let run = try await side.hub.make("Run", "daily: x >= 5")
        try await side.connect()
        try await side.settle()
        let place = try #require(side.server.items().keys.sorted().first)
        side.server.edit { $0.put(place, "half-saved") }
        for _ in 0..<3 {
            try await side.hub.enter(run, "2026-11-20", .value(7))
            _ = try await side.syncing()
            #expect(side.server.items()[place]?.text == "half-saved")
        }
        let other = try #require(side.server.items().keys.sorted().last)
        let text = try #require(side.server.items()[other]).text
        side.server.behave { $0.givesNot = { $0 == other } }
        side.server.edit { $0.put(other, text + "\r\n") }
        let calls = side.server.items().count
        for _ in 0..<2 {
            let report = try await side.syncing()
            #expect(report.problems.contains { $0.text.contains("could not be fetched") })
        }
        #expect(side.server.items().count == calls && side.server.items()[other]?.text == text + "\r\n")
        side.server.behave { $0.givesNot = { _ in false } }
        let report = try await side.syncing()
        #expect(!report.problems.contains { $0.text.contains("could not be fetched") })
    }

    /// The to-do is sent once; its response is lost, and another program then overwrites it.
    @Test(arguments: [false, true])
    func `a created to-do that became unreadable before its response arrived is not sent again`(isRemoved: Bool)
        async throws
    {
        let read = try await side.hub.make("Read", "Fri: x >= 20")
        try await side.connect()
        try await side.settle()
        let place = side.place(read, "2026-11-20")
        let text = try #require(side.server.items()[place]).text
        let count = side.server.items().count
        side.server.edit { $0.take(place) }
        // The state, the changes, and the creation, whose response is lost.
        side.server.behave { $0.callsLeft = 3 }
        #expect(try await side.syncing().failure != nil && side.server.items()[place] != nil)
        side.server.behave { $0.callsLeft = nil }
        side.server.edit { $0.put(place, "half-saved") }
        try await side.hub.enter(read, "2026-11-20", .value(7))
        try await side.hub.enter(read, "2026-11-13", .value(21))
        #expect(try await side.syncing().run.sent.changed == 1)
        for _ in 0..<2 {
            let report = try await side.syncing()
            #expect(report.failure == nil && report.run.sent.total == 0)
            #expect(report.problems.map(\.text) == ["\(place) is no longer a to-do created by hub"])
            #expect(side.server.items()[place]?.text == "half-saved" && side.server.items().count == count)
        }
        side.server.edit { if isRemoved { $0.take(place) } else { $0.put(place, text) } }
        try await side.settle()
        #expect(side.server.items().count == count)
        #expect(side.todo(read, "2026-11-20")?.written?.completion == 7)
    }

    /// The link of an unreadable to-do is kept, so that hub still knows it as its own.
    @Test func `a to-do that was unreadable when its task went is removed once it can be read`() async throws {
        let read = try await side.hub.make("Read", "Fri: x >= 20")
        try await side.connect()
        try await side.settle()
        let place = side.place(read, "2026-11-20")
        let text = try #require(side.server.items()[place]).text
        side.server.edit { $0.put(place, "half-saved") }
        #expect(try await side.syncing().problems.map(\.task) == ["Read"])
        try await side.hub.mintee.tasks.delete([read.id], operation: side.hub.operation("mintee rm"))
        for _ in 0..<2 {
            _ = try await side.syncing()
            #expect(side.server.items().mapValues(\.text) == [place: "half-saved"])
        }
        side.server.edit { $0.put(place, text) }
        try await side.settle()
        #expect(side.server.items().isEmpty)
    }

    /// What hub sent itself comes back, and is not taken for a change on the server.
    @Test(arguments: [false, true], [false, true])
    func `a value that is cleared after its response was lost stays cleared`(isNew: Bool, dropsUnknown: Bool)
        async throws
    {
        let read = try await side.hub.make("Read", "Fri: x >= 20")
        side.server.behave { $0.dropsUnknown = dropsUnknown }
        try await side.connect()
        try await side.settle()
        let place = side.place(read, "2026-11-20")
        if isNew { side.server.edit { $0.take(place) } }
        side.hub.clock.advance(by: .seconds(5))
        try await side.hub.enter(read, "2026-11-20", .value(24))
        for calls in 1...10 where side.todo(read, "2026-11-20")?.progress.status != .completed {
            side.server.behave { $0.callsLeft = calls }
            _ = try await side.syncing()
        }
        side.server.behave { $0.callsLeft = nil }
        #expect(side.todo(read, "2026-11-20")?.progress.status == .completed)
        side.hub.clock.advance(by: .seconds(5))
        try await side.hub.enter(read, "2026-11-20", .value(0))
        try await side.settle()
        #expect(try await side.entry(read, "2026-11-20")?.completion ?? 0 == 0)
        #expect(side.todo(read, "2026-11-20")?.progress.status == .needsAction)
    }

    @Test func `a to-do under a name of the server's own that became unreadable is not sent again`() async throws {
        let read = try await side.hub.make("Read", "Fri: x >= 20")
        try await side.connect()
        try await side.settle()
        let (place, count) = (side.place(read, "2026-11-20"), side.server.items().count)
        side.server.edit { $0.take(place) }
        side.server.behave { ($0.callsLeft, $0.renames) = (3, true) }
        #expect(try await side.syncing().failure != nil && side.server.items().count == count)
        side.server.behave { $0.callsLeft = nil }
        let own = try #require(side.server.items().first { $0.key.hasSuffix("-own.ics") })
        side.server.edit { $0.put(own.key, "half-saved") }
        for _ in 0..<2 {
            let report = try await side.syncing()
            #expect(report.problems.map(\.text) == ["\(own.key) is no longer a to-do created by hub"])
            #expect(side.server.items().count == count)
        }
        side.server.edit { $0.put(own.key, own.value.text) }
        try await side.settle()
        #expect(side.server.items().count == count)
    }

    @Test func `a to-do that the server stored under its own name is found when the response is lost`() async throws {
        let read = try await side.hub.make("Read", "Fri: x >= 20")
        try await side.connect()
        try await side.settle()
        let place = side.place(read, "2026-11-20")
        let count = side.server.items().count
        side.server.edit { $0.take(place) }
        side.server.behave { ($0.callsLeft, $0.renames) = (3, true) }
        #expect(try await side.syncing().failure != nil && side.server.items().count == count)
        side.server.behave { $0.callsLeft = nil }
        try await side.settle()
        #expect(side.server.items().count == count && side.server.items()[place] == nil)
    }

    /// The comparison is made outside of any transaction: a write of another command goes through meanwhile, and what it
    /// entered is compared, not overwritten.
    @Test func `a value entered while a to-do is compared is not lost`() async throws {
        let read = try await side.hub.make("Read", "Fri: x >= 20")
        try await side.connect()
        try await side.settle()
        side.phone(read, "2026-11-20", ["DESCRIPTION": "tea"])
        side.interrupt { [side] in
            side.hub.clock.advance(by: .seconds(5))
            _ = try? await side.hub.enter(read, "2026-11-20", .value(7))
        }
        try await side.settle()
        #expect(try await side.entry(read, "2026-11-20") == Entry(completion: 7, note: "tea"))
        #expect(side.todo(read, "2026-11-20")?.written?.completion == 7)
    }

    @Test func `a value entered while its to-do is made is not lost`() async throws {
        let read = try await side.hub.make("Read", "Fri: x >= 20")
        try await side.connect()
        side.interrupt { [side] in _ = try? await side.hub.enter(read, "2026-11-20", .value(7)) }
        try await side.settle()
        #expect(side.todo(read, "2026-11-20")?.written?.completion == 7)
    }

    @Test func `a day that changes at each comparison is left for the next sync, and told`() async throws {
        let read = try await side.hub.make("Read", "Fri: x >= 20")
        try await side.connect()
        try await side.settle()
        side.phone(read, "2026-11-20", ["DESCRIPTION": "tea"])
        let value = Counter()
        side.interrupt(times: 3) { [side] in
            _ = try? await side.hub.enter(read, "2026-11-20", .value(Double(value.next())))
        }
        let report = try await side.syncing()
        #expect(report.problems.map(\.text) == ["it was changed here meanwhile; the next sync compares it"])
        try await side.settle()
        #expect(try await side.entry(read, "2026-11-20") == Entry(completion: 3, note: "tea"))
        #expect(side.todo(read, "2026-11-20")?.written?.completion == 3)
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
