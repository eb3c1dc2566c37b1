/// Pauses between attempts that double up to a limit, with jitter so that many clients do not come back at once.
package struct Backoff: Hashable, Sendable {
    /// The pause after the first failure.
    package let first: Duration
    /// The longest pause, without jitter.
    package let limit: Duration
    /// The share of the pause by which it may grow, 0 to 1.
    package let jitter: Double

    package init(first: Duration, limit: Duration, jitter: Double = 0.5) {
        self.first = first
        self.limit = limit
        self.jitter = jitter
    }

    /// After a rate limit without a time.
    package static let rateLimit = Backoff(first: .seconds(30), limit: .seconds(900))
    /// After a failure of a server or of the network.
    package static let failure = Backoff(first: .seconds(1), limit: .seconds(60))
    /// Between attempts to connect a WebSocket.
    package static let reconnect = Backoff(first: .seconds(1), limit: .seconds(30))

    /// Returns the pause after `attempt` failures in a row, counted from 1.
    /// - Parameter random: A number in 0..<1.
    package func delay(attempt: Int, random: Double) -> Duration {
        let doublings = min(max(attempt - 1, 0), 30)
        let pause = min(first * (1 << doublings), limit)
        return pause + pause * (jitter * min(max(random, 0), 1))
    }
}

/// The attempts to keep a link. The pause before the next one grows until the link has delivered something: one that is accepted and
/// lost at once counts like one that is refused.
package struct LinkAttempts: Hashable, Sendable {
    private var failures = 0

    package init() {}

    /// Notes that the link delivered something.
    package mutating func delivered() { failures = 0 }

    /// Returns the pause after the link was lost, or could not be made.
    /// - Parameter random: A number in 0..<1.
    package mutating func lost(random: Double) -> Duration {
        failures += 1
        return Backoff.reconnect.delay(attempt: failures, random: random)
    }
}
