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

/// Tasks with targets over several days in the reminders of a phone. It is noon of Friday, 20 November 2026.
@Suite(.timeLimit(.minutes(20)))
struct PeriodSyncTests {
    private let side: CalendarFixture

    init() throws { side = try CalendarFixture() }

    private func days(_ record: TaskRecord) async throws -> [String] {
        try await side.hub.store.read { try $0.entries(of: record.id) }.filter { $0.entry.completion > 0 }.map(
            \.day.description)
    }

    private func nextDay() { side.hub.clock.advance(by: .seconds(86_400)) }

    @Test func `each week is one to-do with its count, due on its last day`() async throws {
        let gym = try await side.period("Gym", "3 times a week", remindAt: 1110)
        try await side.hub.enter(gym, "2026-11-17", .done)
        try await side.hub.enter(gym, "2026-11-18", .done)
        try await side.connect()
        try await side.settle()
        // This week, the two that begin in the next 14 days, and the days that are done.
        #expect(side.server.items().count == 5)
        let week = side.periodLines(gym, "2026-11-16")
        #expect(week["SUMMARY"] == "Gym (2 of 3)" && week["STATUS"] == "IN-PROCESS" && week["PERCENT-COMPLETE"] == "67")
        #expect(week["DTSTART;VALUE=DATE"] == "20261120" && week["DUE;VALUE=DATE"] == "20261122")
        #expect(week["X-MINTEE-PERIOD"] == "3 times a week" && week["X-MINTEE-COMPLETION"] == "2")
        // The alarm rings on the next day on which it can be done, as that of a day does.
        #expect(week["TRIGGER"] == "PT1110M")
        let next = side.periodLines(gym, "2026-11-23")
        #expect(next["SUMMARY"] == "Gym (0 of 3)" && next["STATUS"] == "NEEDS-ACTION")
        #expect(next["DTSTART;VALUE=DATE"] == "20261123" && next["DUE;VALUE=DATE"] == "20261129")
        #expect(side.todo(gym, "2026-11-17")?.progress.status == .completed)
        #expect(try await side.syncing().run.words() == "up to date")
    }

    @Test(arguments: [false, true])
    func `completing it enters today, again and again until the week is reached`(dropsUnknown: Bool) async throws {
        side.server.behave { $0.dropsUnknown = dropsUnknown }
        let gym = try await side.period("Gym", "3 times a week", remindAt: 1110)
        try await side.connect()
        try await side.settle()
        #expect(side.periodLines(gym, "2026-11-16")["DUE;VALUE=DATE"] == "20261120", "three days are left for three")
        side.tickPeriod(gym, "2026-11-16", note: "cold")
        let report = try await side.syncing()
        #expect(report.run.received.changed == 1)
        #expect(try await side.entry(gym, "2026-11-20") == Entry(completion: 1, note: "cold"))
        var week = side.periodLines(gym, "2026-11-16")
        #expect(week["SUMMARY"] == "Gym (1 of 3)" && week["STATUS"] == "IN-PROCESS" && week["COMPLETED"] == nil)
        #expect(week["DTSTART;VALUE=DATE"] == "20261121", "it is done for today")
        #expect(side.todo(gym, "2026-11-20")?.progress.status == .completed, "the same sync sends the day")
        #expect(try await side.syncing().run.words() == "up to date")
        // The same day once more changes nothing.
        side.tickPeriod(gym, "2026-11-16")
        try await side.settle()
        #expect(try await days(gym) == ["2026-11-20"])
        #expect(side.periodLines(gym, "2026-11-16")["STATUS"] == "IN-PROCESS")
        for day in ["2026-11-21", "2026-11-22"] {
            nextDay()
            try await side.settle()
            #expect(side.periodLines(gym, "2026-11-16")["DUE;VALUE=DATE"] == day.filter { $0 != "-" })
            side.tickPeriod(gym, "2026-11-16")
            try await side.settle()
        }
        #expect(try await days(gym) == ["2026-11-20", "2026-11-21", "2026-11-22"])
        #expect(try await side.entry(gym, "2026-11-21")?.note == nil, "the description was that of another day")
        week = side.periodLines(gym, "2026-11-16")
        #expect(week["SUMMARY"] == "Gym (3 of 3)" && week["STATUS"] == "COMPLETED" && week["PERCENT-COMPLETE"] == "100")
        // No longer completed: the last day is cleared.
        side.phonePeriod(gym, "2026-11-16", Phone.untick)
        try await side.settle()
        #expect(try await days(gym) == ["2026-11-20", "2026-11-21"])
        nextDay()
        try await side.settle()
        #expect(side.periodLines(gym, "2026-11-16").isEmpty, "the week is over")
        #expect(side.periodLines(gym, "2026-11-23")["SUMMARY"] == "Gym (0 of 3)")
    }

    @Test func `a week that cannot be reached any more or is over leaves the phone, and reaching it here completes it`()
        async throws
    {
        let gym = try await side.period("Gym", "3 times a week")
        let swim = try await side.period("Swim", "once a week")
        try await side.connect()
        try await side.settle()
        try await side.hub.enter(swim, "2026-11-19", .done)
        try await side.hub.enter(gym, "2026-11-20", .skip("ill"))
        try await side.settle()
        #expect(side.periodLines(swim, "2026-11-16")["STATUS"] == "COMPLETED")
        // A skipped day is no possible day, so that the week wants less.
        nextDay()
        nextDay()
        try await side.settle()
        #expect(side.periodLines(gym, "2026-11-16").isEmpty, "two days cannot be made on one")
        #expect(side.periodLines(swim, "2026-11-16")["STATUS"] == "COMPLETED")
        nextDay()
        try await side.settle()
        #expect(side.periodLines(swim, "2026-11-16").isEmpty)
    }

    @Test func `a completion that arrives after the week belongs to its own day`() async throws {
        let gym = try await side.period("Gym", "twice a week")
        try await side.hub.enter(gym, "2026-11-18", .done)
        try await side.connect()
        try await side.settle()
        for _ in 0..<3 { nextDay() }
        side.phonePeriod(gym, "2026-11-16", ["STATUS": "COMPLETED", "COMPLETED": "20261122T210000Z"])
        let report = try await side.syncing()
        #expect(report.run.received.changed == 1 && report.failure == nil)
        #expect(try await days(gym) == ["2026-11-18", "2026-11-22"])
        try await side.settle()
        #expect(side.periodLines(gym, "2026-11-16").isEmpty)
        // An app that was offline puts the to-do there again: of a week that was reached without it, and of one that was not.
        let swim = try await side.period("Swim", "4 times a week")
        for task in [gym, swim] {
            let text =
                "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:task/\(task.id)/period/2026-11-16\r\n"
                + "SUMMARY:Gym\r\nSTATUS:COMPLETED\r\nCOMPLETED:20261121T080000Z\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
            side.server.edit { $0.put(side.periodPlace(task, "2026-11-16"), text) }
        }
        try await side.settle()
        #expect(try await days(gym) == ["2026-11-18", "2026-11-22"])
        #expect(try await days(swim) == ["2026-11-21"])
        #expect(side.periodLines(swim, "2026-11-16").isEmpty)
    }

    @Test(arguments: [
        ("COMPLETED", "20261121T013000Z", "2026-11-20"), ("COMPLETED", "20261121T033000Z", "2026-11-21"),
        ("COMPLETED;VALUE=DATE", "20261120", "2026-11-20"), ("COMPLETED", "20261121T013000", "2026-11-21"),
    ])
    func `the day is that of the person, by the start of their day`(
        property: String, time: String, day: String
    ) async throws {
        var config = Config()
        config[MinteeKeys.dayStarts] = TimeOfDay(minutes: 180)
        let side = try CalendarFixture(hub: MinteeFixture(config: config))
        let gym = try await side.period("Gym", "twice a week")
        try await side.connect()
        try await side.settle()
        nextDay(side)
        side.phonePeriod(gym, "2026-11-16", ["STATUS": "COMPLETED", property: time])
        try await side.settle()
        #expect(
            try await side.hub.store.read { try $0.entries(of: gym.id) }.map(\.day.description) == [day])
    }

    private func nextDay(_ side: CalendarFixture) { side.hub.clock.advance(by: .seconds(86_400)) }

    @Test func `when both sides changed a day the later one counts, and notes are kept together`() async throws {
        let gym = try await side.period("Gym", "twice a week")
        let run = try await side.period("Run", "daily: x >= 5, twice a week")
        try await side.connect()
        try await side.settle()
        // Completed there, then skipped here.
        side.tickPeriod(gym, "2026-11-16")
        side.hub.clock.advance(by: .seconds(10))
        try await side.hub.enter(gym, "2026-11-20", .skip("ill"))
        // A part here, then completed there.
        try await side.hub.enter(run, "2026-11-20", .value(2))
        try await side.hub.enter(run, "2026-11-20", .note("rain"))
        side.hub.clock.advance(by: .seconds(10))
        side.tickPeriod(run, "2026-11-16", note: "wind")
        let report = try await side.syncing()
        #expect(
            report.notices == [
                "Gym, 2026-11-20: changed on both sides, completion from the calendar was replaced by skip here"
            ])
        #expect(try await side.entry(gym, "2026-11-20") == Entry(skipReason: "ill"))
        #expect(try await side.entry(run, "2026-11-20") == Entry(completion: 5, note: "rain\nwind"))
        try await side.settle()
        #expect(side.periodLines(gym, "2026-11-16")["STATUS"] == "NEEDS-ACTION")
        // A description alone is the note of its day; a new name is reverted, and other properties stay.
        side.phonePeriod(
            gym, "2026-11-16",
            ["DESCRIPTION": "tomorrow", "SUMMARY": "Other", "PRIORITY": "1", "X-APPLE-SORT-ORDER": "7"])
        try await side.settle()
        #expect(try await side.entry(gym, "2026-11-20") == Entry(skipReason: "ill", note: "tomorrow"))
        let week = side.periodLines(gym, "2026-11-16")
        #expect(week["SUMMARY"] == "Gym (0 of 2)" && week["PRIORITY"] == "1" && week["X-APPLE-SORT-ORDER"] == "7")
        // Cancelled: the days that are left are skipped.
        side.phonePeriod(run, "2026-11-16", ["STATUS": "CANCELLED"])
        try await side.settle()
        #expect(try await side.entry(run, "2026-11-22") == Entry(skipReason: ""))
        #expect(try await side.entry(run, "2026-11-23") == nil)
        #expect(side.periodLines(run, "2026-11-16").isEmpty, "one of the two that were possible, and none is left")
    }

    @Test func `a day on which nothing is due is not entered, and the sync says so`() async throws {
        let jog = try await side.period("Jog", "Mon-Fri, twice a week")
        try await side.connect()
        try await side.settle()
        #expect(side.periodLines(jog, "2026-11-23")["DUE;VALUE=DATE"] == "20261127")
        nextDay()
        side.tickPeriod(jog, "2026-11-23")
        let report = try await side.syncing()
        #expect(report.notices == ["Jog is not due on 2026-11-21; its completion in the calendar was not entered"])
        #expect(try await days(jog).isEmpty)
        #expect(side.periodLines(jog, "2026-11-23")["STATUS"] == "NEEDS-ACTION")
    }

    @Test func `a sum shows its share, and completing it adds what is lacking`() async throws {
        let words = try await side.period("Words", "1000 a week")
        let wine = try await side.period("Wine", "at most 6 a week")
        try await side.hub.enter(words, "2026-11-18", .value(400))
        try await side.connect()
        try await side.settle()
        #expect(!side.server.items().keys.contains { $0.contains("\(wine.id)-period") }, "a limit is nothing to do")
        let week = side.periodLines(words, "2026-11-16")
        #expect(week["SUMMARY"] == "Words (400 of 1000)" && week["PERCENT-COMPLETE"] == "40")
        side.tickPeriod(words, "2026-11-16")
        try await side.settle()
        #expect(try await side.entry(words, "2026-11-20") == Entry(completion: 600))
        #expect(side.periodLines(words, "2026-11-16")["STATUS"] == "COMPLETED")
    }

    private func share(_ percent: Int) -> [String: String?] {
        ["STATUS": "IN-PROCESS", "PERCENT-COMPLETE": "\(percent)", "COMPLETED": nil]
    }

    @Test(arguments: [false, true])
    func `a percentage of a week is that many days, of which one can be today`(dropsUnknown: Bool) async throws {
        side.server.behave { $0.dropsUnknown = dropsUnknown }
        let gym = try await side.period("Gym", "3 times a week")
        try await side.hub.enter(gym, "2026-11-17", .done)
        try await side.connect()
        try await side.settle()
        let week = "2026-11-16"
        side.phonePeriod(gym, week, share(50))
        #expect(try await side.syncing().run.received.changed == 1)
        #expect(try await days(gym) == ["2026-11-17", "2026-11-20"])
        #expect(side.periodLines(gym, week)["PERCENT-COMPLETE"] == "67")
        // Less again: today is taken back, with its note.
        side.phonePeriod(gym, week, share(33).merging(["DESCRIPTION": "too early"]) { $1 })
        try await side.settle()
        #expect(try await days(gym) == ["2026-11-17"])
        #expect(try await side.entry(gym, "2026-11-20") == Entry(note: "too early"))
        // Less than what is done on other days, and more than one day can do.
        side.phonePeriod(gym, week, share(10))
        let less = try await side.syncing()
        #expect(
            less.notices == [
                "Gym: 10 % in the calendar was not entered, only 2026-11-20 could be changed, which is open"
            ])
        side.phonePeriod(gym, week, share(99))
        let more = try await side.syncing()
        #expect(more.notices == ["Gym: 99 % in the calendar is 3, and only 2026-11-20 was changed"])
        #expect(try await days(gym) == ["2026-11-17", "2026-11-20"])
        try await side.settle()
        #expect(side.periodLines(gym, week)["PERCENT-COMPLETE"] == "67")
        // A program that does not know percentages leaves them out, and one that rounds them is near.
        side.phonePeriod(gym, week, ["STATUS": "NEEDS-ACTION", "PERCENT-COMPLETE": nil])
        try await side.settle()
        side.phonePeriod(gym, week, share(70))
        try await side.settle()
        #expect(try await days(gym) == ["2026-11-17", "2026-11-20"])
        // The days of another week cannot be done today.
        side.phonePeriod(gym, "2026-11-23", share(50))
        let other = try await side.syncing()
        #expect(
            other.notices == [
                "Gym: 50 % in the calendar was not entered, it is not due on 2026-11-20 in 2026-11-23..2026-11-29"
            ])
        try await side.settle()
        #expect(side.periodLines(gym, "2026-11-23")["STATUS"] == "NEEDS-ACTION")
    }

    @Test func `a percentage of a sum changes today by the difference`() async throws {
        let words = try await side.period("Words", "1000 a week")
        let run = try await side.period("Run", "daily: x <= 8, 20 a week")
        try await side.hub.enter(words, "2026-11-18", .value(400))
        try await side.connect()
        try await side.settle()
        let week = "2026-11-16"
        side.phonePeriod(words, week, share(75))
        side.phonePeriod(run, week, share(50))
        let report = try await side.syncing()
        #expect(report.notices == ["Run: 50 % in the calendar is 10, and only 2026-11-20 was changed"])
        #expect(try await side.entry(words, "2026-11-20") == Entry(completion: 350))
        #expect(try await side.entry(run, "2026-11-20") == Entry(completion: 8))
        #expect(side.periodLines(words, week)["PERCENT-COMPLETE"] == "75")
        side.phonePeriod(words, week, share(60))
        try await side.settle()
        #expect(try await side.entry(words, "2026-11-20") == Entry(completion: 200))
        // What was changed here later stays.
        side.phonePeriod(words, week, share(90))
        side.hub.clock.advance(by: .seconds(10))
        try await side.hub.enter(words, "2026-11-20", .value(10))
        let late = try await side.syncing()
        #expect(late.notices == ["Words: 90 % in the calendar was not entered, 2026-11-20 was changed here later"])
        try await side.settle()
        #expect(side.periodLines(words, week)["PERCENT-COMPLETE"] == "41")
    }

    @Test func `the last days are one to-do that is due when the target would be lost`() async throws {
        let gym = try await side.period("Gym", "3 times in 7 days", from: "2026-11-14")
        for day in ["16", "18"] { try await side.hub.enter(gym, "2026-11-\(day)", .done) }
        try await side.connect()
        try await side.settle()
        let first = "2026-11-14"
        func lines(_ names: String...) -> [String?] { names.map { side.periodLines(gym, first)[$0] } }
        let dates = "DTSTART;VALUE=DATE"
        // The first seven days end today, with two done.
        #expect(
            lines("SUMMARY", "STATUS", dates, "DUE;VALUE=DATE") == [
                "Gym (2 of 3 in 7 days)", "IN-PROCESS", "20261120", "20261120",
            ])
        side.tickPeriod(gym, first)
        try await side.settle()
        // Kept until the 16th is more than seven days ago.
        #expect(
            lines("SUMMARY", "STATUS", dates, "DUE;VALUE=DATE") == [
                "Gym (3 of 3 in 7 days)", "NEEDS-ACTION", "20261121", "20261123",
            ])
        for _ in 0..<3 { nextDay() }
        try await side.settle()
        #expect(lines(dates, "DUE;VALUE=DATE") == ["20261123", "20261123"])
        side.tickPeriod(gym, first)
        try await side.settle()
        #expect(lines("SUMMARY", "DUE;VALUE=DATE") == ["Gym (3 of 3 in 7 days)", "20261125"])
        #expect(try await days(gym) == ["2026-11-16", "2026-11-18", "2026-11-20", "2026-11-23"])
        // Nothing for a whole period: as soon as possible.
        for _ in 0..<8 { nextDay() }
        try await side.settle()
        #expect(lines("SUMMARY", "DUE;VALUE=DATE") == ["Gym (0 of 3 in 7 days)", "20261201"])
        #expect(side.server.items().keys.filter { $0.contains("period") }.count == 1)
    }

    @Test func `a lost response is no change, and another hub at the calendar counts a day once`() async throws {
        let gym = try await side.period("Gym", "3 times a week")
        try await side.connect()
        try await side.settle()
        side.tickPeriod(gym, "2026-11-16")
        for calls in 1...12 {
            side.server.behave { $0.callsLeft = calls }
            _ = try await side.syncing()
            side.server.behave { $0.callsLeft = nil }
        }
        try await side.settle()
        #expect(try await days(gym) == ["2026-11-20"])
        nextDay()
        side.tickPeriod(gym, "2026-11-16")
        try await side.settle()
        #expect(try await days(gym) == ["2026-11-20", "2026-11-21"])
        // The links are lost, as after a restored backup.
        try await side.hub.store.write(side.hub.operation()) { try $0.forgetCalendar(of: "home") }
        nextDay()
        side.tickPeriod(gym, "2026-11-16")
        try await side.settle()
        #expect(try await days(gym) == ["2026-11-20", "2026-11-21", "2026-11-22"])
        #expect(side.server.items().values.filter { $0.text.contains("/period/2026-11-16") }.count == 1)
    }

    @Test(.seeded, arguments: [false, true])
    func `whatever happens, the phone shows the weeks as they are here`(dropsUnknown: Bool) async throws {
        var random = SeededGenerator(seed: 20_261_127)
        let side = try CalendarFixture(back: 5, ahead: 7)
        side.server.behave { $0.dropsUnknown = dropsUnknown }
        let tasks = [
            try await side.period("Gym", "3 times a week"),
            try await side.period("Jog", "Mon-Fri: x >= 5, 2 times a week"),
            try await side.period("Swim", "every 3 days"), try await side.period("Words", "100 a week"),
        ]
        try await side.connect()
        var ticked: [(record: TaskRecord, day: CivilDate)] = []
        for _ in 0..<60 {
            guard let task = tasks.randomElement(using: &random) else { return }
            side.hub.clock.advance(by: .seconds(Int64.random(in: 1...5, using: &random)))
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                _ = try? await side.hub.enter(
                    task, side.hub.today.description, .value(Double(Int.random(in: 1...9, using: &random))))
            case 1: side.hub.clock.advance(by: .seconds(86_400))
            case 2, 3:
                let places = side.server.items().filter {
                    $0.key.contains("\(task.id)-period") && !$0.value.text.contains("STATUS:COMPLETED")
                }
                guard let place = places.keys.sorted().first else { continue }
                side.tickPeriod(task, String(place.dropLast(4).suffix(10)))
                if task.draft.isDue(on: side.hub.today) { ticked.append((task, side.hub.today)) }
            case 4: _ = try? await side.hub.enter(task, side.hub.today.description, .note("n"))
            default:
                let calls = Bool.random(using: &random) ? Int.random(in: 1...15, using: &random) : nil
                side.server.behave { $0.callsLeft = calls }
                _ = try await side.syncing()
                side.server.behave { $0.callsLeft = nil }
            }
        }
        for _ in 0..<4 { _ = try await side.syncing() }
        try await side.settle()
        for (record, day) in ticked {
            let entry = try await side.entry(record, day.description)
            #expect((entry?.completion ?? 0) > 0, "\(record.draft.name) \(day)")
        }
        let (window, server) = (side.manager.window, side.server)
        let (shown, orphans) = try await side.hub.store.read { try $0.syncDays(window, account: "home") }
        #expect(orphans.isEmpty && shown.count == server.items().count)
        for case .period(let period) in shown {
            let text = try #require(
                server.items()[side.periodPlace(TaskRecord(period.key), period.key.date.description)]
            ).text
            let todo = try #require(try IncomingTodo.read(Array(text.utf8)))
            let ours = try #require(period.todo)
            #expect(
                todo.progress == ours.state && todo.due == ours.days.upperBound && todo.date == ours.days.lowerBound)
            #expect(text.contains("(\(period.progress.count)"))
        }
        #expect(try await side.hub.mintee.ruleViolations().isEmpty)
    }
}

extension TaskRecord {
    fileprivate init(_ key: TaskDay) {
        self.init(
            id: key.taskID, draft: TaskDraft(name: "", schedule: .dates([])), revision: 1,
            createdAt: Instant(milliseconds: 0), changedAt: Instant(milliseconds: 0))
    }
}
