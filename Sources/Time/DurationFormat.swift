package import CivilDate

/// A length of time as people type it: `45min`, `3h`, `2d`, `3w`, `6mo`, `1y`.
///
/// Days and longer units follow the calendar: a month after 31 January is the last day of February.
package struct DurationFormat: Sendable, Equatable {
    /// The unit of a duration.
    package enum Unit: String, Sendable, CaseIterable {
        case minute = "min"
        case hour = "h"
        case day = "d"
        case week = "w"
        case month = "mo"
        case year = "y"
    }

    /// The number of units; never negative.
    package let count: Int
    /// The unit.
    package let unit: Unit

    package init(_ count: Int, _ unit: Unit) {
        self.count = count
        self.unit = unit
    }

    /// Parses `text`; nil when it is not a duration, or has more than 9999 of a unit.
    package init?(_ text: some StringProtocol) {
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard (1...4).contains(digits.count), let count = Int(digits),
            let unit = Unit(rawValue: String(text.dropFirst(digits.count)))
        else { return nil }
        self.init(count, unit)
    }

    /// The day that lies this length before or after `day`; minutes and hours count as whole days only.
    package func day(from day: CivilDate, _ direction: DateExpression.Direction) -> CivilDate {
        let signed = count * direction.rawValue
        return switch unit {
        case .minute: day.adding(days: signed / 1440)
        case .hour: day.adding(days: signed / 24)
        case .day: day.adding(days: signed)
        case .week: day.adding(days: signed * 7)
        case .month: DurationFormat.adding(months: signed, to: day)
        case .year: DurationFormat.adding(months: signed * 12, to: day)
        }
    }

    /// The moment that lies this length before or after `now`.
    package func instant(from now: Instant, in zone: TimeZoneRules, _ direction: DateExpression.Direction) -> Instant {
        let signed = count * direction.rawValue
        switch unit {
        case .minute: return now + .seconds(signed * 60)
        case .hour: return now + .seconds(signed * 3600)
        case .day, .week, .month, .year:
            let local = zone.localTime(at: now)
            return zone.instant(at: LocalTime(day: day(from: local.day, direction), millisecond: local.millisecond))
        }
    }

    /// Clamps to the last day of the month and to the years 1 to 9999.
    private static func adding(months: Int, to day: CivilDate) -> CivilDate {
        let (year, month, dayOfMonth) = day.components
        let index = min(max(year * 12 + month - 1 + months, 12), 9999 * 12 + 11)
        let (newYear, newMonth) = (index / 12, index % 12 + 1)
        let last = CivilDate.daysInMonth(newMonth, of: newYear)
        return CivilDate(year: newYear, month: newMonth, day: min(dayOfMonth, last)) ?? day
    }
}

/// Moments in words as near as people say them: `10 s ago`, `2 hours ago`, `yesterday`, `in 3 days`.
package struct RelativeTime: Sendable {
    private let now: Instant
    private let zone: TimeZoneRules

    /// Words as seen from `now`; `zone` decides where a day begins.
    package init(now: Instant, zone: TimeZoneRules) {
        self.now = now
        self.zone = zone
    }

    /// The words for `instant`; past a week the day, `2026-11-20`.
    package func words(for instant: Instant) -> String {
        let seconds = Int((instant.milliseconds - now.milliseconds) / 1000)
        let days = zone.localTime(at: instant).day.daysSinceEpoch - zone.localTime(at: now).day.daysSinceEpoch
        switch abs(seconds) {
        case 0..<1: return instant > now ? "now" : "just now"
        case ..<60: return direct("\(abs(seconds)) s", seconds)
        case ..<3600: return direct("\(abs(seconds) / 60) min", seconds)
        case _ where days == 0 || abs(seconds) < 6 * 3600: return direct(count(abs(seconds) / 3600, "hour"), seconds)
        default: break
        }
        switch days {
        case -1: return "yesterday"
        case 1: return "tomorrow"
        case -7...7: return direct(count(abs(days), "day"), seconds)
        default: return zone.localTime(at: instant).day.description
        }
    }

    private func count(_ number: Int, _ unit: String) -> String { "\(number) \(unit)\(number == 1 ? "" : "s")" }

    private func direct(_ length: String, _ seconds: Int) -> String { seconds < 0 ? "\(length) ago" : "in \(length)" }
}
