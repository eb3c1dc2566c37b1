import CivilDate
import Glibc
import HubKitTesting
import MinteeDomain
import Testing

@testable import Commands
@testable import HubKit
@testable import Mintee
@testable import Storage

/// Reminders, and the tasks that birthdays make.
struct ReminderTests {
    private func told(_ fixture: MinteeFixture) async throws -> [StoredEvent] {
        try await fixture.database.store(for: "core").read { transaction in
            try transaction.recentEvents(matching: [.everything], since: nil, limit: 1000)
        }.filter { $0.topic == TaskDue.event.topic }
    }

    private func make(_ fixture: MinteeFixture, _ name: String, remindAt minutes: Int?) async throws -> TaskRecord {
        let draft = TaskDraft(
            name: name,
            schedule: .recurring(
                from: fixture.today, to: fixture.today.adding(days: 9), [try TargetSet("daily: x >= 5")]),
            remindAt: minutes)
        return try await fixture.mintee.createTask(draft, operation: fixture.operation())
    }

    /// Central European time: the clocks go on at 01:00 UTC of 29 March 2026, and back at 01:00 UTC of 25 October.
    @Test(arguments: [
        // 03:30 and 04:30 on the wall after the clocks went on; 03:30 and 04:00 after they went back.
        ("2026-03-29", 90, "2026-03-28"), ("2026-03-29", 150, "2026-03-29"), ("2026-10-25", 150, "2026-10-24"),
        ("2026-10-25", 180, "2026-10-25"), ("2026-10-24", 119, "2026-10-23"), ("2026-10-24", 120, "2026-10-24"),
    ])
    func `a day begins by the clock on the wall`(date: String, minute: Int, day: String) throws {
        let spring = Instant(milliseconds: 1_774_746_000_000)
        let autumn = Instant(milliseconds: 1_792_890_000_000)
        let berlin = TimeZoneRules { $0 >= spring && $0 < autumn ? 7200 : 3600 }
        let midnight = try #require(CivilDate(date)).daysSinceEpoch
        let moment = Instant(milliseconds: Int64(midnight * 86_400_000 + minute * 60_000))
        let mintee = DayBoundary(clock: FixedClock(), startsAt: 240)
        #expect(mintee.day(of: moment, in: berlin).description == day)
    }

    @Test func `a task is told of once a day, at its time, unless it is done`() async throws {
        let fixture = MinteeFixture()
        let minutes = fixture.day.minutes
        let plain = try await make(fixture, "Plain", remindAt: nil)
        let late = try await make(fixture, "Late", remindAt: minutes + 30)
        let done = try await make(fixture, "Done", remindAt: minutes + 30)
        let mintee = fixture.mintee
        try await mintee.remindOfTasks()
        #expect(try await told(fixture).map(\.subject) == [plain.id])
        try await fixture.enter(done, "2026-11-20", .done)
        try await fixture.enter(late, "2026-11-20", .value(3))
        fixture.clock.advance(by: .seconds(30 * 60))
        try await mintee.remindOfTasks()
        try await mintee.remindOfTasks()
        let events = try await told(fixture)
        #expect(events.map(\.subject) == [plain.id, late.id])
        #expect(try events[0].event.fields()["notify"] == nil)
        #expect(try events[1].event.fields()["notify"]?["body"]?.string == "3, at least 5")
        fixture.clock.advance(by: .seconds(24 * 3600))
        try await mintee.remindOfTasks()
        #expect(try await told(fixture).count == 5)
    }

    @Test func `a limit is asked about at its time while nothing is entered`() async throws {
        let fixture = MinteeFixture()
        let (day, minutes) = (fixture.today, fixture.day.minutes)
        func make(_ name: String, _ text: String, _ remindAt: Int?) async throws -> TaskRecord {
            let sets = [try TargetSet(text)]
            return try await fixture.mintee.createTask(
                TaskDraft(
                    name: name, schedule: .recurring(from: day, to: day.adding(days: 9), sets), remindAt: remindAt),
                operation: fixture.operation())
        }
        let limit = try await make("Cigarettes", "daily: x <= 3", minutes)
        _ = try await make("Coffee", "daily: x <= 3", nil)
        let entered = try await make("Wine", "daily: x <= 3", minutes)
        let plain = try await make("Read", "daily", minutes)
        try await fixture.enter(entered, "2026-11-20", .value(1))
        try await fixture.mintee.remindOfTasks()
        let events = try await told(fixture)
        #expect(events.map(\.subject) == [limit.id, plain.id])
        let texts = try events.map { try $0.event.fields()["notify"]?["body"]?.string }
        #expect(texts == ["at most 3", "due today"])
    }

    @Test func `a week is asked about at its time and on needed days, and no more when it is reached`() async throws {
        let fixture = MinteeFixture()
        let minutes = fixture.day.minutes
        let asked = try await fixture.makePeriod("Asked", "twice a week", remindAt: minutes)
        _ = try await fixture.makePeriod("Silent", "twice a week")
        let needed = try await fixture.makePeriod("Needed", "3 times a week")
        let reached = try await fixture.makePeriod("Reached", "daily: x >= 5, twice a week", remindAt: minutes)
        let limit = try await fixture.makePeriod("Limit", "at most 6 a week", remindAt: minutes)
        for day in ["2026-11-17", "2026-11-18"] { try await fixture.enter(reached, day, .value(5)) }
        try await fixture.enter(reached, "2026-11-20", .value(1))
        try await fixture.enter(limit, "2026-11-18", .value(2))
        try await fixture.mintee.remindOfTasks()
        let events = try await told(fixture)
        #expect(Set(events.map(\.subject)) == [asked.id, needed.id, limit.id])
        let texts = try events.filter { $0.subject != needed.id }.map {
            try $0.event.fields()["notify"]?["body"]?.string
        }
        #expect(Set(texts) == ["0 of 2 this week, 3 days left", "2, at most 6 this week"])
    }

    private func birthday(_ sequence: Int64) throws -> StoredEvent {
        let page = #filePath.replacing(
            "Tests/MinteeTests/ReminderTests.swift", with: "docs/events/app.contacts/birthday-upcoming.json")
        let document = try JSONReader.read(try BoundedFile.read(page, limit: 100_000))
        var body = JSONWriter()
        body.value(try #require(document["example"]?["body"]))
        return StoredEvent(
            sequence: sequence, at: Instant(milliseconds: 0), operation: nil,
            event: Event("app.contacts/birthday-upcoming", subject: "7kt", body: body.string))
    }

    @Test func `a birthday makes its task once, however often it is told`() async throws {
        var config = Config()
        config[MinteeKeys.birthdayTask] = "Call {name}"
        config[MinteeKeys.birthdayRemind] = TimeOfDay(minutes: 540)
        let fixture = MinteeFixture(config: config)
        for _ in 0..<3 { try await fixture.mintee.createBirthdayTask(try birthday(45)) }
        let tasks = try await fixture.mintee.listTasks()
        #expect(tasks.map(\.draft.name) == ["Call Ada Lovelace"] && tasks[0].draft.remindAt == 540)
        #expect(tasks[0].draft.schedule == .specific([try #require(CivilDate("2026-12-10"))]))
        #expect(tasks[0].draft.tags == ["birthday"])
        // What the person threw away does not come back, and next year's event makes another one.
        try await fixture.mintee.tasks.delete([tasks[0].id], operation: fixture.operation())
        try await fixture.mintee.createBirthdayTask(try birthday(45))
        #expect(try await fixture.mintee.listTasks().isEmpty)
        try await fixture.mintee.createBirthdayTask(try birthday(900))
        #expect(try await fixture.mintee.listTasks().count == 1)
    }

    @Test func `a body without a name or a day makes nothing`() async throws {
        let fixture = MinteeFixture()
        for body in ["{}", #"{"name":"Ada"}"#, #"{"name":"Ada","date":"soon"}"#] {
            let event = Event("app.contacts/birthday-upcoming", subject: "7kt", body: body)
            try await fixture.mintee.createBirthdayTask(
                StoredEvent(sequence: 1, at: Instant(milliseconds: 0), operation: nil, event: event))
        }
        #expect(try await fixture.mintee.listTasks().isEmpty)
    }
}
