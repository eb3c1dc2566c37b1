/// The schedule of background syncs: on the account's interval, soon after a local change, and with growing delays
/// while it fails.
package enum SyncSchedule {
    /// The delay after a local change, so that one sync sends several.
    package static let settling = Duration.seconds(3)
    /// The shortest time in milliseconds between two syncs that changes in a folder start; a sync may be one of their causes.
    static let shortestGap: Int64 = 5_000
    /// The first wait after a failure, in milliseconds; each further one doubles it.
    static let firstDelay: Int64 = 60_000
    /// The longest wait after failures, unless the interval is longer.
    static let longestDelay: Int64 = 3_600_000
    /// The longest wait that a server may ask for, in seconds.
    static let longestRetryAfter: Int64 = 86_400

    /// Returns the delay until the next sync in milliseconds.
    ///
    /// `failures` counts those in a row, `retryAfter` is the seconds that a server asked to be left alone, and `jitter`
    /// is a random number from 0 up to 1, by which clients of one server do not come all at once.
    package static func delay(every: Duration, failures: Int, retryAfter: Int? = nil, jitter: Double) -> Int64 {
        let interval = max(every.components.seconds, 1) * 1000
        guard failures > 0 else { return interval + Int64(Double(interval) * 0.1 * jitter) }
        let doubled = firstDelay << min(Int64(failures - 1), 20)
        let wait = min(doubled, max(longestDelay, interval))
        // From half of the wait to all of it; never sooner than the server allows.
        let jittered = wait / 2 + Int64(Double(wait / 2) * jitter)
        return max(jittered, min(max(Int64(retryAfter ?? 0), 0), longestRetryAfter) * 1000)
    }

    /// Returns when an account with this last run is due, in milliseconds since 1970 UTC; immediately when it never
    /// ran.
    ///
    /// A run that ended after `now` was noted by a clock that was ahead; it says nothing, and the account is due.
    package static func due(_ run: SyncLogEntry?, every: Duration, now: Int64) -> Int64 {
        guard let run, run.finishedAt <= now else { return 0 }
        let interval = max(every.components.seconds, 1) * 1000
        // An interval that was shortened since counts from the last run; no wait is longer than any that `delay` makes.
        let longest = run.failures == 0 ? interval + interval / 10 : max(interval, longestRetryAfter * 1000)
        return min(run.nextAt, run.finishedAt + longest)
    }

    /// Returns when an account with this last run is due after a change in its folder, even if it is failing: the change
    /// may be what it lacked.
    package static func dueAfterChange(_ run: SyncLogEntry?, now: Int64) -> Int64 {
        guard let run, run.finishedAt <= now else { return 0 }
        return run.finishedAt + shortestGap
    }
}
