/// When a client connects again after it lost its server: soon, then ever later, and never all clients at once.
package struct ReconnectSchedule: Hashable, Sendable {
    /// The longest first wait.
    package static let first = Duration.seconds(1)
    /// The longest wait.
    package static let longest = Duration.seconds(120)
    /// How long a connection must last to count as good.
    package static let stable = Duration.seconds(30)

    /// The number of failures in a row.
    package private(set) var failures = 0

    package init() {}

    /// Returns the wait before the next attempt, after a connection that lasted `lifetime`, or none at all.
    ///
    /// `jitter` is a random number from 0 up to 1, `retryAfter` the wait that the server asked for.
    package mutating func lost(
        after lifetime: Duration = .zero, jitter: Double, retryAfter: Duration = .zero
    ) -> Duration {
        failures = lifetime >= ReconnectSchedule.stable ? 1 : min(failures + 1, 30)
        let doubled = ReconnectSchedule.first * (1 << min(failures - 1, 10))
        let wait = min(doubled, ReconnectSchedule.longest)
        // Half of the wait is certain, so that a server that is down is left alone; the other half spreads clients.
        return max(wait / 2 + wait / 2 * min(max(jitter, 0), 1), min(retryAfter, .seconds(3600)))
    }
}

/// Whether the other end of a connection is still there: it is pinged when nothing comes, and given up when nothing comes
/// then.
package struct Heartbeat: Hashable, Sendable {
    /// The silence before a ping.
    package static let interval = Duration.seconds(20)
    /// The silence after a ping that ends the connection.
    package static let patience = Duration.seconds(10)

    /// What to do.
    package enum Action: Hashable, Sendable {
        case wait(Duration)
        case ping
        case giveUp
    }

    private var silentSince = Duration.zero
    private var pingedAt: Duration?

    package init() {}

    /// Records that something came, at a time since the beginning of the connection.
    package mutating func received(at now: Duration) { (silentSince, pingedAt) = (now, nil) }

    /// Returns what to do at a time since the beginning of the connection.
    package mutating func next(at now: Duration) -> Action {
        if let pingedAt {
            let left = pingedAt + Heartbeat.patience - now
            return left > .zero ? .wait(left) : .giveUp
        }
        let left = silentSince + Heartbeat.interval - now
        if left > .zero { return .wait(left) }
        pingedAt = now
        return .ping
    }
}
