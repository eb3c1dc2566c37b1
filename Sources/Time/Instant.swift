/// A moment in milliseconds since 1970-01-01T00:00:00Z, as it is stored; RFC 3339 in JSON.
package struct Instant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The moment that lies `duration` later, or earlier when negative.
    package static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(milliseconds: instant.milliseconds + Int64(duration.milliseconds))
    }

    /// The moment that lies `duration` earlier.
    package static func - (instant: Instant, duration: Duration) -> Instant { instant + (.zero - duration) }

    /// The time from `earlier` to `later`.
    package static func - (later: Instant, earlier: Instant) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }

    /// Whether `left` is earlier.
    package static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
}

extension Instant {
    /// The moment as RFC 3339 in UTC with milliseconds only when there are any: `2026-11-20T14:30:00Z`.
    package var rfc3339: String {
        let local = TimeZoneRules.utc.localTime(at: self)
        let milliseconds = local.millisecond % 1000
        let digits = String(milliseconds)
        let fraction = milliseconds == 0 ? "" : "." + String(repeating: "0", count: 3 - digits.count) + digits
        let text = local.description.split(separator: " ").joined(separator: "T")
        return text + fraction + "Z"
    }
}

extension Duration {
    /// The whole milliseconds, rounded towards zero; at most what an `Int` holds.
    package var milliseconds: Int {
        let (seconds, attoseconds) = components
        let (product, isLarge) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, isLarger) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return isLarge || isLarger ? (seconds < 0 ? .min : .max) : Int(sum)
    }

    /// The argument of poll(2) that waits at least this long: milliseconds rounded up, at most 24 days; 1 for a time
    /// that is over.
    package var pollTimeout: Int32 { Int32(clamping: min(max(self, .zero).milliseconds, Int.max - 1) + 1) }
}
