import CivilDate

/// An interval in words: `every 2 weeks on Mon,Wed from 2026-11-02`, `every year`.
struct IntervalPhrase {
    private let unit: DayInterval.Unit
    private let count: Int
    /// The days within a unit, with their column; nil if they follow from the first day.
    private let days: (text: Substring, column: Int)?
    /// The first day; nil if it is not named, and the text of one that cannot be read.
    private let start: CivilDate?
    private let badStart: TextToken?
    private let columns: Range<Int>

    private static let numbers = [
        "other": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
        "second": 2, "third": 3, "fourth": 4,
    ]
    private static let units: [String: (DayInterval.Unit, Int)] = [
        "day": (.day, 1), "week": (.week, 1), "month": (.month, 1), "quarter": (.month, 3), "year": (.month, 12),
    ]
    private static let adverbs: [String: (DayInterval.Unit, Int)] = [
        "biweekly": (.week, 2), "fortnightly": (.week, 2), "quarterly": (.month, 3), "yearly": (.month, 12),
        "annually": (.month, 12),
    ]
    private static let starts: Set<String> = ["from", "since", "starting", "beginning"]

    /// Parses `text`; nil if it is not an interval of more than one unit.
    init?(_ text: Substring, column: Int) {
        var words = IntervalPhrase.words(of: text, column: column)[...]
        guard let first = words.popFirst() else { return nil }
        var (count, unit) = (1, DayInterval.Unit.day)
        if let (adverb, number) = IntervalPhrase.adverbs[first.text.lowercased()] {
            (unit, count) = (adverb, number)
        } else {
            guard ["every", "each"].contains(first.text.lowercased()), var word = words.popFirst() else { return nil }
            if let number = IntervalPhrase.number(word.text.lowercased()) {
                guard let next = words.popFirst() else { return nil }
                (count, word) = (number, next)
            }
            let name = word.text.lowercased()
            guard let (base, factor) = IntervalPhrase.units[name.hasSuffix("s") ? String(name.dropLast()) : name] else {
                return nil
            }
            (unit, count) = (base, min(count, 10_000) * factor)
        }
        guard count > 1, words.first?.text.lowercased() != "of" else { return nil }
        (self.unit, self.count) = (unit, count)
        columns = first.columns.lowerBound..<(words.last ?? first).columns.upperBound
        let from = words.firstIndex { IntervalPhrase.starts.contains($0.text.lowercased()) }
        let rest = words[..<(from ?? words.endIndex)].drop { $0.text.lowercased() == "on" }
        if let from {
            let date = words[(from + 1)...].drop { $0.text.lowercased() == "on" }
            start = date.count == 1 ? date.first.flatMap { CivilDate($0.text) } : nil
            badStart = start == nil ? date.first ?? words[from] : nil
        } else {
            (start, badStart) = (nil, nil)
        }
        days = rest.first.flatMap { word in
            guard let last = rest.last else { return nil }
            let (lower, upper) = (word.columns.lowerBound - column, last.columns.upperBound - column)
            let begin = text.index(text.startIndex, offsetBy: lower)
            return (text[begin..<text.index(text.startIndex, offsetBy: upper)], word.columns.lowerBound)
        }
    }

    /// Returns the patterns; an interval of weeks or months that does not name its first day begins with `first`.
    func patterns(_ first: CivilDate?) throws(TextProblem) -> [DayPattern] {
        if let badStart {
            throw TextProblem(
                "expected a date", badStart.columns, hint: "write the first day as 2026-11-20")
        }
        if start == nil, unit == .day {
            throw TextProblem(
                "ambiguous: within any \(count) days, or on fixed days", columns,
                hint:
                    "write every \(count) days for once within them, or every \(count) days from 2026-11-20 for fixed days"
            )
        }
        guard let start = start ?? first else {
            throw TextProblem(
                "the first day is missing", columns,
                hint:
                    "name it: \(DayInterval(every: count, unit, from: CivilDate(daysSinceEpoch: 0)).words) from 2026-11-20"
            )
        }
        let interval = DayInterval(every: count, unit, from: start)
        guard unit.counts.contains(count) else {
            let counts = unit.counts
            throw TextProblem(
                "an interval of \(unit)s has \(counts.lowerBound) to \(counts.upperBound) of them", columns,
                hint: "list the dates: --dates 2026-12-01,2027-12-01")
        }
        guard let days else { return [IntervalPhrase.pattern(of: unit, on: start).every(interval)] }
        let patterns = try DayPattern.patterns(in: days.text, column: days.column)
        guard patterns.allSatisfy({ $0.interval == nil && interval.isValid(for: $0.kind) }) else {
            throw TextProblem(
                "only days of the week go with \(unit)s", days.column..<days.column + Swift.max(1, days.text.count),
                hint: "write every 2 \(unit)s on Mon from 2026-11-20, or every 2 months on 1,15 from 2026-11-20")
        }
        return patterns.map { $0.every(interval) }
    }

    /// The days of a unit that follow from its first day.
    private static func pattern(of unit: DayInterval.Unit, on start: CivilDate) -> DayPattern {
        switch unit {
        case .day: .daily
        case .week: DayPattern(weekdays: [start.weekday])
        case .month: DayPattern(monthDays: [.day(start.components.day)])
        }
    }

    private static func number(_ word: String) -> Int? {
        if let number = numbers[word] { return number }
        let digits = word.prefix { ("0"..."9").contains($0) }
        guard (1...4).contains(digits.count), ["", "nd", "rd", "th"].contains(word.dropFirst(digits.count)) else {
            return nil
        }
        return Int(digits)
    }

    private static func words(of text: Substring, column: Int) -> [TextToken] {
        var words: [TextToken] = []
        var current = ""
        var place = column
        for character in text + " " {
            if character.isWhitespace {
                if !current.isEmpty { words.append(TextToken(text: current, columns: place - current.count..<place)) }
                current = ""
            } else {
                current.append(character)
            }
            place += 1
        }
        return words
    }
}

extension DayInterval {
    /// The interval as typed: `every 2 weeks`, `every year`.
    package var words: String {
        switch unit {
        case .day: "every \(count) days"
        case .week: "every \(count) weeks"
        case .month where count == 12: "every year"
        case .month where count.isMultiple(of: 12): "every \(count / 12) years"
        case .month: "every \(count) months"
        }
    }
}
