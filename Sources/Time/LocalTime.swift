package import CivilDate

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

    /// The time of the day as `HH:mm`.
    package var clock: String { "\(LocalTime.padded(hour)):\(LocalTime.padded(minute))" }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
