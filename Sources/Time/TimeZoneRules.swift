import CivilDate
import Glibc

/// The rules that turn moments into times on the wall and back.
package struct TimeZoneRules: Sendable {
    /// Seconds that the wall clock is ahead of UTC at a moment.
    let offset: @Sendable (Instant) -> Int

    /// Rules of one's own: `offset` returns the seconds that the wall clock is ahead of UTC at a moment.
    package init(offset: @escaping @Sendable (Instant) -> Int) { self.offset = offset }

    /// The zone that this machine is set to, or that `TZ` names.
    package static let system = TimeZoneRules { instant in
        var seconds = time_t(instant.milliseconds / 1000)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return 0 }
        return parts.tm_gmtoff
    }

    /// Always the same number of seconds ahead of UTC.
    package static func fixed(secondsFromUTC seconds: Int) -> TimeZoneRules { TimeZoneRules { _ in seconds } }

    /// Universal time.
    package static let utc = TimeZoneRules.fixed(secondsFromUTC: 0)

    /// Returns the local time at `instant`.
    package func localTime(at instant: Instant) -> LocalTime {
        let shifted = Int(instant.milliseconds) + offset(instant) * 1000
        let dayLength = 86_400_000
        let days = shifted >= 0 ? shifted / dayLength : (shifted - dayLength + 1) / dayLength
        return LocalTime(day: CivilDate(daysSinceEpoch: days), millisecond: shifted - days * dayLength)
    }

    /// The moment at which the clock on the wall shows `time`; when it is skipped or shown twice, one near it.
    package func instant(at time: LocalTime) -> Instant {
        let wall = Int64(time.day.daysSinceEpoch) * 86_400_000 + Int64(time.millisecond)
        let guess = Instant(milliseconds: wall - Int64(offset(Instant(milliseconds: wall))) * 1000)
        return Instant(milliseconds: wall - Int64(offset(guess)) * 1000)
    }
}
