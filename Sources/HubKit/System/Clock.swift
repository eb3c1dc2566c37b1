package import CivilDate

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
