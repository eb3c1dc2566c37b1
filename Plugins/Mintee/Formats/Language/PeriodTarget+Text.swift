package import CivilDate
package import Text

extension PeriodTarget: CustomStringConvertible {
    /// The period target as typed: `3 times a week`, `at most 12 a month`, `every 3 days`.
    package var description: String {
        if case .days(let count) = period, measure == .days, target == .atLeast(1) { return "every \(count) days" }
        let amount = measure == .sum ? target.amount : target.amount.counted
        return "\(amount) \(period.text)"
    }
}

extension PeriodTarget.Period {
    /// The period after an amount: `a week`, `in 10 days`.
    fileprivate var text: String {
        switch self {
        case .week: "a week"
        case .month: "a month"
        case .days(let count): "in \(count) days"
        }
    }
}

extension Target {
    /// The bounds as the amount of a period: `3`, `at most 12`, `4 to 6`.
    fileprivate var amount: String {
        let (low, high) = (NumberText.text(min), NumberText.text(max))
        return switch (minOperator, maxOperator) {
        case (.lessOrEqual, .none): low
        case (.equal, _): "exactly \(low)"
        case (.none, .lessOrEqual): "at most \(high)"
        case (.none, .less): "less than \(high)"
        case (.less, .none): "more than \(low)"
        case (.lessOrEqual, .lessOrEqual): "\(low) to \(high)"
        default: description
        }
    }
}

extension String {
    /// The amount as a number of times: `once`, `at most twice`, `4 to 6 times`.
    fileprivate var counted: String {
        if !contains(" to "), !contains("x") {
            if self == "1" || hasSuffix(" 1") { return dropLast() + "once" }
            if self == "2" || hasSuffix(" 2") { return dropLast() + "twice" }
        }
        return self + " times"
    }
}

/// The due days of a task as typed: target sets by priority, and at most one target over several days.
package struct DueDays: Hashable, Sendable {
    /// The target sets, by priority.
    package var sets: [TargetSet]
    /// The target over several days; nil for none.
    package var period: PeriodTarget?

    package init(_ sets: [TargetSet], _ period: PeriodTarget? = nil) {
        self.sets = sets
        self.period = period
    }

    /// Parses due days: `Mon-Fri, 3 times a week`, `daily: x >= 20; 1st: x >= 5`, `150 a week`.
    ///
    /// The target over several days comes last; without a pattern before it, every day is due.
    /// An interval of weeks or months that does not name its first day begins with `first`.
    package init(_ text: String, _ mark: DecimalMark = .point, start first: CivilDate? = nil) throws(TextProblem) {
        guard text.utf8.count <= 1000 else { throw TextProblem("the text is longer than 1000 bytes", 1..<2) }
        guard let (start, period) = try PeriodPhrase.last(in: text[...], mark) else {
            self.init(try TargetSet.sets(text, mark, start: first))
            return
        }
        var days = text[..<start]
        while let last = days.last, last.isWhitespace || last == "," || last == ";" { days.removeLast() }
        if try PeriodPhrase.last(in: days, mark) != nil {
            let column = text.distance(from: text.startIndex, to: start) + 1
            throw TextProblem(
                "a task has one target over several days", column..<text.count + 1,
                hint: "a range has two bounds: 4 to 6 times a month")
        }
        self.init(days.isBlank ? [TargetSet(.daily)] : try TargetSet.sets(String(days), mark, start: first), period)
    }
}

extension DueDays: CustomStringConvertible {
    /// The due days as typed; a task that may be done or not every day has its period target alone.
    package var description: String {
        let days = sets.map(\.description).joined(separator: "; ")
        guard let period else { return days }
        if sets == [TargetSet(.daily)] { return period.description }
        let text = period.description
        // After days of the month, a number alone would be one of them.
        let isNumber = period.target.minOperator == .lessOrEqual && period.target.maxOperator == .none
        let needsWord = isNumber && period.measure == .sum && !days.contains(where: \.isLetter)
        return needsWord ? "\(days), at least \(text)" : "\(days), \(text)"
    }
}

/// A target over several days in words: an amount, and then a period.
private struct PeriodPhrase {
    private let words: [TextToken]
    private let mark: DecimalMark

    /// Returns the longest phrase at the end of `text`, with its start; nil if there is none.
    static func last(
        in text: Substring, _ mark: DecimalMark
    ) throws(TextProblem) -> (start: Substring.Index, target: PeriodTarget)? {
        var start = text.startIndex
        // A phrase has at most some words, so only so many beginnings are tried.
        let words = words(of: text)
        for word in words.suffix(10) {
            start = text.index(text.startIndex, offsetBy: word.columns.lowerBound)
            let rest = words.drop { $0.columns.lowerBound < word.columns.lowerBound }
            let before = text[..<start]
            guard
                let found = try PeriodPhrase(words: Array(rest), mark: mark).target(
                    isAlone: before.allSatisfy(\.isWhitespace), hasDays: before.contains(where: \.isLetter))
            else { continue }
            return (start, found)
        }
        return nil
    }

    /// Splits at blanks and at commas with a blank after them; columns are counted from 0.
    private static func words(of text: Substring) -> [TextToken] {
        var words: [TextToken] = []
        var word = ""
        var column = 0
        for character in text + " " {
            if character.isWhitespace {
                while word.last == "," || word.last == ";" { word.removeLast() }
                if !word.isEmpty { words.append(TextToken(text: word, columns: column - word.count..<column)) }
                word = ""
            } else {
                word.append(character)
            }
            column += 1
        }
        return words
    }

    private init(words: [TextToken], mark: DecimalMark) {
        self.words = words
        self.mark = mark
    }

    /// Returns the target of all words; nil if they are none. A sum without a bound, `150 a week`, must not be taken for a
    /// day of the month: it stands alone, or after words.
    private func target(isAlone: Bool, hasDays: Bool) throws(TextProblem) -> PeriodTarget? {
        var texts = words.map { $0.text.lowercased() }
        if texts.count == 1, let rolling = rolling(texts[0]) { return rolling }
        if let target = interval(texts) { return target }
        if let last = texts.last, let slash = last.firstIndex(of: "/"), slash > last.startIndex {
            texts.removeLast()
            texts += [String(last[..<slash]), "a", String(last[last.index(after: slash)...])]
        }
        guard let (period, count, isPlain) = period(at: texts) else { return nil }
        var amount = texts.dropLast(count)
        if ["in", "within"].contains(amount.last) { amount.removeLast() }
        guard !amount.isEmpty else { return nil }
        let isTimes = dropTimes(&amount)
        let text = amount.joined(separator: " ")
        if amount.count == 1, !isTimes, NumberText.number(text, orNil: mark) != nil, !(isPlain && (isAlone || hasDays))
        {
            return nil
        }
        guard let target = try bounds(amount.map { $0 }, text) else { return nil }
        return PeriodTarget(target, isTimes ? .days : .sum, in: period)
    }

    /// `3/7`.
    private func rolling(_ text: String) -> PeriodTarget? {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let times = numbers[0], let days = numbers[1], times >= 1,
            PeriodTarget.rollingDays.contains(days)
        else { return nil }
        return PeriodTarget(.atLeast(Double(times)), in: .days(days))
    }

    /// `every 3 days`, `every three days`, `every other day`, `every third day`.
    private func interval(_ texts: [String]) -> PeriodTarget? {
        guard texts.count == 3, texts[0] == "every", ["day", "days"].contains(texts[2]) else { return nil }
        let ordinals = [
            "other": 2, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "two": 2, "three": 3, "four": 4, "five": 5,
            "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
        ]
        let digits = texts[1].prefix { ("0"..."9").contains($0) }
        let isOrdinal = ["st", "nd", "rd", "th"].contains(String(texts[1].dropFirst(digits.count)))
        let number = ordinals[texts[1]] ?? (isOrdinal || digits.count == texts[1].count ? Int(digits) : nil)
        guard let number, PeriodTarget.rollingDays.contains(number) else { return nil }
        return PeriodTarget(.atLeast(1), in: .days(number))
    }

    private static let units = ["week": 7, "weeks": 7, "day": 1, "days": 1]

    /// The period at the end, with the number of its words, and whether it is `a week` or `per week` and not a word that
    /// patterns have as well.
    private func period(at texts: [String]) -> (period: PeriodTarget.Period, count: Int, isPlain: Bool)? {
        guard let last = texts.last else { return nil }
        if last == "weekly" { return (.week, 1, false) }
        if last == "monthly" { return (.month, 1, false) }
        guard texts.count >= 2 else { return nil }
        let before = texts[texts.count - 2]
        if let period = ["week": PeriodTarget.Period.week, "month": .month][last] {
            guard ["a", "per", "each", "every", "the", "one"].contains(before) else { return nil }
            return (period, 2, ["a", "per"].contains(before))
        }
        guard let unit = Self.units[last], let number = Int(before), number >= 1, texts.count >= 3,
            ["in", "per", "every", "within", "each"].contains(texts[texts.count - 3]),
            PeriodTarget.rollingDays.contains(number * unit)
        else { return nil }
        return (.days(number * unit), 3, true)
    }

    /// Removes what says that days are counted: `times`, `3x`, `twice`.
    private func dropTimes(_ amount: inout ArraySlice<String>) -> Bool {
        guard let last = amount.last else { return false }
        if let number = ["once": "1", "twice": "2", "thrice": "3"][last] {
            amount[amount.endIndex - 1] = number
            return true
        }
        if ["times", "time", "days", "day", "x", "×"].contains(last), amount.count > 1 {
            amount.removeLast()
            return true
        }
        let digits = last.prefix { ("0"..."9").contains($0) }
        if !digits.isEmpty, ["x", "×"].contains(last.dropFirst(digits.count)) {
            amount[amount.endIndex - 1] = String(digits)
            return true
        }
        return false
    }

    /// Returns the bounds of an amount; nil if it is none, so that the words may be days. Throws for a number with two
    /// readings, and for a unit.
    private func bounds(_ amount: [String], _ text: String) throws(TextProblem) -> Target? {
        let columns = (words.first?.columns.lowerBound ?? 0) + 1..<(words.last?.columns.upperBound ?? 0) + 1
        if amount.count == 1 {
            if let number = NumberText.number(text, orNil: mark) { return .atLeast(number) }
            if case .ambiguous = NumberText.problem(text, mark) {
                throw TextProblem("\"\(text)\" has two readings", columns, hint: NumberText.problem(text, mark).hint)
            }
        }
        if amount.count == 2, NumberText.number(amount[0], orNil: mark) != nil, amount[1].allSatisfy(\.isLetter),
            DayToken.tokens(of: amount[1][...], from: 0).allSatisfy({ $0.meaning == .unknown })
        {
            throw TextProblem(
                "a target cannot have a unit", columns,
                hint: "write \"\(amount[0]) a week\"; put units into --notes")
        }
        do throws(TextProblem) { return try Target(text, mark) } catch { return nil }
    }
}

extension NumberText {
    /// Returns a number of the locale; nil if it is not one.
    fileprivate static func number(_ text: String, orNil mark: DecimalMark) -> Double? { try? number(text, mark) }
}
