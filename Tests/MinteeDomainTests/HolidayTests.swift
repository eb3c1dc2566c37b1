import CivilDate
import ICalendar
import MinteeDomain
import TestSupport
import Testing
import Time

/// Patterns with an exception, and the calendars that they leave out.
struct HolidayTests {
    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

    @Test(arguments: [
        ("weekdays except holidays", "weekdays except holidays"),
        ("Mon-Fri but not on public holidays", "weekdays except holidays"),
        ("every day except for bank holidays: x >= 5", "daily except holidays: x >= 5"),
        ("daily except Sun and berlin", "Mon-Sat except berlin"),
        ("daily except Sat, Sun, holidays", "weekdays except holidays"),
        ("1,15 without school holidays", "1,15 except school holidays"),
        ("every 2 weeks on Mon from 2026-11-02 except de-by", "every 2 weeks on Mon from 2026-11-02 except de-by"),
        ("Last Fri except Holidays x >= 8", "Last Fri except Holidays: x >= 8"),
    ])
    func `exceptions as typed`(text: String, short: String) throws {
        let set = try TargetSet(text)
        #expect(set.description == short)
        #expect(try TargetSet(short) == set)
    }

    @Test func `a target over a week goes with an exception`() throws {
        let days = try DueDays("weekdays except holidays, 3 times a week")
        #expect(days.period?.description == "3 times a week")
        #expect(days.sets.map(\.description) == ["weekdays except holidays"])
        #expect(try DueDays(days.description) == days)
    }

    @Test(arguments: ["Mon", "may", "last", "1st", "", " a", "a  b", "x:y", "daily", "more", "a;b", "other", "7up"])
    func `names that patterns could not have`(name: String) { #expect(!HolidayCalendar.isTypable(name)) }

    @Test(arguments: ["holidays", "berlin", "de-by", "school holidays", "Feiertage", "DE 2026x"])
    func `names of calendars`(name: String) { #expect(HolidayCalendar.isTypable(name)) }

    @Test func `a holiday is not due, and a weaker set may be due then`() throws {
        let exception = HolidayException("holidays", days: try ["2026-12-25", "2026-12-28"].map(day))
        let sets = [
            TargetSet(try DayPattern("weekdays").except(exception), .atLeast(5)), TargetSet(try DayPattern("Mon")),
        ]
        let schedule = Schedule.recurring(from: try day("2026-12-23"), to: try day("2026-12-29"), sets)
        #expect(schedule.days.map(\.description) == ["2026-12-23", "2026-12-24", "2026-12-28", "2026-12-29"])
        #expect(schedule.target(on: try day("2026-12-28")) == .done)
    }

    private static let calendar = """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        UID:xmas
        SUMMARY:Christmas
        DTSTART;VALUE=DATE:20241225
        DTEND;VALUE=DATE:20241227
        RRULE:FREQ=YEARLY
        EXDATE;VALUE=DATE:20271225
        END:VEVENT
        BEGIN:VEVENT
        UID:xmas
        RECURRENCE-ID;VALUE=DATE:20281225
        SUMMARY:Late Christmas
        DTSTART;VALUE=DATE:20281230
        END:VEVENT
        BEGIN:VEVENT
        UID:gone
        SUMMARY:Gone
        STATUS:CANCELLED
        DTSTART;VALUE=DATE:20260301
        END:VEVENT
        BEGIN:VEVENT
        UID:noon
        SUMMARY:Noon
        DTSTART:20260302T120000Z
        END:VEVENT
        BEGIN:VEVENT
        UID:week
        SUMMARY:Week
        DTSTART;VALUE=DATE:20260303
        DURATION:P1W
        END:VEVENT
        BEGIN:VEVENT
        UID:thanks
        SUMMARY:Thanksgiving
        DTSTART;VALUE=DATE:20251127
        RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=2
        END:VEVENT
        BEGIN:VEVENT
        SUMMARY:Boxing Day
        DTSTART;VALUE=DATE:20261226
        END:VEVENT
        END:VCALENDAR

        """

    @Test func `all-day events with their series are holidays`() throws {
        let found = try HolidayReader.read(Array(Self.calendar.utf8), today: try day("2026-11-20"))
        #expect(found.map(\.day) == found.map(\.day).sorted())
        let text = found.filter { $0.day < CivilDate("2029-12-01") ?? $0.day }.map { "\($0.day) \($0.name)" }
        #expect(
            text == [
                "2024-12-25 Christmas", "2024-12-26 Christmas", "2025-11-27 Thanksgiving", "2025-12-25 Christmas",
                "2025-12-26 Christmas", "2026-03-03 Week", "2026-03-04 Week", "2026-03-05 Week", "2026-03-06 Week",
                "2026-03-07 Week", "2026-03-08 Week", "2026-03-09 Week", "2026-11-26 Thanksgiving",
                "2026-12-25 Christmas", "2026-12-26 Christmas, Boxing Day", "2028-12-30 Late Christmas",
            ])
        #expect(found.last?.day.description == "2036-12-26")
    }

    @Test(arguments: ["", "hello", "BEGIN:VCALENDAR\nEND:VCALENDAR\n", "BEGIN:VCALENDAR\nBEGIN:VEVENT\n"])
    func `what is not a calendar of holidays is refused`(text: String) throws {
        let today = try day("2026-11-20")
        #expect(throws: HolidayReader.Problem.self) { try HolidayReader.read(Array(text.utf8), today: today) }
    }

    @Test func `past holidays stay, and a moved one is told`() throws {
        func list(_ text: String...) throws -> [Holiday] {
            try text.map { Holiday(try day(String($0.prefix(10))), String($0.dropFirst(11))) }
        }
        let changes = HolidayChanges(
            from: try list("2025-12-25 Xmas", "2026-12-25 Xmas", "2027-05-17 Whit", "2027-06-01 Once"),
            to: try list("2026-11-01 Saints", "2026-12-26 Xmas", "2027-05-17 Whit Monday", "2027-12-25 Xmas"),
            today: try day("2026-11-20"))
        #expect(
            changes.holidays
                == (try list(
                    "2025-12-25 Xmas", "2026-11-01 Saints", "2026-12-26 Xmas", "2027-05-17 Whit Monday",
                    "2027-12-25 Xmas")))
        #expect(changes.added == (try list("2026-11-01 Saints", "2027-12-25 Xmas")))
        #expect(changes.removed == (try list("2027-06-01 Once")))
        #expect(changes.moved.map { "\($0.from) \($0.holiday.day)" } == ["2026-12-25 2026-12-26"])
    }

    @Test func `holidays are exceptions of the exported series`() throws {
        let exception = HolidayException("holidays", days: try ["2026-12-25", "2026-12-26", "2027-01-01"].map(day))
        let set = TargetSet(try DayPattern("weekdays").except(exception))
        let schedule = Schedule.recurring(from: try day("2026-12-24"), to: try day("2027-01-04"), [set])
        let record = TaskRecord(
            id: "2gd", draft: TaskDraft(name: "Run", schedule: schedule), revision: 1,
            createdAt: Instant(milliseconds: 0), changedAt: Instant(milliseconds: 0))
        let text = TaskCalendar.head + TaskCalendar(record, [], as: .todos).text + TaskCalendar.tail
        let series = try #require(try ICalReader.read(text).first?.components.first)
        let rule = try RecurrenceRule(try #require(series["RRULE"]).value)
        let out = series.all("EXDATE").flatMap { $0.times ?? [] }.map(\.date)
        let days = try rule.days(from: try day("2026-12-24"), through: try day("2027-01-04"), limit: 100)
        #expect(days.filter { !out.contains($0) } == schedule.days)
        #expect(out.map(\.description) == ["2026-12-25", "2027-01-01"])
        #expect(series["X-MINTEE-EXCEPT"]?.text == "holidays")
    }
}
