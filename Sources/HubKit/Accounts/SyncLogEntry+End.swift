package import Sync
import Time

extension SyncLogEntry {
    /// Notes how a sync ended and when the next one is due. `before` is the last sync, `jitter` a random number from 0 up
    /// to 1, `retryAfter` the seconds that a server asked to be left alone.
    package mutating func end(
        _ error: HubError?, at now: Instant, after elapsed: Duration, before: SyncLogEntry?, every: Duration,
        retryAfter: Int?, jitter: Double
    ) {
        milliseconds = elapsed.milliseconds
        finishedAt = now.milliseconds
        failure = error?.message
        failures = error == nil ? 0 : (before?.failures ?? 0) + 1
        nextAt =
            finishedAt
            + SyncSchedule.delay(every: every, failures: failures, retryAfter: retryAfter, jitter: jitter)
    }
}
