package import CivilDate

/// A day or moment as people type it: `today`, `mon`, `2026-11-20`, `14:30`, `2026-11-20T14:30`, `3d`.
///
/// Reading needs no clock; what the words mean is settled when the expression is resolved.
package enum DateExpression: Sendable, Equatable {
    /// Today plus this many days: `yesterday` is -1.
    case relativeDay(Int)
    /// The nearest such day of the week; today counts.
    case weekday(Weekday)
    /// A day of the calendar.
    case day(CivilDate)
    /// A time of today, in minutes after midnight.
    case time(minutes: Int)
    /// A time of a day, in minutes after midnight.
    case moment(CivilDate, minutes: Int)
    /// A length of time before or after now.
    case length(DurationFormat)

    /// The direction of durations and weekdays: back in `--since` and `--at`, forward elsewhere.
    package enum Direction: Int, Sendable { case back = -1, forward = 1 }

    /// Parses `text`; nil when it is not a date expression.
    package init?(_ text: some StringProtocol) {
        let word = text.lowercased()
        if let days = ["yesterday": -1, "today": 0, "tomorrow": 1][word] {
            self = .relativeDay(days)
        } else if let weekday = DateExpression.weekdays[word] {
            self = .weekday(weekday)
        } else if let day = CivilDate(word) {
            self = .day(day)
        } else if let minutes = DateExpression.minutes(word[...]) {
            self = .time(minutes: minutes)
        } else if let length = DurationFormat(word) {
            self = .length(length)
        } else {
            let parts = word.split(separator: "t", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let day = CivilDate(parts[0]), let minutes = DateExpression.minutes(parts[1])
            else { return nil }
            self = .moment(day, minutes: minutes)
        }
    }

    /// The day that is meant when it is `today`.
    package func day(today: CivilDate, _ direction: Direction = .forward) -> CivilDate {
        switch self {
        case .relativeDay(let days): return today.adding(days: days)
        case .weekday(let weekday):
            let ahead = (weekday.rawValue - today.weekday.rawValue + 7) % 7
            return today.adding(days: direction == .forward || ahead == 0 ? ahead : ahead - 7)
        case .day(let day), .moment(let day, _): return day
        case .time: return today
        case .length(let length): return length.day(from: today, direction)
        }
    }

    /// The moment that is meant when it is `now`; a day means its beginning in `zone`.
    package func instant(now: Instant, in zone: TimeZoneRules, _ direction: Direction = .back) -> Instant {
        let local = zone.localTime(at: now)
        switch self {
        case .relativeDay, .weekday, .day: return zone.instant(at: LocalTime(day: day(today: local.day, direction)))
        case .time(let minutes): return zone.instant(at: LocalTime(day: local.day, millisecond: minutes * 60_000))
        case .moment(let day, let minutes):
            return zone.instant(at: LocalTime(day: day, millisecond: minutes * 60_000))
        case .length(let length): return length.instant(from: now, in: zone, direction)
        }
    }

    private static let weekdays: [String: Weekday] = [
        "mon": .monday, "tue": .tuesday, "wed": .wednesday, "thu": .thursday, "fri": .friday, "sat": .saturday,
        "sun": .sunday, "monday": .monday, "tuesday": .tuesday, "wednesday": .wednesday, "thursday": .thursday,
        "friday": .friday, "saturday": .saturday, "sunday": .sunday,
    ]

    /// The minutes after midnight that `HH:mm` or `H:mm` names.
    private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            text.utf8.allSatisfy({ $0 == 0x3A || (0x30...0x39).contains($0) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }
}

/// Two dates with `..` between them, as people type a range; either end may be open, one date alone is its own range.
package struct DateRange: Sendable, Equatable {
    /// The first day or moment; nil when the range has no beginning.
    package let lower: DateExpression?
    /// The last day, which is part of the range, or the moment up to which it goes; nil when it has no end.
    package let upper: DateExpression?

    /// Parses `text`; nil when it is not a range.
    package init?(_ text: some StringProtocol) {
        let word = String(text)
        guard let dots = DateRange.dots(in: word) else {
            guard let date = DateExpression(word) else { return nil }
            (lower, upper) = (date, date)
            return
        }
        let (first, last) = (word[..<dots.lowerBound], word[dots.upperBound...])
        (lower, upper) = (DateExpression(first), DateExpression(last))
        let isComplete = (lower != nil || first.isEmpty) && (upper != nil || last.isEmpty)
        guard isComplete, lower != nil || upper != nil else { return nil }
    }

    private static func dots(in text: String) -> Range<String.Index>? {
        guard let first = text.firstIndex(of: ".") else { return nil }
        let second = text.index(after: first)
        guard second < text.endIndex, text[second] == "." else { return nil }
        return first..<text.index(after: second)
    }
}
