import CivilDate
import MinteeDomain
import TestSupport
import Testing

/// Which days patterns name: the vectors of single days and of whole months.
struct PatternMatchTests {
    typealias Single = (pattern: DayPattern, day: Int, weekday: Weekday, days: Int, isMatch: Bool)

    private static let fewDays = DayPattern(weekdays: [.sunday, .tuesday, .thursday, .saturday])
    private static let saturdays = DayPattern(weekdays: [.saturday], weeks: [.first, .third, .last])
    private static let fives = DayPattern(monthDays: [.day(5), .day(10), .day(15)])
    private static let monthEnd = DayPattern(monthDays: [.last])

    @Test func `single days`() {
        let vectors: [Single] = [
            (Self.fewDays, 5, .tuesday, 30, true), (Self.fewDays, 3, .monday, 30, false),
            (Self.saturdays, 8, .saturday, 31, false), (Self.saturdays, 15, .saturday, 31, true),
            (Self.saturdays, 8, .friday, 31, false), (Self.saturdays, 1, .friday, 31, false),
            (Self.saturdays, 24, .saturday, 30, true), (Self.fives, 1, .monday, 30, false),
            (Self.fives, 15, .monday, 31, true), (Self.monthEnd, 28, .monday, 29, false),
            (Self.monthEnd, 29, .monday, 30, false), (Self.monthEnd, 29, .monday, 31, false),
            (Self.monthEnd, 30, .monday, 31, false), (Self.monthEnd, 29, .monday, 29, true),
            (Self.monthEnd, 30, .monday, 30, true), (Self.monthEnd, 31, .monday, 31, true),
        ]
        for vector in vectors {
            let day = CalendarDay(day: vector.day, weekday: vector.weekday, daysInMonth: vector.days)
            #expect(vector.pattern.matches(day) == vector.isMatch, "\(vector)")
        }
    }

    /// Pattern, first and last day, and the days within, as `MM-dd` or `dd`.
    static let months: [(String, String, String, String)] = [
        ("Mon", "2021-02-01", "2021-02-28", "01 08 15 22"),
        ("Sat,Sun", "2020-02-01", "2020-02-29", "01 02 08 09 15 16 22 23 29"),
        ("1st Mon", "2021-03-01", "2021-03-31", "01"), ("4th Mon", "2021-03-01", "2021-03-31", "22"),
        ("Last Mon", "2021-03-01", "2021-03-31", "29"), ("4th Sun", "2021-02-01", "2021-02-28", "28"),
        ("Last Sun", "2021-02-01", "2021-02-28", "28"), ("4th Sat", "2020-02-01", "2020-02-29", "22"),
        ("Last Sat", "2020-02-01", "2020-02-29", "29"), ("2nd,4th Fri", "2021-10-01", "2021-10-31", "08 22"),
        ("Last Fri", "2021-10-01", "2021-10-31", "29"), ("Last Sun", "2021-10-01", "2021-10-31", "31"),
        ("1st,3rd,Last Mon,Wed", "2020-03-01", "2020-03-31", "02 04 16 18 25 30"),
        ("1st Mon-Sun", "2021-01-01", "2021-01-31", "01 02 03 04 05 06 07"),
        ("Last Mon-Sun", "2021-01-01", "2021-01-31", "25 26 27 28 29 30 31"),
        ("Last Mon-Sun", "2021-02-01", "2021-02-28", "22 23 24 25 26 27 28"),
        ("Last Mon-Sun", "2020-02-01", "2020-02-29", "23 24 25 26 27 28 29"),
        ("Last Mon-Sun", "2021-04-01", "2021-04-30", "24 25 26 27 28 29 30"),
        (
            "last", "2021-01-01", "2021-12-31",
            "01-31 02-28 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31"
        ), ("31", "2021-01-01", "2021-12-31", "01-31 03-31 05-31 07-31 08-31 10-31 12-31"),
        ("30,31", "2020-01-01", "2020-04-30", "01-30 01-31 03-30 03-31 04-30"),
        ("29", "2021-01-01", "2021-04-30", "01-29 03-29 04-29"),
        ("29", "2020-01-01", "2020-04-30", "01-29 02-29 03-29 04-29"),
        ("28,last", "1900-02-01", "1900-02-28", "28"), ("28,last", "2000-02-01", "2000-02-29", "28 29"),
        ("28,last", "2020-02-01", "2020-02-29", "28 29"), ("28,last", "2021-02-01", "2021-02-28", "28"),
    ]

    @Test(arguments: months)
    func `whole months`(text: String, first: String, last: String, expected: String) throws {
        let schedule = Schedule.recurring(
            from: try day(first), to: try day(last), [TargetSet(try DayPattern(text))])
        let found = schedule.days.map(\.description)
        let wanted = expected.split(separator: " ").map { first.prefix($0.count == 2 ? 8 : 5) + $0 }
        #expect(found == wanted.map(String.init), "\(text)")
    }

    @Test func `a century`() throws {
        func days(_ text: String) throws -> Set<CivilDate> {
            let sets = [TargetSet(try DayPattern(text))]
            return Set(Schedule.recurring(from: try day("2000-01-01"), to: try day("2099-12-31"), sets).days)
        }
        #expect(try days("31").count == 700)
        #expect(try days("29").count == 1125)
        #expect(try days("Last Fri").count == 1200)
        #expect(try days("4th Fri").intersection(days("Last Fri")).count == 783)
        #expect(try days("1st,2nd,3rd,4th Mon-Sun").contains(day("2021-01-29")) == false)
    }

    @Test func `a walk knows what a day by itself knows`() throws {
        var walked = CalendarDay(try day("1999-12-25"))
        for _ in 0..<2000 {
            #expect(walked == CalendarDay(walked.date))
            walked.advance()
        }
    }
    @Test(.seeded) func `whole months at once are the days one by one`() throws {
        var generator = SeededGenerator(seed: 64)
        let year = CivilDate("2027-02-28")
        for _ in 0..<60 {
            let sets = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                var pattern = DayPattern.random(using: &generator)
                let start = CivilDate(daysSinceEpoch: Int.random(in: 10_000...25_000, using: &generator))
                if Bool.random(using: &generator), let unit = DayInterval.Unit.allCases.randomElement(using: &generator)
                {
                    pattern.interval = DayInterval(every: Int.random(in: 2...5, using: &generator), unit, from: start)
                }
                if Bool.random(using: &generator), let year {
                    pattern.exception = HolidayException("h", days: (0..<9).map { year.adding(days: 7 * $0) })
                }
                return TargetSet(pattern)
            }
            let first = CivilDate(daysSinceEpoch: Int.random(in: 20_800...20_900, using: &generator))
            let last = first.adding(days: Int.random(in: -1...150, using: &generator))
            let dates = (-40...200).map { first.adding(days: $0) }
            func isDue(_ date: CivilDate) -> Bool { first <= date && date <= last && set(on: date) != nil }
            func set(on date: CivilDate) -> Int? { Schedule.set(of: sets, on: CalendarDay(date)) }
            let schedule = Schedule.recurring(from: first, to: last, sets)
            var (found, numbers): ([CivilDate], [Int?]) = ([], [])
            schedule.forEachDay { date, set in
                found.append(date)
                numbers.append(set)
            }
            #expect(found == dates.filter(isDue))
            #expect(numbers == found.map(set))
            #expect(schedule.losses(of: dates) == dates.filter { !isDue($0) })
        }
    }
}
