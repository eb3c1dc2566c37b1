import MinteeDomain
import TestSupport
import Testing

/// Phrases for days and targets, with their due dates. The dates are found by counting, independently of the code of
/// patterns.
struct PhraseTests {
    @Test(arguments: Phrases.accepted)
    func `a phrase means these dates`(phrases: [String], meaning: Due, target: String) throws {
        let dates = Calendar2027.days.filter(meaning.contains).map(\.text)
        #expect(!dates.isEmpty)
        for phrase in phrases {
            do {
                let sets = try TargetSet.sets(phrase)
                let due = try Calendar2027.days.filter { day in
                    let date = try MinteeDomainTests.day(day.text)
                    return sets.contains { $0.pattern.matches(date) }
                }
                #expect(due.map(\.text) == dates, "\(phrase) reads as \(sets)")
                #expect(sets.allSatisfy { $0.target.description == target }, "\(phrase) reads as \(sets)")
                #expect(sets.allSatisfy { $0.violations.isEmpty })
                let printed = sets.map(\.description).joined(separator: "; ")
                #expect(try TargetSet.sets(printed) == sets, "\(phrase) is printed as \(printed)")
            } catch let error as TextProblem {
                Issue.record("\(phrase): \(error.message), \(error.hint ?? "no hint")")
            }
        }
    }

    @Test(arguments: [
        ("1st Mon and 3rd Wed", ["2026-11-02", "2026-11-18", "2026-12-07", "2026-12-16"]),
        ("last day of the month", ["2026-11-30", "2026-12-31"]),
        ("first day of each month", ["2026-11-01", "2026-12-01"]),
        ("2nd Fri", ["2026-11-13", "2026-12-11"]),
        (
            "28-last",
            ["2026-11-28", "2026-11-29", "2026-11-30", "2026-12-28", "2026-12-29", "2026-12-30", "2026-12-31"]
        ),
        ("last Sun", ["2026-11-29", "2026-12-27"]), ("30,last", ["2026-11-30", "2026-12-30", "2026-12-31"]),
    ])
    func `dates written out`(phrase: String, dates: [String]) throws {
        let sets = try TargetSet.sets(phrase)
        let due = try Calendar2027.days.filter { $0.year == 2026 }.map(\.text).filter { text in
            let date = try day(text)
            return sets.contains { $0.pattern.matches(date) }
        }
        #expect(due == dates)
    }

    @Test(arguments: Phrases.refused)
    func `what cannot be meant for sure is refused`(phrases: [String], hint: String) {
        for phrase in phrases {
            do throws(TextProblem) {
                Issue.record("\(phrase) reads as \(try TargetSet.sets(phrase))")
            } catch {
                #expect(
                    error.hint?.contains(hint) == true || hint.isEmpty,
                    "\(phrase): \(error.message), \(error.hint ?? "no hint")")
                #expect(
                    error.columns.lowerBound >= 1 && error.columns.upperBound <= phrase.count + 2, "\(phrase): \(error)"
                )
            }
        }
    }

    @Test func `the table is long`() {
        let count = Phrases.accepted.flatMap(\.0).count + Phrases.refused.flatMap(\.0).count
        #expect(count >= 300)
        #expect(Set(Phrases.accepted.flatMap(\.0) + Phrases.refused.flatMap(\.0)).count == count)
    }

    /// Whatever pieces are put together, what is taken is printed in words that say the same.
    @Test func `what is taken is printed as the same`() {
        var generator = SeededGenerator(seed: 7)
        let pieces = [
            "Mon", "weekdays", "daily", "every", "day", "last", "1st", "2nd", "first", "third", "15", "31", "-", ",",
            " and ",
            " of the month", " except ", "Fri", "Sun", " to ", ": ", "x >= 5", "at least 3", "6-10", "; ", "8+",
            "weekend",
        ]
        var taken = 0
        for _ in 0..<30_000 {
            let count = Int.random(in: 1...6, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined(separator: " ")
            guard let sets = try? TargetSet.sets(text) else { continue }
            taken += 1
            let printed = sets.map(\.description).joined(separator: "; ")
            #expect((try? TargetSet.sets(printed)) == sets, "\(text) is printed as \(printed)")
        }
        #expect(taken > 1000)
    }
}

/// A day of the calendar, counted by hand.
struct CountedDay: Hashable, Sendable {
    let year: Int
    let month: Int
    let number: Int
    /// 0 is Monday.
    let weekday: Int
    /// The last day of its month has this number.
    let monthLength: Int

    var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(number))"
    }
}

/// November 2026 to April 2028: months of 28 to 31 days, with the leap day of 2028.
enum Calendar2027 {
    static let days: [CountedDay] = {
        let lengths = [30, 31, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31, 29, 31, 30]
        var days: [CountedDay] = []
        // The first of November 2026 is a Sunday.
        var (year, month, weekday) = (2026, 11, 6)
        for length in lengths {
            for number in 1...length {
                days.append(CountedDay(year: year, month: month, number: number, weekday: weekday, monthLength: length))
                weekday = (weekday + 1) % 7
            }
            (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
        }
        return days
    }()
}

/// On which days something is due, said plainly.
indirect enum Due: Sendable, CustomTestStringConvertible {
    /// On these days of the week.
    case weekly(String)
    /// On these days of the month; 0 is the last one.
    case monthly([Int])
    /// On these weekdays when so many of them have been in the month; 0 is the last one.
    case nth([Int], String)
    case both(Due, Due)

    static let daily = Due.weekly("Mon Tue Wed Thu Fri Sat Sun")

    private static func weekday(_ day: CountedDay) -> String {
        ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][day.weekday]
    }

    func contains(_ day: CountedDay) -> Bool {
        switch self {
        case .weekly(let names): return names.contains(Due.weekday(day))
        case .monthly(let numbers):
            return numbers.contains(day.number) || numbers.contains(0) && day.number == day.monthLength
        case .nth(let weeks, let names):
            let alike = (1...day.monthLength).filter { ($0 - day.number) % 7 == 0 }
            let place = (alike.firstIndex(of: day.number) ?? 0) + 1
            return names.contains(Due.weekday(day))
                && (weeks.contains(place) || weeks.contains(0) && place == alike.count)
        case .both(let one, let other): return one.contains(day) || other.contains(day)
        }
    }

    var testDescription: String {
        switch self {
        case .weekly(let names): names
        case .monthly(let numbers): "\(numbers)"
        case .nth(let weeks, let names): "\(weeks) \(names)"
        case .both(let one, let other): "\(one.testDescription), \(other.testDescription)"
        }
    }
}
