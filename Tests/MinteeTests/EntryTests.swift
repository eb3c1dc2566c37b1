import CivilDate
import HubKitTesting
import MinteeDomain
import Storage
import System
import TestSupport
import Testing

@testable import Mintee

/// Entries of days, and the data derived from them.
struct EntryTests {
    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

    @Test func `each way to enter something`() async throws {
        let fixture = MinteeFixture()
        let task = try await fixture.make("Water", "daily: 6 <= x <= 10")
        let date = "2026-11-20"
        #expect(try await fixture.enter(task, date, .more(1)).entry == Entry(completion: 1))
        #expect(try await fixture.enter(task, date, .value(2.5)).entry == Entry(completion: 2.5))
        #expect(try await fixture.enter(task, date, .more(2)).entry?.completion == 4)
        #expect(try await fixture.enter(task, date, .more(-1)).entry?.completion == 3)
        let done = try await fixture.enter(task, date, .done)
        #expect(done.entry?.completion == 6 && done.streak == 1)
        #expect(try await fixture.enter(task, date, .note("warm")).entry == Entry(completion: 6, note: "warm"))
        let skipped = try await fixture.enter(task, date, .skip("ill"))
        #expect(skipped.entry == Entry(completion: 6, skipReason: "ill", note: "warm") && skipped.streak == 0)
        #expect(try await fixture.enter(task, date, .value(8)).entry == Entry(completion: 8, note: "warm"))
        #expect(try await fixture.enter(task, date, .done).entry?.completion == 8)
        #expect(try await fixture.enter(task, date, .clear).entry == nil)
        #expect(try await fixture.store.read { try $0.instanceDays(of: task.id) }.isEmpty)
    }

    @Test func `a day that is not due takes nothing`() async throws {
        let fixture = MinteeFixture()
        let task = try await fixture.make("Run", "Mon")
        let error = await #expect(throws: HubError.self) { try await fixture.enter(task, "2026-11-20", .done) }
        #expect(error?.code == "ti-2")
        let dates = try await fixture.make("Pay", dates: ["2026-11-20"])
        await #expect(throws: HubError.self) { try await fixture.enter(dates, "2026-11-21", .done) }
        try await fixture.enter(dates, "2026-11-20", .done)
        try await fixture.enter(dates, "2026-11-20", .clear)
        #expect(try await fixture.store.read { try $0.instanceDays(of: dates.id) } == [day("2026-11-20")])
    }

    @Test func `derived years follow every entry, over the turn of years too`() async throws {
        let fixture = MinteeFixture()
        let task = try await fixture.make("Read", from: "2024-01-01")
        let limit = try await fixture.make("Coffee", "daily: x <= 3", from: "2025-06-01")
        var generator = SeededGenerator(seed: 5)
        let (store, mintee) = (fixture.store, fixture.mintee)
        let first = try day("2024-01-01").daysSinceEpoch
        let start = try day("2025-06-01")
        for step in 0..<120 {
            let date = CivilDate(
                daysSinceEpoch: Int.random(in: first...fixture.today.daysSinceEpoch, using: &generator))
            let change: EntryChange =
                [.done, .value(5), .value(0), .skip(""), .clear][Int.random(in: 0..<5, using: &generator)]
            let target = step % 2 == 0 || date < start ? task : limit
            try await fixture.enter(target, date.description, change)
            if step % 20 == 0 { #expect(try await mintee.tasksWithStaleYears() == [], "step \(step)") }
        }
        #expect(try await mintee.tasksWithStaleYears() == [])
        // The streak of the list is that of the whole timeline.
        for item in try await mintee.dueTasks(on: fixture.today) {
            let timeline = try await store.read { try $0.timeline(of: item.task, through: fixture.today) }
            let standing = TaskStatistics(
                timeline, schedule: item.task.schedule(today: fixture.today), today: fixture.today)
            #expect(item.streak == standing.streak.current, "\(item.task.draft.name)")
        }
        try await store.write(System.Operation("mintee break", kind: .cache)) {
            try $0.run("UPDATE mintee_year SET streak = streak + 1")
        }
        #expect(try await mintee.tasksWithStaleYears().count == 2)
        try await mintee.rebuildYears()
        #expect(try await mintee.tasksWithStaleYears() == [])
    }

    @Test func `a day shows what is due, in the order of making`() async throws {
        let fixture = MinteeFixture()
        let water = try await fixture.make("Water", "daily: 6 <= x <= 10", from: "2026-11-14")
        try await fixture.make("Monday", "Mon")
        try await fixture.make("Alone", dates: ["2026-11-20"])
        try await fixture.enter(water, "2026-11-17", .value(5))
        for date in ["2026-11-14", "2026-11-15", "2026-11-16", "2026-11-18", "2026-11-19"] {
            try await fixture.enter(water, date, .value(7))
        }
        try await fixture.enter(water, "2026-11-20", .value(4))
        let items = try await fixture.mintee.dueTasks(on: fixture.today)
        #expect(items.map(\.task.draft.name) == ["Water", "Alone"])
        #expect(items[0].streak == 2 && items[0].isOpen && items[0].value == 4)
        #expect(items[0].week.map(\.category) == [.reached, .reached, .reached, .under, .reached, .reached, .under])
    }

    @Test func `until the night ends it is still yesterday`() throws {
        let clock = FixedClock()
        clock.advance(by: .seconds(14 * 3600))
        #expect(DayBoundary(clock: clock).today == (try day("2026-11-21")))
        #expect(DayBoundary(clock: clock, startsAt: 4 * 60).today == (try day("2026-11-20")))
    }
}
