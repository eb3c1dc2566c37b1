/// When an account is synced in the background: on its interval, soon after a change here, later and later while it fails.
package enum SyncSchedule {
    /// How long the service waits after a change here, so that one sync sends several.
    package static let settling = Duration.seconds(3)
    /// The first wait after a failure, in milliseconds; each further one doubles it.
    static let firstDelay: Int64 = 60_000
    /// The longest wait after failures, unless the interval is longer.
    static let longestDelay: Int64 = 3_600_000

    /// How many milliseconds after a sync the next one is due.
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
        return max(jittered, Int64(min(max(retryAfter ?? 0, 0), 86_400)) * 1000)
    }

    /// When an account with this last run is due, in milliseconds since 1970 UTC; at once when it never ran.
    package static func due(_ run: AccountRun?, every: Duration) -> Int64 {
        guard let run else { return 0 }
        // An interval that was shortened since counts from the last run.
        guard run.failures == 0 else { return run.nextAt }
        return min(run.nextAt, run.finishedAt + every.components.seconds * 1100)
    }
}
