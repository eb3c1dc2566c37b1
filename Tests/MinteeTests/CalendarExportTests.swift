import CivilDate
import HubRuntimeTesting
import ICalendar
import MinteeDomain
import Testing

@testable import Mintee

struct CalendarExportTests {
    private func export(_ fixture: MinteeFixture, _ kind: TaskCalendar.Kind = .todos) async throws -> String {
        var bytes: [UInt8] = []
        for try await chunk in fixture.mintee.export(as: .ics, kind: kind) { bytes += chunk }
        #expect(try ICalReader.read(bytes).flatMap(ICalWriter.write) == bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The lines of a calendar, without ids and times.
    private func lines(_ text: String, _ record: TaskRecord) -> [String] {
        text.replacing("\r\n ", with: "").replacing(record.id, with: "ID").split(separator: "\r\n").map(String.init)
            .filter { !["CREATED", "LAST-MODIFIED", "DTSTAMP"].contains($0.prefix { $0 != ":" }) }
    }

    @Test func `each set is a series without the days of stronger ones, each filled day a component`() async throws {
        let fixture = MinteeFixture()
        let water = try await fixture.make(
            "Water, cold", "Last Mon: 3 <= x < 5", "Mon: x >= 2", tags: ["health"], from: "2026-11-03", to: "2026-12-31"
        )
        try await fixture.enter(water, "2026-11-30", .value(3.5))
        try await fixture.enter(water, "2026-11-09", .skip("ill"))
        try await fixture.enter(water, "2026-11-16", .note("far"))
        let text = try await export(fixture)
        #expect(try await export(fixture) == text)
        #expect(
            lines(text, water) == [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//hub//Mintee//EN",
                "BEGIN:VTODO", "UID:task/ID/set/0", #"SUMMARY:Water\, cold"#, "CATEGORIES:health",
                "DTSTART;VALUE=DATE:20261130", "RRULE:FREQ=MONTHLY;UNTIL=20261231;BYDAY=-1MO",
                "X-MINTEE-TARGET:3 <= x < 5", "X-MINTEE-PRIORITY:0", "X-MINTEE-FROM:20261103", "X-MINTEE-TO:20261231",
                "END:VTODO",
                "BEGIN:VTODO", "UID:task/ID/set/0", "RECURRENCE-ID;VALUE=DATE:20261130", #"SUMMARY:Water\, cold"#,
                "DTSTART;VALUE=DATE:20261130", "STATUS:COMPLETED", "PERCENT-COMPLETE:100",
                "COMPLETED:20261120T120000Z", "X-MINTEE-COMPLETION:3.5", "X-MINTEE-TARGET:3 <= x < 5", "END:VTODO",
                "BEGIN:VTODO", "UID:task/ID/set/1", #"SUMMARY:Water\, cold"#, "CATEGORIES:health",
                "DTSTART;VALUE=DATE:20261109", "RRULE:FREQ=WEEKLY;UNTIL=20261231;BYDAY=MO",
                "EXDATE;VALUE=DATE:20261130,20261228", "X-MINTEE-TARGET:x >= 2", "X-MINTEE-PRIORITY:1",
                "X-MINTEE-FROM:20261103", "X-MINTEE-TO:20261231", "END:VTODO",
                "BEGIN:VTODO", "UID:task/ID/set/1", "RECURRENCE-ID;VALUE=DATE:20261109", #"SUMMARY:Water\, cold"#,
                "DTSTART;VALUE=DATE:20261109", "STATUS:CANCELLED", "X-MINTEE-COMPLETION:0", "X-MINTEE-TARGET:x >= 2",
                "X-MINTEE-SKIP:ill", "END:VTODO",
                "BEGIN:VTODO", "UID:task/ID/set/1", "RECURRENCE-ID;VALUE=DATE:20261116", #"SUMMARY:Water\, cold"#,
                "DTSTART;VALUE=DATE:20261116", "STATUS:NEEDS-ACTION", "DESCRIPTION:far", "X-MINTEE-COMPLETION:0",
                "X-MINTEE-TARGET:x >= 2", "END:VTODO",
                "END:VCALENDAR",
            ])
    }

    @Test(arguments: [
        ("Mon-Fri, 3 times a week", "weekdays, 3 times a week"), ("3/7", "3 times in 7 days"),
        ("150 a month", "150 a month"),
    ])
    func `a target over several days is beside the rule of its days`(
        words: String, printed: String
    ) async throws {
        let fixture = MinteeFixture()
        let gym = try await fixture.makePeriod("Gym", words)
        try await fixture.enter(gym, "2026-11-18", .done)
        let text = try await export(fixture)
        let found = lines(text, gym)
        let period = try #require(try DueDays(words).period)
        let rule = try #require(TaskCalendar.rules(of: gym.draft).first)
        #expect(found.contains("RRULE:\(rule)") && found.contains("X-MINTEE-PERIOD:\(period)"))
        let other = MinteeFixture()
        try await other.importing(("gym.ics", text))
        let task = try #require(try await other.mintee.listTasks().first)
        #expect(task.draft == gym.draft && DueDays(task.draft.schedule.sets, task.draft.period).description == printed)
        #expect(try await other.days("Gym") == ["11-18 1"])
    }

    @Test func `events last a day and take up no time; an open end has no UNTIL`() async throws {
        let fixture = MinteeFixture()
        let draft = TaskDraft(
            name: "Run",
            schedule: .recurring(
                from: fixture.today, to: fixture.today.adding(days: 365), [try TargetSet("31: x >= 1")]),
            hasOpenEnd: true, remindAt: 450, notes: "slow;ly")
        let run = try await fixture.mintee.createTask(draft, operation: fixture.operation())
        let text = try await export(fixture, .events)
        #expect(
            lines(text, run) == [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//hub//Mintee//EN",
                "BEGIN:VEVENT", "UID:task/ID/set/0", "SUMMARY:Run", #"DESCRIPTION:slow\;ly"#, "TRANSP:TRANSPARENT",
                "DTSTART;VALUE=DATE:20261231", "DTEND;VALUE=DATE:20270101", "RRULE:FREQ=MONTHLY;BYMONTHDAY=31",
                "X-MINTEE-TARGET:x >= 1", "X-MINTEE-PRIORITY:0", "X-MINTEE-FROM:20261120", "X-MINTEE-TO:20271120",
                "X-MINTEE-OPEN-END:TRUE", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Run", "TRIGGER:PT450M",
                "END:VALARM", "END:VEVENT", "END:VCALENDAR",
            ])
    }

    @Test func `chosen dates are a series of dates`() async throws {
        let fixture = MinteeFixture()
        let pay = try await fixture.make("Pay", dates: ["2026-12-20", "2026-11-20", "2027-01-20"])
        try await fixture.enter(pay, "2026-11-20", .done)
        #expect(
            lines(try await export(fixture), pay).dropFirst(3) == [
                "BEGIN:VTODO", "UID:task/ID", "SUMMARY:Pay", "DTSTART;VALUE=DATE:20261120",
                "RDATE;VALUE=DATE:20261220,20270120", "END:VTODO",
                "BEGIN:VTODO", "UID:task/ID", "RECURRENCE-ID;VALUE=DATE:20261120", "SUMMARY:Pay",
                "DTSTART;VALUE=DATE:20261120", "STATUS:COMPLETED", "PERCENT-COMPLETE:100",
                "COMPLETED:20261120T120000Z", "X-MINTEE-COMPLETION:1", "END:VTODO", "END:VCALENDAR",
            ])
    }

    @Test func `a set that never holds stays a set`() async throws {
        let fixture = MinteeFixture()
        let rare = try await fixture.make("Rare", "31: x >= 2", from: "2026-11-02", to: "2026-11-30")
        let text = lines(try await export(fixture), rare)
        #expect(text.contains("STATUS:CANCELLED"))
        #expect(text.contains("X-MINTEE-RRULE:FREQ=MONTHLY;UNTIL=20261130;BYMONTHDAY=31"))
        #expect(!text.contains { $0.hasPrefix("DTSTART") || $0.hasPrefix("RRULE") })
    }

    @Test func `an empty store is an empty calendar`() async throws {
        #expect(
            try await export(MinteeFixture())
                == "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//hub//Mintee//EN\r\nEND:VCALENDAR\r\n")
    }

    @Test func `events are for calendars, and show tells the rules`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run(#"mintee new Water --on "Last Mon: x >= 3" --on Mon --from 2026-11-01 --to 2026-12-31"#)
        let wrong = await hub.run("mintee export --events")
        #expect(wrong.exit == 64 && wrong.messages.contains("--as ics"))
        #expect(await hub.run("mintee export --as ics --events").output.contains("BEGIN:VEVENT"))
        let shown = await hub.run("mintee show water --json=rrule")
        #expect(
            shown.output.contains(
                #"{"rrule":["FREQ=MONTHLY;UNTIL=20261231;BYDAY=-1MO","FREQ=WEEKLY;UNTIL=20261231;BYDAY=MO"]}"#))
    }
}
