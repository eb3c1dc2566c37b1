import CivilDate
import ICalendar
import MinteeDomain
import TestSupport
import Testing

/// Patterns of every so many days, weeks, months and years.
struct IntervalTests {
    private static let start = CivilDate("2026-11-02")

    @Test(arguments: [
        ("every 3 days from 2026-11-20", "every 3 days from 2026-11-20", "11-02 11-05 11-08 11-11 11-14 11-17 11-20"),
        (
            "every 2 days on weekdays from 2026-11-20", "every 2 days on weekdays from 2026-11-20",
            "11-02 11-04 11-06 11-10 11-12 11-16 11-18 11-20"
        ),
        ("every 2 weeks", "every 2 weeks on Mon from 2026-11-02", "11-02 11-16"),
        ("every other week on Tue, Sun", "every 2 weeks on Tue,Sun from 2026-11-02", "11-03 11-08 11-17"),
        ("fortnightly on Mon-Wed from 2026-11-15", "every 2 weeks on Mon-Wed from 2026-11-15", "11-09 11-10 11-11"),
        ("Every two months on 1st Mon since 2026-09-01", "every 2 months on 1st Mon from 2026-09-01", "11-02"),
        ("every 2 months on Mon from 2026-09-01", "every 2 months on Mon from 2026-09-01", "11-02 11-09 11-16"),
        ("quarterly starting 2026-08-05", "every 3 months on 5 from 2026-08-05", "11-05"),
        ("every year on 10", "every year on 10 from 2026-11-02", "11-10"),
        ("every 2 years from 2024-11-03", "every 2 years on 3 from 2024-11-03", "11-03"),
        ("every 2 years from 2025-11-03", "every 2 years on 3 from 2025-11-03", ""),
    ])
    func `intervals as typed`(text: String, short: String, days: String) throws {
        let set = try #require(try TargetSet.sets(text, start: Self.start).first)
        #expect(set.description == short)
        #expect(try TargetSet(short) == set)
        let first = try #require(Self.start)
        let due = Schedule.recurring(from: first, to: try #require(CivilDate("2026-11-20")), [set]).days
        #expect(due.map { String($0.description.dropFirst(5)) }.joined(separator: " ") == days)
    }

    @Test func `a target and several sets have intervals too`() throws {
        let days = try DueDays(
            "every 2 weeks on Mon from 2026-11-02: x >= 3; every 2 weeks on Mon from 2026-11-09: x >= 5")
        #expect(days.sets.map(\.target) == [.atLeast(3), .atLeast(5)])
        #expect(try DueDays(days.description) == days)
        let month = try #require(CivilDate("2026-11-09"))
        #expect(Schedule.set(of: days.sets, on: CalendarDay(month)) == 1)
    }

    @Test func `29 February comes in leap years alone`() throws {
        let set = try TargetSet("every year from 2024-02-29")
        let (first, last) = (try #require(CivilDate("2024-01-01")), try #require(CivilDate("2033-12-31")))
        let days = Schedule.recurring(from: first, to: last, [set]).days
        #expect(days.map(\.components.year) == [2024, 2028, 2032])
    }

    @Test(arguments: [
        ("every 3 days from 2026-11-20", "FREQ=DAILY;INTERVAL=3"),
        ("every 2 weeks on Mon from 2026-11-02", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"),
        ("every year on 24 from 2026-12-01", "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=24"),
    ])
    func `intervals as rules`(text: String, rule: String) throws {
        let pattern = try TargetSet(text).pattern
        #expect(pattern.rule.description == rule)
        let (start, end) = (try #require(Self.start), try #require(CivilDate("2028-01-01")))
        let first = try #require(pattern.firstMatch(from: start, through: end))
        let back = try DayPattern.patterns(of: try RecurrenceRule(rule), start: first)
        let days = (0..<800).map { first.adding(days: $0) }
        #expect(back.count == 1 && days.allSatisfy { back[0].matches($0) == pattern.matches($0) })
    }

    @Test(arguments: [
        ("FREQ=YEARLY", "every year on 2 from 2026-11-01"),
        ("FREQ=YEARLY;INTERVAL=2;BYMONTH=3;BYMONTHDAY=5", "every 2 years on 5 from 2026-03-01"),
        ("FREQ=YEARLY;BYMONTH=5;BYDAY=2SU", "every year on 2nd Sun from 2026-05-01"),
        ("FREQ=MONTHLY;INTERVAL=2", "every 2 months on 2 from 2026-11-02"),
        ("FREQ=WEEKLY;INTERVAL=2;WKST=SU", nil), ("FREQ=YEARLY;BYMONTH=1,2", nil), ("FREQ=DAILY;INTERVAL=400", nil),
    ])
    func `rules of others as intervals`(rule: String, text: String?) throws {
        let patterns = try? DayPattern.patterns(of: try RecurrenceRule(rule), start: try #require(Self.start))
        #expect(patterns?.map(\.description) == text.map { [$0] })
    }
}
