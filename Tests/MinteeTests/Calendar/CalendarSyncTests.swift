import CivilDate
import Commands
import HubKit
import HubKitTesting
import MinteeDomain
import Storage
import Sync
import Testing

@testable import Mintee

/// Tasks and the reminders of a phone, step by step.
@Suite(.timeLimit(.minutes(20)))
struct CalendarSyncTests {
    private let side: CalendarFixture

    init() throws { side = try CalendarFixture() }

    @Test func `the first sync makes the calendar and shows the days around today`() async throws {
        let run = try await side.hub.make("Run", "Mon,Wed,Fri: x >= 5", tags: ["sport"])
        try await side.hub.make("Tax", dates: ["2026-11-25", "2027-03-01"])
        try await side.connect()
        #expect(side.server.calendarNames.isEmpty, "nothing is made before a sync")
        let first = try await side.syncing()
        #expect(side.server.calendarNames == ["Mintee"] && first.notices == ["the calendar Mintee was created"])
        // Thirty days back, today and fourteen ahead, three days a week; and one chosen date.
        #expect(first.run.sent.new == 21 && side.server.items().count == 21)
        let todo = try #require(side.todo(run, "2026-11-20"))
        #expect(todo.name == "Run" && todo.tags == ["sport"] && todo.progress.status == .needsAction)
        #expect(todo.date == CivilDate("2026-11-20") && side.todo(run, "2026-11-21") == nil)
        let second = try await side.syncing()
        #expect(second.run.words() == "up to date")
        side.server.forgetCalls()
        _ = try await side.syncing()
        #expect(side.server.calls == ["state"])
    }

    @Test func `a tick on the phone reaches the day, and the number comes back`() async throws {
        let review = try await side.hub.make("Review", "daily: x >= 20")
        try await side.connect()
        try await side.settle()
        side.tick(review, "2026-11-20")
        let report = try await side.syncing()
        #expect(report.run.received.changed == 1 && report.run.sent.changed == 1)
        #expect(try await side.entry(review, "2026-11-20") == Entry(completion: 20))
        #expect(side.todo(review, "2026-11-20")?.written == Entry(completion: 20))
        side.untick(review, "2026-11-20")
        try await side.settle()
        #expect(try await side.entry(review, "2026-11-20") == nil)
        side.phone(review, "2026-11-19", ["X-MINTEE-COMPLETION": "12.5", "DESCRIPTION": "tired"])
        try await side.settle()
        #expect(try await side.entry(review, "2026-11-19") == Entry(completion: 12.5, note: "tired"))
        #expect(side.todo(review, "2026-11-19")?.progress == TodoProgress(.inProcess, percent: 63))
    }

    @Test func `what is entered here reaches the phone, skips too`() async throws {
        let water = try await side.hub.make("Water", "daily: 6 <= x <= 10")
        try await side.connect()
        try await side.settle()
        try await side.hub.enter(water, "2026-11-20", .value(7))
        try await side.hub.enter(water, "2026-11-19", .skip("ill"))
        try await side.hub.enter(water, "2026-11-18", .value(2))
        let report = try await side.syncing()
        #expect(report.run.sent.changed == 3 && report.run.received.total == 0)
        #expect(side.todo(water, "2026-11-20")?.progress.status == .completed)
        #expect(side.todo(water, "2026-11-19")?.progress.status == .cancelled)
        #expect(side.todo(water, "2026-11-18")?.progress.status == .inProcess)
        try await side.settle()
    }

    @Test func `undo passes over the sync, and takes its change back when it is named`() async throws {
        let read = try await side.hub.make("Read")
        try await side.connect()
        try await side.settle()
        try await side.hub.enter(read, "2026-11-18", .done)
        side.tick(read, "2026-11-19")
        try await side.settle()
        let history = side.hub.database.history
        side.hub.clock.advance(by: .seconds(1))
        _ = try await history.undo(as: side.hub.operation("undo"))
        #expect(try await side.entry(read, "2026-11-18") == nil, "the person's own last change")
        #expect(try await side.entry(read, "2026-11-19") == Entry(completion: 1))
        try await side.settle()
        #expect(side.todo(read, "2026-11-18")?.progress.status == .needsAction)
        #expect(side.todo(read, "2026-11-19")?.progress.status == .completed)
    }

    @Test func `when both sides changed a day the later one counts, and both end equal`() async throws {
        let read = try await side.hub.make("Read", "daily: x >= 20")
        try await side.connect()
        try await side.settle()
        side.tick(read, "2026-11-20")
        side.hub.clock.advance(by: .seconds(10))
        try await side.hub.enter(read, "2026-11-20", .value(3))
        try await side.hub.enter(read, "2026-11-19", .value(4))
        side.hub.clock.advance(by: .seconds(10))
        side.tick(read, "2026-11-19")
        try await side.settle()
        #expect(try await side.entry(read, "2026-11-20") == Entry(completion: 3))
        #expect(try await side.entry(read, "2026-11-19") == Entry(completion: 20))
        #expect(side.todo(read, "2026-11-20")?.written == Entry(completion: 3))
    }

    @Test func `a new name follows, and what the phone keeps in the to-do stays`() async throws {
        let read = try await side.hub.make("Read", tags: ["mind"])
        try await side.connect()
        try await side.settle()
        side.phone(
            read, "2026-11-20", ["SUMMARY": "Something else", "X-APPLE-SORT-ORDER": "12", "PRIORITY": "1"])
        _ = try await side.hub.mintee.updateTask(
            read.id, operation: side.hub.operation("mintee edit")
        ) { $0.name = "Read a book" }
        try await side.settle()
        let text = try #require(side.server.items()[side.place(read, "2026-11-20")]).text
        #expect(text.contains("SUMMARY:Read a book\r\n") && text.contains("X-APPLE-SORT-ORDER:12\r\n"))
        #expect(text.contains("PRIORITY:1\r\n"))
        #expect(side.todo(read, "2026-11-19")?.name == "Read a book")
    }

    @Test func `a task that is removed, or not due any more, leaves the phone`() async throws {
        let read = try await side.hub.make("Read")
        let run = try await side.hub.make("Run", "Fri")
        try await side.connect()
        try await side.settle()
        let before = side.server.items().count
        _ = try await side.hub.mintee.tasks.delete([read.id], operation: side.hub.operation("mintee rm"))
        let report = try await side.syncing()
        #expect(report.run.sent.removed == 45 && side.server.items().count == before - 45)
        _ = try await side.hub.database.history.undo(as: side.hub.operation("undo"))
        try await side.settle()
        #expect(side.server.items().count == before && side.todo(run, "2026-11-20") != nil)
    }

    @Test func `what is removed there is made again, and changes nothing here`() async throws {
        let read = try await side.hub.make("Read")
        try await side.hub.enter(read, "2026-11-19", .done)
        try await side.connect()
        try await side.settle()
        let place = side.place(read, "2026-11-19")
        side.server.edit { $0.take(place) }
        #expect(try await side.syncing().run.sent.new == 1)
        #expect(side.todo(read, "2026-11-19")?.progress.status == .completed)
        side.server.edit { content in for href in content.items.keys { content.take(href) } }
        let refilled = try await side.syncing()
        #expect(refilled.run.sent.new == 45 && refilled.run.received.total == 0)
        #expect(try await side.entry(read, "2026-11-19") == Entry(completion: 1))
        side.server.removeCalendar()
        let again = try await side.syncing()
        #expect(again.failure == nil && again.run.sent.new == 45)
        #expect(again.notices == ["the calendar Mintee was missing on the server and has been recreated"])
        try await side.settle()
    }

    @Test func `what others keep in the calendar is left alone, and looked at once`() async throws {
        let read = try await side.hub.make("Read")
        try await side.connect()
        try await side.settle()
        let foreign = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:shop\r\nSUMMARY:Milk\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
        let other = foreign.replacing("UID:shop", with: "UID:task/unknown/day/2026-11-20")
        side.server.edit { content in
            content.put("/cal/mintee/shop.ics", foreign)
            content.put("/cal/mintee/other.ics", other)
            content.put("/cal/mintee/odd.ics", "rubbish")
        }
        let report = try await side.syncing()
        #expect(report.problems.isEmpty && report.run.received.total + report.run.sent.total == 0)
        side.server.edit { $0.oldestToken = 1000 }
        side.tick(read, "2026-11-20")
        side.server.forgetCalls()
        _ = try await side.syncing()
        #expect(side.server.calls.prefix(4) == ["state", "changes", "list", "fetch 1"])
        #expect(side.server.items()["/cal/mintee/shop.ics"]?.text == foreign)
        #expect(side.server.items()["/cal/mintee/other.ics"]?.text == other)
        #expect(try await side.hub.mintee.listTasks(TaskFilter()).map(\.draft.name) == ["Read"])
    }

    @Test func `a second to-do of a day is left alone`() async throws {
        let read = try await side.hub.make("Read")
        try await side.connect()
        try await side.settle()
        let place = side.place(read, "2026-11-20")
        side.server.edit { content in
            guard let item = content.items[place] else { return }
            content.put("/cal/mintee/copy.ics", item.text)
        }
        try await side.settle()
        #expect(side.server.items()["/cal/mintee/copy.ics"] != nil)
        // When the first goes, the copy is the one.
        side.server.edit { $0.take(place) }
        side.server.edit { content in
            guard let item = content.items["/cal/mintee/copy.ics"] else { return }
            content.put("/cal/mintee/copy.ics", Phone.changed(item.text, Phone.tick, at: side.hub.clock.now))
        }
        try await side.settle()
        #expect(try await side.entry(read, "2026-11-20") == Entry(completion: 1))
        #expect(side.server.items()[place] == nil)
    }

    @Test func `days that leave the window go, what was done stays longer, a late tick counts`() async throws {
        let read = try await side.hub.make("Read")
        try await side.hub.enter(read, "2026-10-25", .done)
        try await side.connect()
        try await side.settle()
        side.hub.clock.advance(by: .seconds(86_400 * 10))
        side.tick(read, "2026-10-22")
        try await side.settle()
        #expect(try await side.entry(read, "2026-10-22") == Entry(completion: 1))
        #expect(side.todo(read, "2026-10-22")?.progress.status == .completed)
        #expect(side.todo(read, "2026-10-25")?.progress.status == .completed)
        #expect(side.todo(read, "2026-10-23") == nil && side.todo(read, "2026-10-31") != nil)
        #expect(side.server.items().count == 45 + 2)
        side.hub.clock.advance(by: .seconds(86_400 * 70))
        try await side.settle()
        #expect(side.todo(read, "2026-10-25") == nil)
        #expect(try await side.entry(read, "2026-10-25") == Entry(completion: 1), "only the phone forgets it")
    }

    @Test func `missed days do not pile up on the phone`() async throws {
        let side = try CalendarFixture(back: Config()[MinteeKeys.daysBack])
        let read = try await side.hub.make("Read")
        try await side.hub.enter(read, "2026-11-01", .done)
        try await side.connect()
        try await side.settle()
        // Of fifty days, yesterday, today, those to come, and what was done.
        #expect(side.server.items().count == 17)
        #expect(side.todo(read, "2026-11-18") == nil && side.todo(read, "2026-11-19") != nil)
        #expect(side.todo(read, "2026-11-01")?.progress.status == .completed)
    }

    @Test func `a to-do that is not taken is told, and all others are sent`() async throws {
        let read = try await side.hub.make("Read")
        let run = try await side.hub.make("Run")
        try await side.connect()
        side.server.behave { $0.refuses = { $0.contains("SUMMARY:Run") ? .tooLarge(reason: "status 507") : nil } }
        let report = try await side.syncing()
        #expect(report.run.sent.new == 45 && report.problems.count == 45 && report.run.problems == 45)
        #expect(
            report.problems[0].task == "Run"
                && report.problems[0].text == "too large, or no space on the server: status 507")
        #expect(report.failure == nil && side.todo(read, "2026-11-20") != nil && side.todo(run, "2026-11-20") == nil)
        side.server.behave { $0.refuses = { _ in nil } }
        try await side.settle()
        #expect(side.todo(run, "2026-11-20") != nil)
    }

    @Test func `a plan changes nothing on either side`() async throws {
        let read = try await side.hub.make("Read")
        try await side.connect()
        let first = try await side.syncing(isDryRun: true)
        #expect(first.run.words(isPlan: true) == "would send 45 new" && side.server.calendarNames.isEmpty)
        try await side.settle()
        side.tick(read, "2026-11-20")
        let plan = try await side.syncing(isDryRun: true)
        #expect(plan.run.received.changed == 1)
        #expect(try await side.entry(read, "2026-11-20") == nil)
        #expect(try await side.syncing().run.received.changed == 1)
    }

    @Test func `a server that drops what it does not know still takes part`() async throws {
        side.server.behave { $0.dropsUnknown = true }
        let read = try await side.hub.make("Read", "daily: x >= 20")
        try await side.hub.enter(read, "2026-11-20", .value(25))
        try await side.connect()
        try await side.settle()
        #expect(try await side.entry(read, "2026-11-20") == Entry(completion: 25))
        side.tick(read, "2026-11-19")
        try await side.settle()
        #expect(try await side.entry(read, "2026-11-19") == Entry(completion: 20))
        side.untick(read, "2026-11-20")
        try await side.settle()
        #expect(try await side.entry(read, "2026-11-20") == nil)
    }

    @Test func `a tick in the middle of a sync is not lost`() async throws {
        let read = try await side.hub.make("Read")
        try await side.connect()
        let (place, now) = (side.place(read, "2026-10-21"), side.hub.clock.now + .seconds(3600))
        side.server.behave {
            $0.interruption = { content in
                guard let item = content.items[place] else { return }
                content.put(place, Phone.changed(item.text, Phone.tick, at: now))
            }
        }
        try await side.settle()
        #expect(try await side.entry(read, "2026-10-21") == Entry(completion: 1))
    }

    @Test func `what the phone says of a to-do whose making was cut off counts`() async throws {
        let read = try await side.hub.make("Read", "Fri: x >= 20")
        try await side.hub.enter(read, "2026-11-20", .value(25))
        try await side.connect()
        try await side.settle()
        let place = side.place(read, "2026-11-20")
        side.server.edit { $0.take(place) }
        // The state, the changes, and the making, whose answer is lost.
        side.server.behave { $0.callsLeft = 3 }
        #expect(try await side.syncing().failure != nil && side.server.items()[place] != nil)
        side.server.behave { $0.callsLeft = nil }
        side.hub.clock.advance(by: .seconds(60))
        side.untick(read, "2026-11-20")
        try await side.settle()
        #expect(try await side.entry(read, "2026-11-20") == nil)
    }

    @Test func `a to-do that somebody else made meanwhile is compared, the later side counts`() async throws {
        let read = try await side.hub.make("Read", "Fri: x >= 20")
        try await side.connect()
        try await side.settle()
        let place = side.place(read, "2026-11-20")
        let ticked = Phone.changed(try #require(side.server.items()[place]).text, Phone.tick, at: side.hub.clock.now)
        side.hub.clock.advance(by: .seconds(60))
        try await side.hub.enter(read, "2026-11-20", .value(25))
        side.server.edit { $0.take(place) }
        // It comes back right after another to-do was written, before ours is.
        let other = side.place(read, "2026-11-13")
        side.server.edit { $0.take(other) }
        side.server.behave { $0.interruption = { $0.put(place, ticked) } }
        try await side.settle()
        #expect(try await side.entry(read, "2026-11-20") == Entry(completion: 25))
        #expect(side.todo(read, "2026-11-20")?.written == Entry(completion: 25))
    }

    @Test(arguments: 1...20)
    func `a sync that breaks off anywhere is gone on with`(calls: Int) async throws {
        let read = try await side.hub.make("Read", "Fri: x >= 20")
        try await side.connect()
        try await side.settle()
        side.tick(read, "2026-11-20")
        try await side.hub.enter(read, "2026-11-13", .value(21))
        try await side.hub.make("Run", "Fri")
        side.server.behave { $0.callsLeft = calls }
        let broken = try await side.syncing()
        #expect(broken.failure != nil || calls > 10)
        side.server.behave { $0.callsLeft = nil }
        try await side.settle()
        #expect(try await side.entry(read, "2026-11-20") == Entry(completion: 20))
        #expect(side.todo(read, "2026-11-13")?.written == Entry(completion: 21))
        #expect(Set(side.server.items().values.map(\.text)).count == 14)
    }
}
