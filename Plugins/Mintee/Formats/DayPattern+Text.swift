import CivilDate

extension DayPattern: CustomStringConvertible {
    /// The pattern as people type it: `daily`, `Mon,Wed`, `1st,Last Fri`, `1,15,last`.
    package var description: String {
        switch kind {
        case .daysOfWeek: weekdays == .all ? "daily" : weekdays.names.joined(separator: ",")
        case .weekdaysOfMonth: weeks.names.joined(separator: ",") + " " + weekdays.names.joined(separator: ",")
        case .daysOfMonth: monthDays.names.joined(separator: ",")
        }
    }

    /// The pattern that `text` says; throws what is wrong and where.
    ///
    /// Days of the week (`Mon,Wed`, `Mon-Fri`, `weekdays`, `daily`), weekdays of the month (`1st,Last Fri`) or days of
    /// the month (`1,15,last`, `1-10`). Case does not matter, blanks and commas both part words.
    package init(_ text: String) throws(TextProblem) {
        try self.init(text[...], column: 1)
    }

    init(_ text: Substring, column: Int) throws(TextProblem) {
        let words = TextToken.words(of: text, from: column, separators: [","])
        guard let first = words.first, let last = words.last else {
            throw TextProblem("no days are named", column..<column + Swift.max(1, text.count))
        }
        var reading = PatternReading()
        for word in words { try reading.add(word) }
        self = try reading.pattern(all: first.columns.lowerBound..<last.columns.upperBound)
    }
}

/// The words of a pattern, sorted by what they may mean.
private struct PatternReading {
    private var weekdays: Set<Weekday> = []
    private var ordinals: [(number: Int, columns: Range<Int>)] = []
    private var numbers: [(range: ClosedRange<Int>, columns: Range<Int>)] = []
    private var last: Range<Int>?

    mutating func add(_ word: TextToken) throws(TextProblem) {
        let text = word.text.lowercased()
        if let days = PatternWords.groups[text] {
            weekdays.formUnion(days)
        } else if let day = PatternWords.weekdays[text] {
            weekdays.insert(day)
        } else if text == "last" {
            last = word.columns
        } else if let ordinal = PatternWords.ordinal(text) {
            ordinals.append((ordinal, word.columns))
        } else if PatternWords.fillers.contains(text) {
            return
        } else {
            try addRange(text, word)
        }
    }

    private mutating func addRange(_ text: String, _ word: TextToken) throws(TextProblem) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        if ends.count == 2, let from = PatternWords.weekdays[String(ends[0])],
            let to = PatternWords.weekdays[String(ends[1])]
        {
            for step in 0...(to.rawValue - from.rawValue + 7) % 7 {
                if let day = Weekday(rawValue: (from.rawValue - 1 + step) % 7 + 1) { weekdays.insert(day) }
            }
            return
        }
        let values = ends.map { $0.utf8.count <= 2 && $0.allSatisfy { ("0"..."9").contains($0) } ? Int($0) : nil }
        guard (1...2).contains(ends.count), let low = values[0], let high = values[values.count - 1] else {
            throw TextProblem(
                "\"\(word.text)\" is no day", word.columns, word: word.text, vocabulary: PatternWords.vocabulary)
        }
        guard low >= 1, high <= 31, low <= high else {
            throw TextProblem("days of a month are 1 to 31 and last", word.columns)
        }
        numbers.append((low...high, word.columns))
    }

    func pattern(all: Range<Int>) throws(TextProblem) -> DayPattern {
        guard weekdays.isEmpty else {
            if let number = numbers.first {
                throw TextProblem("days of the month and of the week do not go together", number.columns)
            }
            if ordinals.isEmpty, last == nil { return DayPattern(weekdays: WeekdaySet(weekdays)) }
            var weeks: [MonthWeek] = last == nil ? [] : [.last]
            for ordinal in ordinals {
                guard let week = MonthWeek(rawValue: ordinal.number), week != .last else {
                    throw TextProblem("weeks of a month are 1st to 4th and Last", ordinal.columns)
                }
                weeks.append(week)
            }
            return DayPattern(weekdays: WeekdaySet(weekdays), weeks: MonthWeekSet(weeks))
        }
        let days = ordinals.map { MonthDay.day($0.number) } + numbers.flatMap { $0.range.map(MonthDay.day) }
        let set = MonthDaySet(days + (last == nil ? [] : [.last]))
        guard !set.isEmpty else { throw TextProblem("no days are named", all) }
        return DayPattern(monthDays: set)
    }
}

/// The words that patterns are made of.
private enum PatternWords {
    static let weekdays: [String: Weekday] = Weekday.allCases.reduce(into: [:]) { words, day in
        words[day.shortName.lowercased()] = day
        words[day.name.lowercased()] = day
        words[String(day.name.lowercased().prefix(2))] = day
    }

    static let groups: [String: [Weekday]] = [
        "daily": Weekday.allCases, "everyday": Weekday.allCases, "day": Weekday.allCases,
        "weekdays": [.monday, .tuesday, .wednesday, .thursday, .friday], "weekend": [.saturday, .sunday],
        "weekends": [.saturday, .sunday],
    ]

    /// Words that change nothing.
    static let fillers: Set<String> = ["every", "and", "the", "of", "on", "each", "month"]

    static let vocabulary =
        ["daily", "weekdays", "weekend", "last", "1st", "2nd", "3rd", "4th"]
        + Weekday.allCases.flatMap { [$0.shortName, $0.name] }

    private static let names = ["first": 1, "second": 2, "third": 3, "fourth": 4]

    /// The number of `1st`, `22nd`, `third`; nil for another word, and for more than 31.
    static func ordinal(_ text: String) -> Int? {
        if let number = names[text] { return number }
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard (1...2).contains(digits.count), let number = Int(digits), (1...31).contains(number),
            ["st", "nd", "rd", "th"].contains(text.dropFirst(digits.count))
        else { return nil }
        return number
    }
}
