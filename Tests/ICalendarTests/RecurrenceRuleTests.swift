import CivilDate
import ICalendar
import Testing

struct RecurrenceRuleTests {
    @Test(arguments: [
        "FREQ=WEEKLY;BYDAY=MO,TU,FR,SU", "FREQ=MONTHLY;BYDAY=1MO,1WE,3MO,3WE,-1MO,-1WE",
        "FREQ=MONTHLY;BYMONTHDAY=1,2,3,-1", "FREQ=DAILY;UNTIL=20261231;INTERVAL=2", "FREQ=YEARLY;COUNT=3;BYWEEKNO=20",
        "FREQ=MONTHLY;UNTIL=20261231T225959Z;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
        "FREQ=DAILY;BYSECOND=0;BYMINUTE=30;BYHOUR=9,17", "FREQ=YEARLY;BYYEARDAY=1,100,-1",
        "FREQ=YEARLY;BYDAY=53MO,-53SU", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;WKST=SU",
        "FREQ=YEARLY;BYMONTHDAY=13;BYMONTH=1,12",
    ])
    func `a rule is read and written in the order of the standard`(text: String) throws {
        #expect(try RecurrenceRule(text).description == text)
    }

    @Test func `case and order do not matter`() throws {
        let rule = try RecurrenceRule("byday=-1fr;freq=monthly")
        #expect(rule.days == [RecurrenceRule.Day(.friday, ordinal: -1)])
        #expect(rule.frequency == .monthly)
    }

    @Test(arguments: [
        "", "FREQ=", "FREQ=FORTNIGHTLY", "BYDAY=MO", "FREQ=DAILY;COUNT=0", "FREQ=DAILY;COUNT=-5",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=2147483647", "FREQ=MONTHLY;BYMONTHDAY=32", "FREQ=MONTHLY;BYDAY=XX", "FREQ=DAILY;FOO=1",
        "FREQ=DAILY;COUNT=5;UNTIL=20261231", "RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=5L", "FREQ=DAILY\u{0};COUNT=1",
        "\u{FF}\u{FE}garbage", "FREQ=DAILY;UNTIL=garbage",
    ])
    func `what is no rule is refused`(text: String) {
        #expect(throws: ICalError.self) { try RecurrenceRule(text) }
    }

    @Test func `a rule that is too long is refused`() {
        let list = Array(repeating: "MO", count: 50_000).joined(separator: ",")
        #expect(throws: ICalError.self) { try RecurrenceRule("FREQ=WEEKLY;BYDAY=" + list) }
    }

    @Test func `a rule is followed from day to day`() throws {
        func days(_ rule: String, _ start: String, _ last: String, limit: Int = 10_000) throws -> [String] {
            let (start, last) = (try #require(CivilDate(start)), try #require(CivilDate(last)))
            return try RecurrenceRule(rule).days(from: start, through: last, limit: limit).map(\.description)
        }
        #expect(
            try days("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "2026-01-01", "2026-01-31")
                == ["2026-01-01", "2026-01-12", "2026-01-15", "2026-01-26", "2026-01-29"])
        #expect(
            try days("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "2026-01-01", "2026-12-31")
                == ["2026-02-13", "2026-03-13", "2026-11-13"])
        #expect(
            try days("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-01-30", "2026-03-31")
                == ["2026-01-30", "2026-02-27", "2026-03-31"])
        #expect(
            try days("FREQ=WEEKLY;INTERVAL=3;BYDAY=SU;COUNT=2", "2038-12-22", "2039-12-31")
                == ["2038-12-26", "2039-01-16"])
        #expect(
            try days("FREQ=WEEKLY;INTERVAL=2", "2026-11-20", "2026-12-31", limit: 2) == ["2026-11-20", "2026-12-04"])
        #expect(try days("FREQ=YEARLY;BYWEEKNO=20", "2026-01-01", "2027-12-31") == ["2026-05-14", "2027-05-20"])
        #expect(try days("FREQ=DAILY;COUNT=3", "2026-01-01", "2026-12-31").count == 3)
        #expect(try days("FREQ=DAILY;BYHOUR=9,17", "2026-01-01", "2026-01-04").count == 4)
        #expect(try days("FREQ=DAILY;UNTIL=20260103T120000Z", "2026-01-01", "2026-12-31").count == 3)
        #expect(try days("FREQ=DAILY", "2026-01-02", "2026-01-01") == [])
        #expect(try days("FREQ=DAILY;COUNT=2147483647", "2026-01-01", "9999-12-31", limit: 500).count == 500)
        #expect(try days("FREQ=DAILY;UNTIL=99991231", "2026-01-01", "2026-12-31").count == 365)
    }

    @Test(arguments: [
        "FREQ=DAILY;BYMONTHDAY=30;BYMONTH=2", "FREQ=MONTHLY;BYMONTHDAY=30;BYMONTH=2",
        "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31;BYMONTH=2", "FREQ=DAILY;INTERVAL=3;BYDAY=MO;BYMONTHDAY=31;BYMONTH=4",
    ])
    func `a rule that never holds ends`(text: String) throws {
        let start = try #require(CivilDate(year: 2026, month: 1, day: 1))
        let last = try #require(CivilDate(year: 9999, month: 12, day: 31))
        #expect(try RecurrenceRule(text).days(from: start, through: last, limit: 1000) == [])
    }

    @Test func `a rule of hours is not followed`() throws {
        let rule = try RecurrenceRule("FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30")
        let start = try #require(CivilDate(year: 2026, month: 1, day: 1))
        #expect(throws: ICalError.self) { try rule.days(from: start, through: start, limit: 10) }
    }
}
