import CivilDate
import MinteeDomain
import TestSupport
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
        (3.0, "3"), (3.5, "3.5"), (30, "30"), (0.1, "0.1"), (-2, "-2"), (0, "0"), (1e20, "100000000000000000000"),
    ])
    func `numbers`(number: Double, text: String) {
        #expect(NumberText.text(number) == text)
    }

    /// No number is written with an exponent, for none is read with one.
    @Test(arguments: [
        (1e15, "1000000000000000"), (1.2345678901234568e22, "12345678901234568000000"),
        (1e22, "10000000000000000000000"),
        (-1.5e16, "-15000000000000000"), (1e-7, "0.0000001"), (-1.25e-9, "-0.00000000125"),
        (9_007_199_254_740_992, "9007199254740992"),
        (1.2345678901234568e17, "123456789012345680"), (1e300, "1" + String(repeating: "0", count: 300)),
    ])
    func `large and small numbers have all their digits`(number: Double, text: String) {
        #expect(NumberText.text(number) == text && NumberText.number(text) == number)
    }

    @Test(.seeded) func `every number reads back as it was`() {
        var random = SeededGenerator()
        let extremes = [
            Double.leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 1e15, 1e15 - 0.125, 1e16,
        ]
        for number in extremes + (0..<2000).map({ _ in Double(bitPattern: random.next()) }) where number.isFinite {
            #expect(NumberText.number(NumberText.text(number)) == number)
        }
        #expect(NumberText.number(String(repeating: "9", count: 399)) == nil)
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
}
