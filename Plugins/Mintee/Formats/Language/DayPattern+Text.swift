import CivilDate

extension DayPattern: CustomStringConvertible {
    /// The pattern as typed, in its shortest form: `daily`, `weekdays`, `Mon,Wed`, `1st,Last Fri`, `1-10,last`,
    /// `weekdays except holidays`.
    package var description: String {
        exception.map { "\(ownDays) except \($0.calendar)" } ?? ownDays
    }

    /// The days without the exception.
    private var ownDays: String {
        guard let interval else { return days }
        let isDaily = interval.unit == .day && weekdays == .all
        return "\(interval.words)\(isDaily ? "" : " on \(days)") from \(interval.start)"
    }

    /// The days of each unit that counts.
    private var days: String {
        switch kind {
        case .daysOfWeek:
            switch weekdays {
            case .all: "daily"
            case .workweek: "weekdays"
            case .weekend: "weekend"
            default: weekdays.text
            }
        case .weekdaysOfMonth: weeks.names.joined(separator: ",") + " " + weekdays.text
        case .daysOfMonth: monthDays.text
        }
    }

    /// Parses a pattern; throws the problem with its position.
    ///
    /// Days of the week (`Mon,Wed`, `Mon-Fri`, `weekdays`, `daily`), weekdays of the month (`1st,Last Fri`) or days of
    /// the month (`1,15,last`, `1-10`).
    package init(_ text: String) throws(TextProblem) {
        let patterns = try DayPattern.patterns(in: text[...], column: 1)
        guard patterns.count == 1 else {
            throw TextProblem(
                "this is more than one pattern", 1..<text.count + 1, hint: "use a separate --on for each")
        }
        self = patterns[0]
    }

    /// Parses patterns, one for each group of ordinals: `1st Mon and 3rd Wed` are two.
    ///
    /// An interval without a first day begins with `start`.
    static func patterns(
        in text: Substring, column: Int, start: CivilDate? = nil
    ) throws(TextProblem) -> [DayPattern] {
        if let phrase = HolidayPhrase(text, column: column) {
            let patterns = try patterns(in: phrase.days, column: column, start: start)
            guard patterns.allSatisfy({ $0.exception == nil }) else {
                throw DayPhrase.noException(column..<column + Swift.max(1, text.count))
            }
            return patterns.map { $0.except(HolidayException(phrase.calendar)) }
        }
        if let phrase = IntervalPhrase(text, column: column) { return try phrase.patterns(start) }
        let all = column..<column + Swift.max(1, text.count)
        return try DayPhrase(DayToken.tokens(of: text, from: column), all: all).patterns()
    }
}

extension WeekdaySet {
    /// Monday to Friday.
    static let workweek: WeekdaySet = [.monday, .tuesday, .wednesday, .thursday, .friday]
    /// Saturday and Sunday.
    static let weekend: WeekdaySet = [.saturday, .sunday]

    /// The short names of the days, three or more consecutive ones as a range: `Mon,Wed-Fri`.
    fileprivate var text: String {
        // Monday is bit 0 here, and day 1.
        shortRanges(of: UInt32(rawValue) << 1) { Weekday(rawValue: $0)?.shortName ?? "" }
    }
}

extension MonthDaySet {
    /// The days by number, three or more consecutive ones as a range: `1-10,last`, `28-last`.
    fileprivate var text: String {
        let hasLast = contains(.last)
        let numbers = shortRanges(of: rawValue) { String($0) }
        let isToEnd = !hasLast && numbers.hasSuffix("-31")
        let text = isToEnd ? numbers.dropLast(2) + "last" : numbers[...]
        return hasLast ? text.isEmpty ? "last" : text + ",last" : String(text)
    }
}

/// Joins the numbers from 1 to 31 whose bits are set with commas, three or more consecutive ones as a range.
private func shortRanges(of bits: UInt32, word: (Int) -> String) -> String {
    var (text, rest) = ("", bits & ~1)
    while rest != 0 {
        let first = rest.trailingZeroBitCount
        let count = (~(rest >> first)).trailingZeroBitCount
        for number in first..<first + count where count < 3 || number == first || number == first + count - 1 {
            if !text.isEmpty { text += count > 2 && number > first ? "-" : "," }
            text += word(number)
        }
        rest &= ~0 << (first + count)
    }
    return text
}
