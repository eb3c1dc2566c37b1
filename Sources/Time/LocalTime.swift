package import CivilDate
import Glibc

/// A time of a day as a clock on the wall shows it, without saying where.
package struct LocalTime: Hashable, Sendable {
    /// The day.
    package let day: CivilDate
    /// Milliseconds since that day's midnight, on a day without a change of the clocks.
    package let millisecond: Int

    package init(day: CivilDate, millisecond: Int = 0) {
        self.day = day
        self.millisecond = millisecond
    }

    /// The hour of the day, 0...23.
    package var hour: Int { millisecond / 3_600_000 }
    /// The minute of the hour.
    package var minute: Int { millisecond / 60_000 % 60 }
    /// The second of the minute.
    package var second: Int { millisecond / 1000 % 60 }
}

extension LocalTime: CustomStringConvertible {
    /// The time as `yyyy-MM-dd HH:mm:ss`.
    package var description: String { "\(day) \(clock):\(LocalTime.padded(second))" }

    /// The time as `yyyy-MM-ddTHH:mm:ss` (ISO 8601), for programs.
    package var iso8601: String { "\(day)T\(clock):\(LocalTime.padded(second))" }

    /// The time of the day as `HH:mm`.
    package var clock: String { "\(LocalTime.padded(hour)):\(LocalTime.padded(minute))" }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}

/// A time of the day to the minute, as a clock on the wall shows it.
package struct TimeOfDay: Hashable, Comparable, Sendable {
    /// Minutes since midnight, 0..<1440.
    package let minutes: Int

    /// Parses `HH:mm`; nil when that is not a time of day.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hour = Self.twoDigits(parts[0]), let minute = Self.twoDigits(parts[1]),
            hour < 24, minute < 60
        else { return nil }
        minutes = hour * 60 + minute
    }

    /// Creates a time from minutes since midnight; nil outside 0..<1440.
    package init?(minutes: Int) {
        guard (0..<1440).contains(minutes) else { return nil }
        self.minutes = minutes
    }

    private static func twoDigits(_ text: some StringProtocol) -> Int? {
        text.utf8.count == 2 && text.allSatisfy { ("0"..."9").contains($0) } ? Int(text) : nil
    }

    /// Whether `left` is earlier in the day.
    package static func < (left: TimeOfDay, right: TimeOfDay) -> Bool { left.minutes < right.minutes }
}

extension TimeOfDay: CustomStringConvertible {
    /// The time as `HH:mm`.
    package var description: String {
        [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

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
