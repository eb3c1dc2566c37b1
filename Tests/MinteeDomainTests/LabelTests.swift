import CivilDate
import MinteeDomain
import Testing

/// The text forms of values, targets, patterns and dates.
struct LabelTests {
    @Test func `labels of targets`() throws {
        func label(_ lower: TargetOperator, _ upper: TargetOperator) -> String {
            Target(unchecked: lower, upper, 1, 2).label("Target")
        }
        #expect(label(.less, .less) == "1 < Target < 2")
        #expect(label(.less, .lessOrEqual) == "1 < Target <= 2")
        #expect(label(.lessOrEqual, .less) == "1 <= Target < 2")
        #expect(label(.lessOrEqual, .lessOrEqual) == "1 <= Target <= 2")
        #expect(label(.less, .none) == "Target > 1")
        #expect(label(.lessOrEqual, .none) == "Target >= 1")
        #expect(label(.none, .less) == "Target < 2")
        #expect(label(.none, .lessOrEqual) == "Target <= 2")
        for upper in TargetOperator.allCases { #expect(label(.equal, upper) == "Target = 1") }
        for lower in [TargetOperator.less, .lessOrEqual, .none] { #expect(label(lower, .equal) == "Target = 2") }
    }

    @Test(arguments: [
        ("Mon,Wed", "Every week"), ("3,last", "Every month"), ("4th Mon", "4th of each month"),
        ("Last,1st,3rd,2nd Fri", "1st, 2nd, 3rd, Last of each month"),
    ])
    func `how often a pattern is`(pattern: String, frequency: String) throws {
        #expect(try DayPattern(pattern).frequency == frequency)
    }

    @Test(arguments: [(3.0, "3"), (3.5, "3.5"), (30, "30"), (0.1, "0.1"), (-2, "-2"), (0, "0"), (1e20, "1e+20")])
    func `numbers`(number: Double, text: String) {
        #expect(NumberText.text(number) == text)
    }

    @Test(
        arguments: [
            ("0.3", 0.3), ("0.3d", nil), ("", nil), ("-5", -5), (".5", 0.5), ("1.2.3", nil), ("1e9", nil), ("nan", nil),
            ("-", nil),
        ] as [(String, Double?)])
    func `numbers that people type`(text: String, number: Double?) {
        #expect(NumberText.number(text) == number)
    }

    @Test func `letters and rows of days`() {
        #expect(Weekday.allCases.map(\.letter).joined() == "MTWRFSU")
        #expect(MonthWeek.allCases.map(\.shortName) == ["1st", "2nd", "3rd", "4th", "Last"])
    }

    @Test func `colours`() {
        #expect(LegendColor("09b300ff")?.description == "09B300FF")
        #expect(LegendColor("09B300F") == nil && LegendColor("09B300GG") == nil)
        #expect(LegendColor("00000000")?.css == "#00000000")
    }

    @Test func `dates`() throws {
        #expect(CivilDate("2021-02-29") == nil && CivilDate("2021-1-5") == nil)
        let middle = try day("2010-05-15")
        for (text, atMost, less) in [
            ("2010-05-15", true, false), ("2010-05-14", true, true), ("2010-05-16", false, false),
            ("2010-04-16", true, true), ("2010-06-14", false, false), ("2011-04-14", false, false),
            ("2009-06-16", true, true),
        ] {
            #expect(try (day(text) <= middle) == atMost && (day(text) < middle) == less, "\(text)")
        }
    }

    @Test func `neither date passes the other`() throws {
        var span = DateSpan(from: try day("2021-01-01"), to: try day("2021-06-01"))
        span.moveStart(to: try day("2022-12-01"))
        #expect(span == DateSpan(from: try day("2022-12-01"), to: try day("2022-12-01")))
        span.moveEnd(to: try day("2020-12-01"))
        #expect(try span == DateSpan(from: day("2020-12-01"), to: day("2020-12-01")))
    }
}
