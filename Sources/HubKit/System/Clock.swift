package import CivilDate

/// Where time comes from. Tests give a clock that stands still until it is told to move.
package protocol Clock: Sendable {
    /// The moment now, in UTC.
    var now: Instant { get }
    /// Time since an arbitrary start; it never goes back.
    var monotonicNow: Duration { get }
    /// The day it is now for the person, in the time zone of this machine.
    var today: CivilDate { get }
    /// Waits for `duration`; throws `CancellationError` when the task is cancelled first.
    func sleep(for duration: Duration) async throws
}
