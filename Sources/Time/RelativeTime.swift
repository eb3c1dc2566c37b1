import CivilDate

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
        case 0..<1: return "now"
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
