import CivilDate
import HubKit
import Synchronization

/// A clock fixed at noon of 20 November 2026, UTC, until it is moved.
final class StillClock: Clock {
    private let moment = Mutex(Instant(milliseconds: 1_795_176_000_000))

    var now: Instant { moment.withLock { $0 } }
    var monotonicNow: Duration { .milliseconds(now.milliseconds) }

    var today: CivilDate {
        CivilDate(daysSinceEpoch: Int(now.milliseconds / 86_400_000))
    }

    /// Moves the clock on.
    func advance(by duration: Duration) { moment.withLock { $0 = $0 + duration } }

    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        advance(by: duration)
    }
}
