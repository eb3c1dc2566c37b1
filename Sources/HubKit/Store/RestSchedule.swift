/// When this process owes others a gap: after it has held the write lock for a while without one.
///
/// The gap is longer than the half millisecond that a waiting process sleeps between two looks. It is real time, for
/// it is another process that waits; no injected clock applies.
struct RestSchedule {
    private var heldSinceGap = Duration.zero
    private var lastRelease: ContinuousClock.Instant?
    private static let gap = Duration.milliseconds(2)
    private static let limit = Duration.milliseconds(8)

    /// The write lock was just released after `duration`.
    mutating func wasHeld(for duration: Duration) {
        heldSinceGap += duration
        lastRelease = .now
    }

    /// What is missing of the gap, where one is due.
    mutating func needed() -> Duration? {
        let since = lastRelease.map { ContinuousClock.now - $0 } ?? Self.gap
        guard since < Self.gap else {
            heldSinceGap = .zero
            return nil
        }
        guard heldSinceGap >= Self.limit else { return nil }
        heldSinceGap = .zero
        return Self.gap - since
    }
}
