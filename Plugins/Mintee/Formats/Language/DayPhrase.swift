import CivilDate

/// The words of a day pattern, in order.
///
/// ``patterns()`` first refuses unsupported and ambiguous phrases; the rest is a list of days, optionally with a list
/// of exceptions.
struct DayPhrase {
    let tokens: [DayToken]
    /// The columns of the whole text.
    let all: Range<Int>

    init(_ tokens: [DayToken], all: Range<Int>) {
        self.tokens = tokens
        self.all = all
    }

    /// The meaning of the token at `index`, nil before the first and after the last one.
    func meaning(_ index: Int) -> DayToken.Meaning? { tokens.indices.contains(index) ? tokens[index].meaning : nil }

    /// Whether the text mentions days of a month.
    var namesMonth: Bool { tokens.contains { $0.meaning == .month } }

    /// Returns the patterns of the words.
    func patterns() throws(TextProblem) -> [DayPattern] {
        if let refusal = refusal() { throw refusal }
        guard let cut = tokens.firstIndex(where: { $0.meaning == .except }) else {
            return try DayList(tokens[...], all: all).patterns()
        }
        let patterns = try DayList(tokens[..<cut], all: all).patterns()
        let rest = tokens[cut...].drop { $0.meaning == .except }
        let columns = tokens[cut].columns.lowerBound..<tokens[tokens.count - 1].columns.upperBound
        guard !rest.contains(where: { $0.meaning == .except }) else { throw DayPhrase.noException(columns) }
        let left = try DayList(rest, all: columns).patterns()
        guard patterns.count == 1, left.count == 1 else { throw DayPhrase.noException(columns) }
        return [try patterns[0].without(left[0], columns)]
    }

    static func noException(_ columns: Range<Int>) -> TextProblem {
        TextProblem("this exception is not supported", columns, hint: "name the remaining days")
    }
}

extension DayPattern {
    /// The pattern without the days of another one.
    fileprivate func without(_ other: DayPattern, _ columns: Range<Int>) throws(TextProblem) -> DayPattern {
        let left: DayPattern
        switch (kind, other.kind) {
        case (.daysOfWeek, .daysOfWeek):
            left = DayPattern(weekdays: weekdays.subtracting(other.weekdays))
        case (.daysOfMonth, .daysOfMonth) where !monthDays.contains(.last) && !other.monthDays.contains(.last):
            left = DayPattern(monthDays: monthDays.subtracting(other.monthDays))
        case (.daysOfWeek, .daysOfMonth) where self == .daily && !other.monthDays.contains(.last):
            left = DayPattern(monthDays: MonthDaySet((1...31).map(MonthDay.day)).subtracting(other.monthDays))
        default: throw DayPhrase.noException(columns)
        }
        guard left.violations.isEmpty else { throw TextProblem("no days are left", columns) }
        return left
    }
}

/// A list of days without exceptions.
private struct DayList {
    /// Weekdays with the ordinals before them.
    private struct Group {
        var weeks: MonthWeekSet = []
        var weekdays: WeekdaySet = []
    }

    private let tokens: ArraySlice<DayToken>
    private let all: Range<Int>
    private var groups: [Group] = []
    /// Ordinals and `last` that have not been followed by a weekday yet.
    private var open: [(day: MonthDay, columns: Range<Int>)] = []
    private var monthDays: [(day: MonthDay, columns: Range<Int>)] = []
    private var position: Int

    init(_ tokens: ArraySlice<DayToken>, all: Range<Int>) {
        self.tokens = tokens
        self.all = all
        position = tokens.startIndex
    }

    private enum Item {
        case weekdays(WeekdaySet)
        case ordinals([MonthDay], isRange: Bool)
        case numbers([MonthDay])
    }

    func patterns() throws(TextProblem) -> [DayPattern] {
        var list = self
        return try list.read()
    }

    private mutating func read() throws(TextProblem) -> [DayPattern] {
        while let (item, columns) = try next() {
            switch item {
            case .weekdays(let days): try add(days, columns)
            case .ordinals(let days, let isRange):
                if isRange {
                    monthDays += days.map { ($0, columns) }
                } else {
                    open += days.map { ($0, columns) }
                }
            case .numbers(let days): monthDays += days.map { ($0, columns) }
            }
        }
        return try result()
    }

    private mutating func add(_ days: WeekdaySet, _ columns: Range<Int>) throws(TextProblem) {
        if open.isEmpty, !groups.isEmpty {
            groups[groups.count - 1].weekdays.formUnion(days)
            return
        }
        var weeks: [MonthWeek] = []
        for (day, columns) in open {
            switch day {
            case .last: weeks.append(.last)
            case .day(let number):
                guard let week = MonthWeek(rawValue: number), week != .last else {
                    throw TextProblem(
                        "weeks of a month are 1st to 4th and Last", columns,
                        hint: number == 5 ? "a fifth weekday is written Last \(names(days))" : nil)
                }
                weeks.append(week)
            }
        }
        if !groups.isEmpty, groups[0].weeks.isEmpty {
            let place = open.first?.columns ?? columns
            throw TextProblem(
                "days of every week and of weeks of a month cannot be combined", place,
                hint: "put the ordinal before its weekday: 2nd Fri; use a separate --on for each pattern")
        }
        open = []
        groups.append(Group(weeks: MonthWeekSet(weeks), weekdays: days))
    }

    private func names(_ days: WeekdaySet) -> String { days.names.joined(separator: ",") }

    private func result() throws(TextProblem) -> [DayPattern] {
        guard !groups.isEmpty else {
            let set = MonthDaySet((open + monthDays).map(\.day))
            guard !set.isEmpty else { throw TextProblem("no days given", all) }
            return [DayPattern(monthDays: set)]
        }
        if let number = monthDays.first {
            throw TextProblem(
                "days of the month and days of the week cannot be combined", number.columns,
                hint: "use a separate --on for each, and put a target after a colon: \"daily: x >= 8\"")
        }
        if let ordinal = open.first {
            throw TextProblem(
                "a weekday must follow this", ordinal.columns, hint: "put the ordinal before its weekday: 2nd Fri")
        }
        if groups.count == 1, groups[0].weeks.isEmpty { return [DayPattern(weekdays: groups[0].weekdays)] }
        var merged: [Group] = []
        for group in groups {
            if let index = merged.firstIndex(where: { $0.weekdays == group.weekdays }) {
                merged[index].weeks.formUnion(group.weeks)
            } else {
                merged.append(group)
            }
        }
        return merged.map { DayPattern(weekdays: $0.weekdays, weeks: $0.weeks) }
    }

    /// The next day or range of days; nil at the end.
    private mutating func next() throws(TextProblem) -> (Item, Range<Int>)? {
        while position < tokens.endIndex {
            let token = tokens[position]
            position += 1
            switch token.meaning {
            case .day where position > tokens.startIndex + 1 && tokens[position - 2].meaning == .every:
                return (.weekdays(.all), token.columns)
            case .separator, .filler, .every, .day, .week, .month, .weekly, .monthly: continue
            case .slash, .plus:
                guard isBetweenWeekdays(position - 1) else { throw unknown(token) }
            case .daily: return (.weekdays(.all), token.columns)
            case .weekdays(let days): return (.weekdays(days), token.columns)
            case .weekday(let day): return try weekdays(from: day, token)
            case .number(let number): return try numbers(from: number, token)
            case .ordinal(let number, _): return try ordinals(from: number, token)
            case .last: return (.ordinals([.last], isRange: false), token.columns)
            case .range, .except, .unknown: throw unknown(token)
            }
        }
        return nil
    }

    private func isBetweenWeekdays(_ index: Int) -> Bool {
        guard tokens.indices.contains(index - 1), tokens.indices.contains(index + 1) else { return false }
        guard case .weekday = tokens[index - 1].meaning, case .weekday = tokens[index + 1].meaning else { return false }
        return true
    }

    private func unknown(_ token: DayToken) -> TextProblem {
        TextProblem(
            "\"\(token.text)\" is not a day", token.columns, word: token.text, vocabulary: DayToken.vocabulary)
    }

    /// Returns the token after a range sign, and moves past both; nil if no range follows.
    private mutating func rangeEnd() throws(TextProblem) -> DayToken? {
        guard position < tokens.endIndex, tokens[position].meaning == .range else { return nil }
        let sign = tokens[position]
        position += 1
        guard position < tokens.endIndex else { throw TextProblem("a day is missing after this", sign.columns) }
        position += 1
        return tokens[position - 1]
    }

    private mutating func weekdays(from first: Weekday, _ token: DayToken) throws(TextProblem) -> (Item, Range<Int>) {
        guard let end = try rangeEnd() else { return (.weekdays([first]), token.columns) }
        let columns = token.columns.lowerBound..<end.columns.upperBound
        guard case .weekday(let last) = end.meaning else { throw unknown(end) }
        guard first != last else { throw TextProblem("a range needs two different days", columns) }
        let days = (0...(last.rawValue - first.rawValue + 7) % 7).compactMap {
            Weekday(rawValue: (first.rawValue - 1 + $0) % 7 + 1)
        }
        return (.weekdays(WeekdaySet(days)), columns)
    }

    private mutating func numbers(from low: Int, _ token: DayToken) throws(TextProblem) -> (Item, Range<Int>) {
        guard let end = try rangeEnd() else { return (.numbers(try days(low, low, token.columns)), token.columns) }
        let columns = token.columns.lowerBound..<end.columns.upperBound
        switch end.meaning {
        case .number(let high), .ordinal(let high, _): return (.numbers(try days(low, high, columns)), columns)
        case .last: return (.numbers(try days(low, 31, columns)), columns)
        default: throw unknown(end)
        }
    }

    private mutating func ordinals(from low: Int, _ token: DayToken) throws(TextProblem) -> (Item, Range<Int>) {
        guard let end = try rangeEnd() else {
            return (.ordinals(try days(low, low, token.columns), isRange: false), token.columns)
        }
        let columns = token.columns.lowerBound..<end.columns.upperBound
        switch end.meaning {
        case .number(let high), .ordinal(let high, false):
            return (.ordinals(try days(low, high, columns), isRange: true), columns)
        case .last where !token.isSpelledOrdinal:
            return (.ordinals(try days(low, 31, columns), isRange: true), columns)
        default:
            throw TextProblem("this is not supported", columns, hint: "name the weeks one by one: 1st,2nd,3rd Mon")
        }
    }

    /// Returns the days `low` to `high`; a range to `last` extends to 31, since days that a month lacks are skipped.
    private func days(_ low: Int, _ high: Int, _ columns: Range<Int>) throws(TextProblem) -> [MonthDay] {
        guard low >= 1, high <= 31, low <= high else {
            throw TextProblem("days of a month are 1 to 31 and last", columns)
        }
        return (low...high).map(MonthDay.day)
    }
}

extension DayToken {
    /// Whether it is a spelled-out ordinal, such as `second`.
    var isSpelledOrdinal: Bool {
        if case .ordinal(_, true) = meaning { true } else { false }
    }
}
