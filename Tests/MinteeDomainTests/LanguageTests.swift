import CivilDate
import MinteeDomain
import TestSupport
import Testing
import Text

/// Patterns and targets as people say them.
struct LanguageTests {
    @Test(arguments: [
        ("daily", "daily"), ("every day", "daily"), ("Mon,Wed", "Mon,Wed"), ("wednesday and monday", "Mon,Wed"),
        ("mo we", "Mon,Wed"), ("Mon-Fri", "weekdays"), ("weekdays", "weekdays"),
        ("Sat-Mon", "Mon,Sat,Sun"), ("weekend", "weekend"), ("1st,Last Fri", "1st,Last Fri"),
        ("last FRI", "Last Fri"), ("first and third Mon,Wed", "1st,3rd Mon,Wed"), ("Tue, Thu-Sat", "Tue,Thu-Sat"),
        ("1,15,last", "1,15,last"), ("1st,15th", "1,15"), ("10-12, 1", "1,10-12"), ("28-31", "28-last"),
        ("1-10,last", "1-10,last"), ("last", "last"),
        ("Mon-Sun", "daily"), ("the 1st of each month", "1"),
    ])
    func `patterns`(text: String, printed: String) throws {
        #expect(try DayPattern(text).description == printed)
        #expect(try DayPattern(printed) == DayPattern(text))
    }

    @Test func `each set of days is read as it is written`() throws {
        for bits in 1...UInt8(0x7F) {
            let pattern = DayPattern(weekdays: WeekdaySet(rawValue: bits))
            #expect(try DayPattern(pattern.description) == pattern)
        }
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2000 {
            // The more days, the longer the ranges.
            let bits = (0..<Int.random(in: 1...3, using: &random)).reduce(UInt32(0)) { bits, _ in
                bits | UInt32.random(in: 1...UInt32.max, using: &random)
            }
            let pattern = DayPattern(monthDays: MonthDaySet(rawValue: bits))
            #expect(try DayPattern(pattern.description) == pattern)
        }
    }

    @Test(arguments: [
        ("x >= 20", "x >= 20"), (">= 20", "x >= 20"), ("20 <= x", "x >= 20"), ("3<=x<5", "3 <= x < 5"),
        ("5 > x >= 3", "3 <= x < 5"), ("x = 2", "x = 2"), ("2 == X", "x = 2"), ("x ≤ 3", "x <= 3"),
        ("done", "x >= 1"), ("x < 0.5", "x < 0.5"), ("-2 < x < 2", "-2 < x < 2"), ("4 <= x <= 4", "x = 4"),
    ])
    func `targets`(text: String, printed: String) throws {
        #expect(try Target(text).description == printed)
    }

    @Test(arguments: [
        ("Mon,Wed: 3 <= x < 5", "Mon,Wed: 3 <= x < 5"), ("1st,Last Fri", "1st,Last Fri"),
        ("1,15,last: x >= 20", "1,15,last: x >= 20"), ("daily", "daily"), ("daily: x >= 1", "daily"),
        ("daily:done", "daily"),
    ])
    func `target sets`(text: String, printed: String) throws {
        #expect(try TargetSet(text).description == printed)
    }

    @Test(arguments: [
        ("Mon,Wde", "\"Wde\" is not a day", 5, 8), ("", "no days given", 1, 2),
        ("every", "no days given", 1, 6),
        ("5th Mon", "weeks of a month are 1st to 4th and Last", 1, 4),
        ("15 Mon", "days of the month and days of the week cannot be combined", 1, 3),
        ("32", "days of a month are 1 to 31 and last", 1, 3), ("9-3", "days of a month are 1 to 31 and last", 1, 4),
        ("daily: x >= 2O", "\"2O\" is not a number", 13, 15), ("daily: x > 5 < 3", "expected", 0, 0),
        ("daily: 5 < x < 3", "the lower bound must be less than the upper bound", 8, 17),
        ("daily:", "no target given", 7, 8), ("daily: x", "expected a target such as x >= 20 or 3 <= x < 5", 9, 10),
        ("daily: 3 < x > 5", "there are two lower bounds", 14, 15), ("daily: x < 3 < x", "x must occur once", 16, 17),
        ("daily: x is 3", "expected <, <=, =, >= or >", 10, 12), ("daily: 3 < 4", "x must occur once", 0, 0),
    ])
    func `what is wrong is shown where it stands`(text: String, message: String, from: Int, to: Int) {
        do throws(TextProblem) {
            let set = try TargetSet(text)
            Issue.record("\(text) reads as \(set)")
        } catch {
            #expect(error.message.hasPrefix(message) || message == "expected", "\(error)")
            if from > 0 { #expect(error.columns == from..<to, "\(text): \(error)") }
        }
    }

    @Test(arguments: [
        ("daily: x >= 10,000", DecimalMark.point, "write 10000 or 10"),
        ("daily: x >= 10.000", .comma, "write 10000 or 10"),
        ("daily: x >= 10.000", .point, "write 10000 or 10"), ("x <= -1.500", .point, "write -1500 or -1.5"),
        ("daily: x >= 7,5", .point, "write 7.5"), ("x >= 1.000,5", .point, "write 1000.5"),
        ("daily: 10,000", .point, "write 10000 or 10"),
        ("daily: x >= 20km", .point, "write 20"),
    ])
    func `a number with two readings, or of another locale, is refused with what may be meant`(
        text: String, mark: DecimalMark, hint: String
    ) {
        let problem = #expect(throws: TextProblem.self) { try TargetSet(text, mark) }
        #expect(problem?.hint == hint, "\(text)")
    }

    @Test(arguments: [
        ("daily: x >= 7,5", DecimalMark.comma, "daily: x >= 7.5"), ("daily: x >= 7.5", .comma, "daily: x >= 7.5"),
        ("daily: 1,5 <= x < 2,5", .comma, "daily: 1.5 <= x < 2.5"),
        ("daily: x >= 1,000,000", .point, "daily: x >= 1000000"),
        ("daily: x >= 1.125", .point, "daily: x >= 1.125"), ("daily: x >= 0.500", .point, "daily: x >= 0.5"),
        ("daily: x >= 1.50", .point, "daily: x >= 1.5"), ("daily: x >= 1,234.500", .point, "daily: x >= 1234.5"),
    ])
    func `numbers are read by the locale`(text: String, mark: DecimalMark, printed: String) throws {
        #expect(try TargetSet(text, mark).description == printed)
    }

    @Test func `a word that nobody knows comes with those that could have stood there`() {
        let problem = #expect(throws: TextProblem.self) { try TargetSet("Mon,Thi") }
        #expect(problem?.word == "Thi")
        #expect(problem?.vocabulary.contains("Thu") == true)
    }

    @Test func `what is printed reads back the same`() throws {
        var generator = SeededGenerator(seed: 2026)
        for _ in 0..<5000 {
            let set = TargetSet(DayPattern.random(using: &generator), Target.random(using: &generator))
            let read = try TargetSet(set.description)
            #expect(read == set, "\(set)")
            #expect(read.violations == [])
        }
    }

    @Test func `no text crashes the reader`() {
        var generator = SeededGenerator(seed: 99)
        let pieces = [
            "Mon", "last", "1st", "31", "-", ",", ":", "<", "<=", "=", "x", " ", "5", "é", "\u{301}", "daily", "9999",
        ]
        for _ in 0..<5000 {
            let count = Int.random(in: 0...8, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            if let set = try? TargetSet(text) { #expect(set.violations == [], "\(text)") }
        }
        #expect(throws: TextProblem.self) { try TargetSet(String(repeating: "1,", count: 1000)) }
    }
}
