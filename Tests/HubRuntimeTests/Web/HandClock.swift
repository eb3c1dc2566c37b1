import CivilDate
import HubKit
import Synchronization

/// A clock that stops until it is moved.
final class HandClock: Clock {
    private let moment = Mutex(Instant(milliseconds: 1_800_000_000_000))

    var now: Instant { moment.withLock(\.self) }
    var monotonicNow: Duration { .milliseconds(now.milliseconds) }

    func move(by duration: Duration) {
        moment.withLock { $0 = $0 + duration }
    }

    var today: CivilDate { preconditionFailure("no test of the page asks for the day") }
    func sleep(for _: Duration) async throws { preconditionFailure("no test of the page sleeps") }
}
