import CivilDate
import Glibc
import Testing
import Time

@Suite struct DateExpressionTests {
    /// A Friday.
    private let today = CivilDate(year: 2026, month: 11, day: 20) ?? CivilDate(daysSinceEpoch: 0)
    private let zone = TimeZoneRules.fixed(secondsFromUTC: 3600)

    @Test(arguments: [
        ("today", "2026-11-20", "2026-11-20"), ("yesterday", "2026-11-19", "2026-11-19"),
        ("Tomorrow", "2026-11-21", "2026-11-21"), ("fri", "2026-11-20", "2026-11-20"),
        ("mon", "2026-11-23", "2026-11-16"), ("sunday", "2026-11-22", "2026-11-15"),
        ("2024-02-29", "2024-02-29", "2024-02-29"), ("14:30", "2026-11-20", "2026-11-20"),
        ("2026-11-20T14:30", "2026-11-20", "2026-11-20"), ("3d", "2026-11-23", "2026-11-17"),
        ("2w", "2026-12-04", "2026-11-06"), ("3mo", "2027-02-20", "2026-08-20"), ("1y", "2027-11-20", "2025-11-20"),
        ("5h", "2026-11-20", "2026-11-20"), ("48h", "2026-11-22", "2026-11-18"),
        ("last friday", "2026-11-13", "2026-11-13"), ("Last Thu", "2026-11-19", "2026-11-19"),
        ("last sat", "2026-11-14", "2026-11-14"), ("-1d", "2026-11-19", "2026-11-19"),
        ("+1d", "2026-11-21", "2026-11-21"), ("2 days ago", "2026-11-18", "2026-11-18"),
        ("a week ago", "2026-11-13", "2026-11-13"), ("in 2 weeks", "2026-12-04", "2026-12-04"),
        ("nov 24", "2026-11-24", "2025-11-24"), ("24th November", "2026-11-24", "2025-11-24"),
        ("20 nov", "2026-11-20", "2026-11-20"), ("Nov. 24, 2026", "2026-11-24", "2026-11-24"),
        ("24.11.", "2026-11-24", "2025-11-24"), ("1.2.2027", "2027-02-01", "2027-02-01"),
        ("29 feb", "2028-02-29", "2024-02-29"), ("1 sept", "2027-09-01", "2026-09-01"),
    ])
    func `words name a day`(text: String, forward: String, back: String) throws {
        let expression = try #require(DateExpression(text))
        #expect(expression.day(today: today, .forward).description == forward)
        #expect(expression.day(today: today, .back).description == back)
    }

    @Test(arguments: [
        ("today", "2026-11-19T23:00:00Z"), ("mon", "2026-11-15T23:00:00Z"), ("14:30", "2026-11-20T13:30:00Z"),
        ("9:05", "2026-11-20T08:05:00Z"), ("2026-11-01T00:15", "2026-10-31T23:15:00Z"),
        ("45min", "2026-11-20T11:25:00Z"), ("3h", "2026-11-20T09:10:00Z"), ("2d", "2026-11-18T12:10:00Z"),
        ("1mo", "2026-10-20T12:10:00Z"),
    ])
    func `words name a moment, lengths back from now`(text: String, moment: String) throws {
        let now = zone.instant(at: LocalTime(day: today, millisecond: (13 * 60 + 10) * 60_000))
        let expression = try #require(DateExpression(text))
        #expect(expression.instant(now: now, in: zone, .back).rfc3339 == moment)
    }

    @Test(arguments: [
        "", "todayy", "2026-13-01", "2026-02-29", "24:00", "12:60", "1:2", "12:345", "+1:30", "3", "d", "--3d", "3dd",
        "12345d", "2026-11-20 14:30", "2026-11-20T", "T14:30", "20.11", "١٢:٣٠", "last", "last month", "nov", "nov 31",
        "30 feb", "nove 24", "24 nov 26", "24.13.", "-2 days ago", "2 days", "in 2", "next friday", "24 11",
        "nov 24 2026 \(String(repeating: " ", count: 60))",
    ])
    func `anything else is no date`(text: String) {
        #expect(DateExpression(text) == nil)
    }

    @Test func `a month after the last day of January is the last day of February`() throws {
        let january = try #require(CivilDate("2027-01-31"))
        #expect(DurationFormat(1, .month).day(from: january, .forward).description == "2027-02-28")
        #expect(DurationFormat(11, .month).day(from: january, .back).description == "2026-02-28")
        #expect(DurationFormat(9999, .year).day(from: january, .forward).description == "9999-12-31")
        #expect(DurationFormat(9999, .year).day(from: january, .back).description == "0001-01-31")
    }

    @Test func `a range has two ends, one of which may be open`() throws {
        #expect(try #require(DateRange("mon..today")).lower == .weekday(.monday))
        #expect(try #require(DateRange("mon..today")).upper == .relativeDay(0))
        #expect(try #require(DateRange("2w..")).upper == nil)
        #expect(try #require(DateRange("..2026-11-20")).lower == nil)
        #expect(try #require(DateRange("today")).lower == .relativeDay(0))
        #expect(try #require(DateRange("24.11...27.11.")).lower == .dayOfYear(month: 11, day: 24))
        #expect(try #require(DateRange("last fri..2 days ago")).upper == .offset(DurationFormat(2, .day), .back))
        for text in ["..", "a..b", "mon...tue", "mon.tue", "mon..x"] { #expect(DateRange(text) == nil, "\(text)") }
    }

    @Test(arguments: [
        ("mon..wed", "2026-11-16", "2026-11-18", "2026-11-23", "2026-11-25"),
        ("thu..mon", "2026-11-12", "2026-11-16", "2026-11-26", "2026-11-30"),
        ("fri", "2026-11-20", "2026-11-20", "2026-11-20", "2026-11-20"),
        ("nov 24..jan 3", "2025-11-24", "2026-01-03", "2026-11-24", "2027-01-03"),
        ("2026-11-01..2026-11-03", "2026-11-01", "2026-11-03", "2026-11-01", "2026-11-03"),
    ])
    func `the ends of a range lie in order`(
        text: String, first: String, last: String, firstAhead: String, lastAhead: String
    ) throws {
        let range = try #require(DateRange(text))
        let (back, ahead) = (range.days(today: today, .back), range.days(today: today, .forward))
        #expect(back?.lowerBound.description == first && back?.upperBound.description == last)
        #expect(ahead?.lowerBound.description == firstAhead && ahead?.upperBound.description == lastAhead)
    }

    @Test func `a range without an end goes to today, and none goes backwards`() throws {
        #expect(try #require(DateRange("2d..")).days(today: today, .back) == today.adding(days: -2)...today)
        #expect(try #require(DateRange("..2d")).days(today: today, .forward) == today...today.adding(days: 2))
        #expect(try #require(DateRange("2026-11-20..2026-11-19")).days(today: today, .back) == nil)
    }

    @Test(arguments: ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
    func `the wall clock and the moment are each other's inverse`(zone: String) async {
        await #expect(processExitsWith: .success) { [zone = zone as String] in
            setenv("TZ", zone, 1)
            tzset()
            let system = TimeZoneRules.system
            for milliseconds in stride(
                from: Int64(-3_000_000_000_000), to: 3_000_000_000_000, by: 86_400_000 * 97 + 12_345)
            {
                let instant = Instant(milliseconds: milliseconds)
                #expect(TimeZoneRules.utc.instant(at: TimeZoneRules.utc.localTime(at: instant)) == instant)
                let back = system.instant(at: system.localTime(at: instant))
                #expect(abs(back.milliseconds - milliseconds) <= 3_600_000)
            }
        }
    }
}
