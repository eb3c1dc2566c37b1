package import CivilDate

/// A day or moment as people type it: `today`, `mon`, `last friday`, `nov 24`, `24.11.`, `2026-11-20`, `14:30`,
/// `2026-11-20T14:30`, `3d`, `-3d`, `3 days ago`, `in 3 days`.
///
/// Reading needs no clock; what the words mean is settled when the expression is resolved.
package enum DateExpression: Sendable, Equatable {
    /// Today plus this many days: `yesterday` is -1.
    case relativeDay(Int)
    /// The nearest such day of the week; today counts.
    case weekday(Weekday)
    /// The latest such day of the week before today: `last friday`.
    case lastWeekday(Weekday)
    /// The nearest such day of a year, today included; 29 February waits for a leap year.
    case dayOfYear(month: Int, day: Int)
    /// A day of the calendar.
    case day(CivilDate)
    /// A time of today, in minutes after midnight.
    case time(minutes: Int)
    /// A time of a day, in minutes after midnight.
    case moment(CivilDate, minutes: Int)
    /// A length of time before or after now.
    case length(DurationFormat)
    /// A length of time whose direction was typed: `-3d`, `3 days ago`, `in 3 days`.
    case offset(DurationFormat, Direction)

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
            if parts.count == 2, let day = CivilDate(parts[0]), let minutes = DateExpression.minutes(parts[1]) {
                self = .moment(day, minutes: minutes)
            } else if let expression = DateExpression(words: word) {
                self = expression
            } else {
                return nil
            }
        }
    }

    /// The maximum length of the longer forms, in bytes.
    private static let maximumLength = 64

    /// Parses the longer forms: `last friday`, `2 days ago`, `in a week`, `nov 24`, `24 november 2026`, `24.11.`, `-1d`.
    private init?(words text: String) {
        guard text.utf8.count <= DateExpression.maximumLength else { return nil }
        let words = text.split { $0 == " " || $0 == "," }
        switch words.count {
        case 1:
            if let sign = text.first, sign == "-" || sign == "+", let length = DurationFormat(text.dropFirst()) {
                self = .offset(length, sign == "-" ? .back : .forward)
            } else if let day = DateExpression.dotted(words[0]) {
                self = day
            } else {
                return nil
            }
        case 2 where words[0] == "last":
            guard let weekday = DateExpression.weekdays[String(words[1])] else { return nil }
            self = .lastWeekday(weekday)
        case 3 where words[2] == "ago":
            guard let length = DateExpression.length(words[0], words[1]) else { return nil }
            self = .offset(length, .back)
        case 3 where words[0] == "in":
            guard let length = DateExpression.length(words[1], words[2]) else { return nil }
            self = .offset(length, .forward)
        case 2, 3:
            guard let day = DateExpression.named(words) else { return nil }
            self = day
        default: return nil
        }
    }

    /// `2 days`, `a week`: a number, or one, and a unit in full.
    private static func length(_ count: Substring, _ unit: Substring) -> DurationFormat? {
        let singular = unit.hasSuffix("s") ? unit.dropLast() : unit
        guard let unit = units[String(singular)] else { return nil }
        if ["a", "an", "one"].contains(count) { return DurationFormat(1, unit) }
        return DurationFormat(count + unit.rawValue)
    }

    private static let units: [String: DurationFormat.Unit] = [
        "minute": .minute, "min": .minute, "hour": .hour, "day": .day, "week": .week, "month": .month, "year": .year,
    ]

    /// `nov 24`, `24 november`, `24th nov 2026`.
    private static func named(_ words: [Substring]) -> DateExpression? {
        func month(_ word: Substring) -> Int? {
            let word = word.hasSuffix(".") ? word.dropLast() : word
            if word == "sept" { return 9 }
            let index = CivilDate.monthNames.firstIndex { name in
                word.count >= 3 && (word.count == 3 || word.count == name.count) && name.lowercased().hasPrefix(word)
            }
            return index.map { $0 + 1 }
        }
        func day(_ word: Substring) -> Int? {
            let digits = word.prefix { ("0"..."9").contains($0) }
            guard ["", ".", "st", "nd", "rd", "th"].contains(word.dropFirst(digits.count)) else { return nil }
            return (1...2).contains(digits.count) ? Int(digits) : nil
        }
        let first = month(words[0])
        guard let month = first ?? month(words[1]), let day = day(words[first == nil ? 0 : 1]) else { return nil }
        return of(year: words.dropFirst(2).first, month: month, day: day)
    }

    /// `24.11.` and `24.11.2026`: day and month, as they are written with points everywhere.
    private static func dotted(_ text: Substring) -> DateExpression? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            (1...2).contains(parts[0].count), (1...2).contains(parts[1].count), let day = Int(parts[0]),
            let month = Int(parts[1])
        else { return nil }
        return of(year: parts[2].isEmpty ? nil : parts[2], month: month, day: day)
    }

    private static func of(year: Substring?, month: Int, day: Int) -> DateExpression? {
        if let year {
            guard year.utf8.count == 4, let number = Int(year) else { return nil }
            return CivilDate(year: number, month: month, day: day).map { .day($0) }
        }
        // A leap year has all days that any year has.
        return CivilDate(year: 2000, month: month, day: day).map { _ in .dayOfYear(month: month, day: day) }
    }

    /// The day that is meant when it is `today`.
    package func day(today: CivilDate, _ direction: Direction = .forward) -> CivilDate {
        switch self {
        case .relativeDay(let days): return today.adding(days: days)
        case .weekday(let weekday):
            let ahead = (weekday.rawValue - today.weekday.rawValue + 7) % 7
            return today.adding(days: direction == .forward || ahead == 0 ? ahead : ahead - 7)
        case .lastWeekday(let weekday):
            return today.adding(days: -((today.weekday.rawValue - weekday.rawValue + 6) % 7 + 1))
        case .dayOfYear(let month, let day):
            let year = today.components.year
            // Eight years lie between the leap years around 1900.
            let years = direction == .forward ? Array(year...year + 8) : (year - 8...year).reversed()
            let days = years.lazy.compactMap { CivilDate(year: $0, month: month, day: day) }
            return days.first { direction == .forward ? $0 >= today : $0 <= today } ?? today
        case .day(let day), .moment(let day, _): return day
        case .time: return today
        case .length(let length): return length.day(from: today, direction)
        case .offset(let length, let direction): return length.day(from: today, direction)
        }
    }

    /// Whether the day depends on a direction from another day, and not on today alone.
    fileprivate var isNearest: Bool {
        switch self {
        case .weekday, .dayOfYear: true
        default: false
        }
    }

    /// The moment that is meant when it is `now`; a day means its beginning in `zone`.
    package func instant(now: Instant, in zone: TimeZoneRules, _ direction: Direction = .back) -> Instant {
        let local = zone.localTime(at: now)
        switch self {
        case .relativeDay, .weekday, .lastWeekday, .dayOfYear, .day:
            return zone.instant(at: LocalTime(day: day(today: local.day, direction)))
        case .time(let minutes): return zone.instant(at: LocalTime(day: local.day, millisecond: minutes * 60_000))
        case .moment(let day, let minutes):
            return zone.instant(at: LocalTime(day: day, millisecond: minutes * 60_000))
        case .length(let length): return length.instant(from: now, in: zone, direction)
        case .offset(let length, let direction): return length.instant(from: now, in: zone, direction)
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
        if let date = DateExpression(word) {
            (lower, upper) = (date, date)
            return
        }
        // A date may end with a point: `24.11...27.11.`
        guard word.utf8.count <= DateRange.maximumLength,
            let ends = word.indices.lazy.compactMap({ DateRange.ends(of: word, at: $0) }).first
        else { return nil }
        (lower, upper) = ends
    }

    /// The maximum length of a range, in bytes.
    private static let maximumLength = 150

    /// The two dates of `text` if a separator is at `index`; nil if there is none, or one of them is not a date.
    private static func ends(of text: String, at index: String.Index) -> (DateExpression?, DateExpression?)? {
        guard text[index...].hasPrefix("..") else { return nil }
        let (first, last) = (text[..<index], text[index...].dropFirst(2))
        let (lower, upper) = (DateExpression(first), DateExpression(last))
        let isComplete = (lower != nil || first.isEmpty) && (upper != nil || last.isEmpty)
        return isComplete && (lower != nil || upper != nil) ? (lower, upper) : nil
    }

    /// The days of the range when it is `today`; nil if it ends before it begins. A range back without an end goes to today,
    /// one forward without a beginning starts today; one without the other end has only one day.
    ///
    /// A day of the week or of the year at the far end is the nearest one as seen from the near end, so that `mon..wed` on a
    /// Tuesday are three days.
    package func days(today: CivilDate, _ direction: DateExpression.Direction) -> ClosedRange<CivilDate>? {
        let (near, far) = direction == .back ? (upper, lower) : (lower, upper)
        let first = near?.day(today: today, direction) ?? today
        let last = far.map { $0.day(today: $0.isNearest ? first : today, direction) } ?? first
        let (lower, upper) = direction == .back ? (last, first) : (first, last)
        return lower <= upper ? lower...upper : nil
    }
}
