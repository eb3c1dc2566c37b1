import CivilDate
import Commands
import HubKit
import HubKitTesting
import MinteeDomain
import Storage
import Sync
import TestSupport
import Testing

@testable import Mintee

/// What is said of a task and its calendar. It is noon of Friday, 20 November 2026.
@Suite(.timeLimit(.minutes(20)))
struct ExplainCalendarTests {
    private let side: CalendarFixture

    init() throws { side = try CalendarFixture() }

    private func explain(_ record: TaskRecord, _ day: String = "") async throws -> [ItemExplanation] {
        try await side.accounts.explain(record.id + (day.isEmpty ? "" : "/\(day)"))
    }

    private func one(_ record: TaskRecord, _ day: String = "2026-11-20") async throws -> ItemExplanation {
        let all = try await explain(record, day)
        #expect(all.count == 1, "\(all)")
        return try #require(all.first)
    }

    /// Syncs, and expects that no more happened than was said.
    private func expectSync(received: Int, sent: Int) async throws {
        let report = try await side.syncing()
        #expect(report.run.received.total == received && report.run.sent.total == sent)
    }

    @Test func `the days of a task are together while the same happens to them`() async throws {
        let run = try await side.hub.make("Run", "daily: x >= 5")
        #expect(try await explain(run) == [], "there is no account")
        try await side.connect()
        var all = try await explain(run)
        #expect(
            all.count == 1 && all[0].item == "Run, 45 days from 2026-10-21 to 2026-12-04"
                && all[0].place == "home/Mintee")
        #expect(all[0].next == "is added there" && all[0].base == "never synced" && all[0].there == "not there")
        try await side.settle()
        all = try await explain(run)
        #expect(all.count == 1 && all[0].next == "nothing" && all[0].why == "both are as they were")
        #expect(all[0].base == "45 to-dos, each as it was last compared")
        side.tick(run, "2026-11-18")
        try await side.hub.enter(run, "2026-11-19", .value(3))
        all = try await explain(run)
        #expect(all.map(\.next) == ["nothing", "is taken from there", "is sent"])
        #expect(all[0].item == "Run, 43 days from 2026-10-21 to 2026-12-04")
        #expect(all[1].item == "Run, 2026-11-18" && all[1].there == "value none -> 5" && all[1].here == "as it was")
        #expect(all[2].item == "Run, 2026-11-19" && all[2].here == "value none -> 3" && all[2].there == "as it was")
        #expect(all[2].base.hasPrefix("version ") && all[2].base.contains("task-\(run.id)-day-2026-11-19.ics"))
        #expect(try await explain(run, "2026") == [], "a year is what machines exchange")
        #expect(try await side.accounts.explain("zzz") == [])
    }

    @Test func `it says of a day what the next sync does with it`() async throws {
        let run = try await side.hub.make("Run", "Mon,Wed,Fri: x >= 5")
        try await side.connect()
        try await side.settle()
        // Both sides have changed something else.
        try await side.hub.enter(run, "2026-11-20", .value(4))
        side.phone(run, "2026-11-20", ["DESCRIPTION": "tired"])
        var said = try await one(run)
        #expect(said.next == "both are merged" && said.why == "they have changed different values")
        #expect(said.here == "value none -> 4" && said.there == "note none -> \"tired\"")
        try await expectSync(received: 1, sent: 1)
        try await side.settle()
        // The same value: the later change counts, as the sync says too.
        try await side.hub.enter(run, "2026-11-20", .value(6))
        side.hub.clock.advance(by: .seconds(60))
        side.phone(run, "2026-11-20", ["X-MINTEE-COMPLETION": "9"])
        said = try await one(run)
        #expect(said.next == "both are merged" && said.why.contains("value 6 here was replaced by 9 from the calendar"))
        let report = try await side.syncing()
        #expect(report.notices.contains { said.why.contains($0) } && report.run.received.total == 1)
        try await side.settle()
        // Written again by another program, with the same values.
        side.phone(run, "2026-11-20", ["X-OTHER": "1"])
        said = try await one(run)
        #expect(said.next == "nothing" && said.there == "written again, with nothing new for hub")
        try await expectSync(received: 0, sent: 0)
        // Removed there.
        side.server.edit { $0.take(side.place(run, "2026-11-20")) }
        said = try await one(run)
        #expect(said.next == "is added there again" && said.there == "removed")
        try await expectSync(received: 0, sent: 1)
        // Days that no calendar shows.
        said = try await one(run, "2026-11-21")
        #expect(said.here == "not due" && said.next == "nothing" && said.place == "home/Mintee")
        said = try await one(run, "2027-11-19")
        #expect(said.next == "nothing" && said.why.contains("the calendar shows 2026-10-21 to 2026-12-04"))
        // The server is away, or has another password.
        side.server.behave { $0.password = "other" }
        said = try await one(run)
        #expect(said.there == "not known" && said.why.hasPrefix("home was not asked: "), "\(said)")
    }

    @Test func `what is no longer shown is removed there, with its last change`() async throws {
        let run = try await side.hub.make("Run", "daily: x >= 5")
        try await side.connect()
        try await side.settle()
        side.hub.clock.advance(by: .seconds(86_400))
        var said = try await one(run, "2026-10-21")
        #expect(said.next == "is removed there" && said.here == "outside of the days that the calendar shows")
        #expect(try await one(run, "2026-12-05").next == "is added there")
        side.tick(run, "2026-10-21")
        said = try await one(run, "2026-10-21")
        #expect(
            said.next == "is taken from there" && said.there == "value none -> 5", "a day with an entry is shown longer"
        )
        try await side.settle()
        #expect(try await side.entry(run, "2026-10-21") == Entry(completion: 5))
    }

    @Test func `a week is one to-do`() async throws {
        let gym = try await side.period("Gym", "3 times a week")
        try await side.connect()
        try await side.settle()
        side.tickPeriod(gym, "2026-11-16")
        let said = try await one(gym, "2026-11-16")
        #expect(said.item == "Gym, the period from 2026-11-16" && said.next == "is taken from there")
        #expect(said.there == "progress 0 % -> 100 %")
        try await side.settle()
        #expect(try await side.entry(gym, "2026-11-20") == Entry(completion: 1))
        try await side.hub.enter(gym, "2026-11-19", .done)
        #expect(try await one(gym, "2026-11-16").next == "is sent")
    }
}
