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
    /// Between attempts of a call to a local backend.
    package static let localCall = Backoff(first: .milliseconds(50), limit: .seconds(2), jitter: 0)

    /// Returns the pause after `attempt` failures in a row, counted from 1.
    /// - Parameter random: A number in 0..<1.
    package func delay(attempt: Int, random: Double) -> Duration {
        let doublings = min(max(attempt - 1, 0), 30)
        let pause = min(first * (1 << doublings), limit)
        return pause + pause * (jitter * min(max(random, 0), 1))
    }
}
