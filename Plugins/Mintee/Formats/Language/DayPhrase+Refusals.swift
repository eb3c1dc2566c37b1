import CivilDate

// Phrases that no pattern can express, or that are ambiguous. Each is refused with the nearest valid form, because a
// habit on the wrong days is noticed late.
extension DayPhrase {
    /// Returns why the words are unsupported or ambiguous; nil if they are neither.
    func refusal() -> TextProblem? {
        unsupportedWord() ?? frequency() ?? wordedTarget() ?? interval() ?? ordinalOfSomething() ?? dailyAndMore()
            ?? bareWord()
    }

    private static let intervalHint =
        "write every 2 weeks on Mon from 2026-11-02, or list the dates: --dates 2026-12-01,2026-12-03"

    private static func isInterval(_ columns: Range<Int>) -> TextProblem {
        TextProblem("patterns repeat every week or every month", columns, hint: intervalHint)
    }

    /// The columns of the tokens in `range`.
    private func columns(_ range: ClosedRange<Int>) -> Range<Int> {
        tokens[range.lowerBound].columns.lowerBound..<tokens[range.upperBound].columns.upperBound
    }

    // MARK: - Words

    private static let intervalWords: Set<String> = [
        "other", "alternate", "alternating", "biweekly", "bi", "fortnightly", "fortnight", "bimonthly", "quarterly",
        "quarter", "yearly", "year", "years", "annually", "annual", "semiweekly", "hourly", "hour", "hours",
    ]

    private static let numbers: Set<String> = [
        "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ]

    private static let months: Set<String> = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
    ]

    private func unsupportedWord() -> TextProblem? {
        if tokens.contains(where: { $0.text.lowercased() == "before" }),
            tokens.contains(where: { $0.text.lowercased() == "end" || $0.meaning == .last })
        {
            return DayPhrase.isBeforeLast(columns(0...tokens.count - 1))
        }
        for (index, token) in tokens.enumerated() {
            let word = token.text.lowercased()
            if DayPhrase.intervalWords.contains(word) { return DayPhrase.isInterval(token.columns) }
            if DayPhrase.months.contains(word) {
                return TextProblem(
                    "a pattern cannot contain a month", token.columns,
                    hint: "list the dates: --dates 2026-12-01,2027-12-01")
            }
            if ["today", "tomorrow", "yesterday", "tonight"].contains(word) {
                return TextProblem(
                    "\"\(token.text)\" is one day, not a pattern", token.columns,
                    hint: "use --dates \(word == "tonight" ? "today" : word) for one day, or daily for every day")
            }
            if word.count(where: { $0 == "-" }) == 2, token.meaning == .unknown {
                return TextProblem(
                    "a date is not a pattern", token.columns, hint: "use --dates \(token.text) for single days")
            }
            if ["am", "pm"].contains(String(word.drop { ("0"..."9").contains($0) })) {
                return DayPhrase.isTime(token.columns)
            }
            if ["morning", "mornings", "noon", "afternoon", "evening", "evenings", "night", "nights", "o'clock", "at"]
                .contains(word), isTimeBehind(token)
            {
                return DayPhrase.isTime(token.columns)
            }
            if word == "end", meaning(index + 1) == .filler || meaning(index + 1) == .month || index + 1 == tokens.count
            {
                return TextProblem(
                    "\"end\" is not a day", token.columns, hint: "write last for the last day of each month")
            }
            if word.hasPrefix("holiday") {
                return TextProblem(
                    "holidays can only be left out", token.columns, hint: "write weekdays except holidays")
            }
            if DayPhrase.numbers.contains(word), [.day, .week, .month].contains(meaning(index + 1)) {
                return DayPhrase.isInterval(columns(index...index + 1))
            }
            if ["business", "working", "work"].contains(word) {
                return TextProblem(
                    "ambiguous: with or without holidays", token.columns,
                    hint: "write weekdays for Monday to Friday, or weekdays except holidays")
            }
        }
        return nil
    }

    /// Whether the words can be the name of a calendar of holidays: none of them belongs to a pattern or a target.
    static func canNameCalendar(_ tokens: [DayToken]) -> Bool {
        let others = tokens.filter { !$0.text.lowercased().hasPrefix("holiday") }
        return DayPhrase(others, all: 1..<2).unsupportedWord() == nil
            && !others.contains { targetWords.contains($0.text.lowercased()) }
    }

    /// The second last day of a month, and other days before the last one.
    static func isBeforeLast(_ columns: Range<Int>) -> TextProblem {
        TextProblem(
            "days before the last one are not supported", columns,
            hint: "list the dates: --dates 2026-12-30,2027-01-30; last is the last day of each month")
    }

    /// `at` introduces a time unless an amount follows it.
    private func isTimeBehind(_ token: DayToken) -> Bool {
        guard let index = tokens.firstIndex(of: token), tokens.indices.contains(index + 1) else { return true }
        return !["least", "most"].contains(tokens[index + 1].text.lowercased())
    }

    static func isTime(_ columns: Range<Int>) -> TextProblem {
        TextProblem("a pattern has no time of day", columns, hint: "use --remind 18:30 for a reminder")
    }

    // MARK: - How often

    /// `3x a week`, `twice a month`, `3/7`, `8 times daily`.
    private func frequency() -> TextProblem? {
        for (index, token) in tokens.enumerated() {
            let word = token.text.lowercased()
            var count: Int?
            switch word {
            case "once": count = 1
            case "twice": count = 2
            case "thrice": count = 3
            case "times", "time", "x":
                if case .number(let number)? = meaning(index - 1) { count = number }
            default:
                let digits = word.drop { $0 == "x" || $0 == "×" }.prefix { ("0"..."9").contains($0) }
                if token.meaning == .unknown, (1...3).contains(digits.count),
                    ["x", "×"].contains(word.filter { !("0"..."9").contains($0) })
                {
                    count = Int(digits)
                }
                if token.meaning == .slash, case .number(let number)? = meaning(index - 1),
                    case .number(let span)? = meaning(index + 1)
                {
                    return often(number, in: span == 7 ? .week : nil, columns(index - 1...index + 1))
                }
                if token.meaning == .slash, case .number(let number)? = meaning(index - 1) { count = number }
            }
            guard let count else { continue }
            let spans = tokens[index...].map(\.meaning)
            let span: DayToken.Meaning? =
                spans.contains(.week) || spans.contains(.weekly)
                ? .week
                : spans.contains(.month) || spans.contains(.monthly)
                    ? .month : tokens.contains { [.day, .daily].contains($0.meaning) } ? .day : nil
            return often(count, in: span, columns(min(index, tokens.count - 1)...tokens.count - 1))
        }
        return nil
    }

    private func often(_ count: Int, in span: DayToken.Meaning?, _ columns: Range<Int>) -> TextProblem {
        let hint: String
        switch span {
        case .day?: hint = count == 1 ? "write daily" : "use a target: \"daily: x >= \(count)\""
        case .week?:
            let days = ["Mon", "Mon,Thu", "Mon,Wed,Fri", "Mon,Tue,Thu,Fri", "weekdays", "Mon-Sat", "daily"]
            hint = "name the days, for example \((1...7).contains(count) ? days[count - 1] : "daily")"
        case .month?:
            let days = ["1", "1,15", "1,11,21"]
            hint = "name the days, for example \((1...3).contains(count) ? days[count - 1] : "1,8,15,22")"
        default: hint = "name the days, for example Mon,Wed,Fri or 1,15"
        }
        return TextProblem("a number of times per week or month is not supported", columns, hint: hint)
    }

    // MARK: - Targets in words

    private static let targetWords: Set<String> = [
        "least", "most", "max", "maximum", "min", "minimum", "more", "less", "fewer", "over", "under", "above", "below",
        "between", "exactly", "up",
    ]

    /// `at least 8` and `8+`, which belong after a colon.
    private func wordedTarget() -> TextProblem? {
        let isTarget = { (token: DayToken) in
            DayPhrase.targetWords.contains(token.text.lowercased()) || token.meaning == .plus
        }
        guard let word = tokens.firstIndex(where: isTarget) else {
            // In "daily 8" the number must be an amount, but it is unclear whether it is a minimum or a maximum.
            guard tokens.count == 2, tokens[0].meaning == .daily, case .number(let number) = tokens[1].meaning else {
                return nil
            }
            return TextProblem(
                "a target must follow a colon", tokens[1].columns, hint: "write \"daily: x >= \(number)\"")
        }
        if tokens[word].meaning == .plus {
            guard case .number? = meaning(word - 1), word == tokens.count - 1 else { return nil }
        }
        let start = tokens.firstIndex { token in
            if case .number = token.meaning { return true }
            return isTarget(token) || ["at", "no", "not"].contains(token.text.lowercased())
        }
        guard let start else { return nil }
        let days = tokens[..<start].map(\.text).joined(separator: " ")
        let text = tokens[start...].reduce(into: "") { text, token in
            text += (text.isEmpty || token.meaning == .plus ? "" : " ") + token.text
        }
        let target = (try? Target(text)).map { $0.description } ?? "x >= 8"
        let pattern = days.isEmpty ? "daily" : (try? DayPattern(days).description) ?? "daily"
        return TextProblem(
            "a target must follow a colon", columns(start...tokens.count - 1), hint: "write \"\(pattern): \(target)\"")
    }

    // MARK: - Intervals

    /// `every 3 days`, `every 2nd day`, `every 3`, `2 weeks`.
    private func interval() -> TextProblem? {
        let units: [DayToken.Meaning] = [.day, .week, .month]
        for index in tokens.indices {
            if case .number(let number) = tokens[index].meaning, let unit = meaning(index + 1), units.contains(unit) {
                return unit == .day && number == 7
                    ? TextProblem(
                        "a pattern consists of days", columns(index...index + 1), hint: "write daily for every day")
                    : DayPhrase.isInterval(columns(index...index + 1))
            }
            guard tokens[index].meaning == .every else { continue }
            // The `every` of "of every month" does not start an interval.
            let next = tokens[(index + 1)...].drop { $0.meaning == .filler }
            guard let first = next.first else { continue }
            let list = next.prefix { token in
                switch token.meaning {
                case .number, .ordinal, .last, .separator, .filler, .range: true
                default: false
                }
            }
            let counted = list.filter {
                switch $0.meaning {
                case .number, .ordinal, .last: true
                default: false
                }
            }
            guard counted.count == 1, let only = counted.first, let place = list.firstIndex(of: only) else { continue }
            let behind = tokens[(place + 1)...].first
            let columns = only.columns.lowerBound..<(behind ?? only).columns.upperBound
            switch only.meaning {
            case .number(let number):
                if let behind, units.contains(behind.meaning) { return DayPhrase.isInterval(columns) }
                if namesMonth { continue }
                return TextProblem(
                    "ambiguous: a day of the month or an interval", first.columns.lowerBound..<columns.upperBound,
                    hint:
                        "write \(number) for the \(number)\(Self.suffix(number)) of each month, or every \(number) days from "
                        + "2026-11-20")
            case .ordinal(let number, _) where number > 1:
                switch behind?.meaning {
                case .day?, .week?, .month?: return DayPhrase.isInterval(columns)
                case .weekday(let day)? where !namesMonth:
                    let short =
                        number > 4 ? "Last \(day.shortName)" : "\(number)\(Self.suffix(number)) \(day.shortName)"
                    return TextProblem(
                        "ambiguous: a weekday of the month or an interval", columns,
                        hint:
                            "write \(short) for once a month, or every \(number) weeks on \(day.shortName) from 2026-11-20"
                    )
                case .weekday?: continue
                default:
                    if namesMonth { continue }
                    return TextProblem(
                        "ambiguous: a day of the month or an interval", columns,
                        hint:
                            "write \(number) for the \(number)\(Self.suffix(number)) of each month, or every \(number) days "
                            + "from 2026-11-20")
                }
            default: continue
            }
        }
        return nil
    }

    private static func suffix(_ number: Int) -> String {
        switch number {
        case 11...13: "th"
        case _ where number % 10 == 1: "st"
        case _ where number % 10 == 2: "nd"
        case _ where number % 10 == 3: "rd"
        default: "th"
        }
    }

    // MARK: - First and last of something

    /// `last day`, `first week`, `first weekday`, `last 3 days`.
    private func ordinalOfSomething() -> TextProblem? {
        for index in tokens.indices {
            let number: Int
            switch tokens[index].meaning {
            case .ordinal(let ordinal, _): number = ordinal
            case .last: number = 0
            default: continue
            }
            let place = columns(index...min(index + 1, tokens.count - 1))
            switch meaning(index + 1) {
            case .last? where number > 0:
                return DayPhrase.isBeforeLast(place)
            case .day? where !namesMonth:
                return TextProblem(
                    "ambiguous: a day of the week or of the month", place,
                    hint: number == 0
                        ? "write last for the last day of each month"
                        : "write \(number) for a day of each month, or Mon for a day of each week")
            case .week?:
                let days = (1...4).contains(number) ? "\(number * 7 - 6)-\(number * 7)" : "Last Mon-Sun"
                return TextProblem("a week of a month is not a pattern", place, hint: "name the days: \(days)")
            case .month?:
                return TextProblem("a pattern cannot contain a month", place, hint: "list the dates: --dates D,D")
            case .weekdays?, .daily?:
                let short = number == 0 ? "Last" : "\(number)\(Self.suffix(number))"
                let isWeekend = meaning(index + 1) == .weekdays(.weekend)
                return TextProblem(
                    "ambiguous day", place,
                    hint:
                        "write \(short) \(isWeekend ? "Sat" : "Mon") for a day of each month; working days are not supported"
                )
            case .number? where number == 0:
                return TextProblem("several last days are not supported", place, hint: "write 28-last, or last")
            default: continue
            }
        }
        return nil
    }

    // MARK: - Too much and too little

    /// `daily weekdays`: contradictory.
    private func dailyAndMore() -> TextProblem? {
        var isDaily = false
        var place: Range<Int>?
        for (index, token) in tokens.enumerated() {
            if token.meaning == .except { break }
            switch token.meaning {
            case .daily: isDaily = true
            case .every where meaning(index + 1) == .day: isDaily = true
            case .weekday, .weekdays, .number, .ordinal, .last: place = token.columns
            default: break
            }
        }
        guard isDaily, let place else { return nil }
        return TextProblem("ambiguous: every day, or only this day", place, hint: "write daily, or only the days")
    }

    /// `weekly`, `monthly`, `every week`, `day`: words without a day; `every day` is handled here.
    private func bareWord() -> TextProblem? {
        let namesDays = tokens.indices.contains { index in
            switch tokens[index].meaning {
            case .day: meaning(index - 1) == .every
            case .weekday, .weekdays, .daily, .number, .ordinal, .last, .unknown: true
            default: false
            }
        }
        if namesDays { return nestedTime() }
        for (index, token) in tokens.enumerated() {
            switch token.meaning {
            case .weekly, .week:
                return TextProblem("the day is missing", token.columns, hint: "name it, for example Mon")
            case .monthly, .month:
                return TextProblem("the day is missing", token.columns, hint: "name it, for example 1, last or 1st Mon")
            case .day where meaning(index - 1) != .every:
                return TextProblem("the day is missing", token.columns, hint: "write daily for every day")
            default: continue
            }
        }
        return nil
    }

    /// Words for a month next to days of the week: `Mon of the month`, `monthly on Mon`; and a spelled-out ordinal
    /// alone.
    private func nestedTime() -> TextProblem? {
        let hasOrdinal = tokens.contains { token in
            switch token.meaning {
            case .ordinal, .last, .number: true
            default: false
            }
        }
        let isEveryDay = tokens.indices.contains { meaning($0) == .every && meaning($0 + 1) == .day }
        if isEveryDay { return nil }
        let weekday = tokens.first { token in
            switch token.meaning {
            case .weekday, .weekdays, .daily: true
            default: false
            }
        }
        if let weekday, !hasOrdinal, let month = tokens.first(where: { [.month, .monthly].contains($0.meaning) }) {
            return TextProblem(
                "ambiguous: which one of the month", month.columns, hint: "write 1st \(weekday.text)")
        }
        if let ordinal = tokens.first(where: \.isSpelledOrdinal), weekday == nil, !namesMonth,
            !tokens.contains(where: { $0.meaning == .monthly }), case .ordinal(let number, _) = ordinal.meaning
        {
            return TextProblem(
                "ambiguous ordinal", ordinal.columns,
                hint: "write \(number) for the \(number)\(Self.suffix(number)) of each month")
        }
        if weekday == nil, let week = tokens.first(where: { [.week, .weekly].contains($0.meaning) }),
            !tokens.contains(where: { $0.meaning == .unknown })
        {
            return TextProblem(
                "days of the month and days of the week cannot be combined", week.columns, hint: "write Mon, or 1,15")
        }
        return nil
    }
}
