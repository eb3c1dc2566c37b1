package import CivilDate
import Glibc

/// The source of time. Tests use a clock that only moves when it is advanced.
package protocol Clock: Sendable {
    /// The moment now, in UTC.
    var now: Instant { get }
    /// Time since an arbitrary start; it never goes back.
    var monotonicNow: Duration { get }
    /// The current date of the user, in the time zone of this machine.
    var today: CivilDate { get }
    /// Waits for `duration`; throws `CancellationError` when the task is cancelled first.
    func sleep(for duration: Duration) async throws
}

/// The machine's own time.
package struct SystemClock: Clock {
    package init() {}

    /// The current time with millisecond precision.
    package var now: Instant {
        let (seconds, nanoseconds) = SystemClock.read(CLOCK_REALTIME)
        return Instant(milliseconds: seconds * 1000 + nanoseconds / 1_000_000)
    }

    /// Time since the machine started, the time it slept included.
    package var monotonicNow: Duration {
        let (seconds, nanoseconds) = SystemClock.read(CLOCK_BOOTTIME)
        return .seconds(seconds) + .nanoseconds(nanoseconds)
    }

    /// The date in the time zone of this machine.
    package var today: CivilDate { TimeZoneRules.system.localTime(at: now).day }

    /// Suspends the task; throws `CancellationError` when it is cancelled.
    package func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }

    private static func read(_ clock: clockid_t) -> (seconds: Int64, nanoseconds: Int64) {
        var time = timespec()
        clock_gettime(clock, &time)
        return (Int64(time.tv_sec), Int64(time.tv_nsec))
    }
}
