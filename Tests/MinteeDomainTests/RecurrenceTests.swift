import CivilDate
import ICalendar
import MinteeDomain
import TestSupport
import Testing

struct RecurrenceTests {
    @Test(arguments: [
        ("Sun,Mon,Tue,Fri", "FREQ=WEEKLY;BYDAY=MO,TU,FR,SU"),
        ("1st,3rd,Last Mon,Wed", "FREQ=MONTHLY;BYDAY=1MO,1WE,3MO,3WE,-1MO,-1WE"),
        ("1,2,3,4,5,6,7,8,9,10,last", "FREQ=MONTHLY;BYMONTHDAY=1,2,3,4,5,6,7,8,9,10,-1"),
        ("daily", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU"),
    ])
    func `a pattern is the rule of the sheet, and back`(pattern: String, rule: String) throws {
        let pattern = try TargetSet(pattern).pattern
        #expect(pattern.rule.description == rule)
        #expect(try DayPattern.patterns(of: RecurrenceRule(rule), start: try day("2026-11-20")) == [pattern])
    }

    // What other programs write; 2026-11-20 is a Friday.
    @Test(arguments: [
        ("FREQ=DAILY", ["daily"]), ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", ["Mon,Tue,Wed,Thu,Fri"]),
        ("FREQ=DAILY;BYMONTHDAY=1,-1", ["1,last"]), ("FREQ=WEEKLY", ["Fri"]), ("FREQ=WEEKLY;WKST=SU;BYDAY=TU", ["Tue"]),
        ("FREQ=MONTHLY", ["20"]), ("FREQ=MONTHLY;BYDAY=MO", ["Mon"]), ("FREQ=MONTHLY;BYMONTHDAY=31", ["31"]),
        ("FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2", ["2nd Tue"]), ("FREQ=MONTHLY;BYDAY=FR;BYSETPOS=1,-1", ["1st,Last Fri"]),
        ("FREQ=MONTHLY;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=-1", ["last"]),
        ("FREQ=MONTHLY;BYDAY=1MO,3WE", ["1st Mon", "3rd Wed"]),
        ("FREQ=MONTHLY;BYDAY=1MO,1TU,2MO,2TU,3WE", ["1st,2nd Mon,Tue", "3rd Wed"]),
        ("FREQ=MONTHLY;BYDAY=MO,2TU,2MO", ["Mon", "2nd Tue"]),
    ])
    func `a rule of others is read as patterns`(rule: String, patterns: [String]) throws {
        let read = try DayPattern.patterns(of: RecurrenceRule(rule), start: try day("2026-11-20"))
        #expect(read == (try patterns.map { try TargetSet($0).pattern }))
    }

    @Test(arguments: [
        ("FREQ=WEEKLY;INTERVAL=2;WKST=SU", "every 2 weeks"), ("FREQ=YEARLY;BYMONTH=1,2", "every year"),
        ("FREQ=HOURLY", "every hour"),
        ("FREQ=MONTHLY;BYDAY=5FR", "the 5th Friday"), ("FREQ=MONTHLY;BYDAY=-2SU", "the 2nd last Sunday"),
        ("FREQ=MONTHLY;BYMONTHDAY=-3", "the 3rd last day of a month"), ("FREQ=DAILY;BYMONTH=6", "only in some months"),
        ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "weekdays on certain days of the month"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "by position (BYSETPOS)"),
        ("FREQ=MONTHLY;BYDAY=TU;BYSETPOS=5", "by position (BYSETPOS)"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,2,3;BYSETPOS=1", "by position (BYSETPOS)"),
        ("FREQ=WEEKLY;BYDAY=1MO", "FREQ=WEEKLY;BYDAY=1MO"),
    ])
    func `what no pattern can say is said in words`(rule: String, words: String) throws {
        let rule = try RecurrenceRule(rule)
        let start = try day("2026-11-20")
        #expect(throws: RuleLoss(words)) { try DayPattern.patterns(of: rule, start: start) }
    }

    @Test func `the first match is the first day of a rule`() throws {
        let pattern = try TargetSet("31").pattern
        #expect(
            pattern.firstMatch(from: try day("2026-02-01"), through: try day("2026-12-31")) == (try day("2026-03-31")))
        #expect(pattern.firstMatch(from: try day("2026-02-01"), through: try day("2026-02-28")) == nil)
        #expect(pattern.firstMatch(from: try day("2026-02-01"), through: try day("2026-01-31")) == nil)
    }

    @Test func `every pattern comes back from its rule`() throws {
        var generator = SeededGenerator(seed: 11)
        let start = try day("2026-11-20")
        for _ in 0..<5000 {
            let pattern = DayPattern.random(using: &generator)
            let rule = try RecurrenceRule(pattern.rule.description)
            #expect(rule == pattern.rule)
            #expect(try DayPattern.patterns(of: rule, start: start) == [pattern])
        }
    }
}
