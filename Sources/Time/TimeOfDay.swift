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
