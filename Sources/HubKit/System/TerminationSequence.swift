import Glibc

/// The steps that end a child against its will: ask, wait, kill.
struct TerminationSequence {
    /// The time that a child gets to end after SIGTERM.
    let grace: Duration
    private var killsAt: ContinuousClock.Instant?
    private var isKilled = false

    init(grace: Duration) { self.grace = grace }

    /// The time of the next step, once it has begun.
    var nextDeadline: ContinuousClock.Instant? { isKilled ? nil : killsAt }

    /// Begins; the signal to send, or nil when it has begun before.
    mutating func begin(at now: ContinuousClock.Instant) -> Int32? {
        guard killsAt == nil else { return nil }
        killsAt = now + grace
        return SIGTERM
    }

    /// The signal that is due at `now`, each once.
    mutating func step(at now: ContinuousClock.Instant) -> Int32? {
        guard let killsAt, !isKilled, now >= killsAt else { return nil }
        isKilled = true
        return SIGKILL
    }
}
