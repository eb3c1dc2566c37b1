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
