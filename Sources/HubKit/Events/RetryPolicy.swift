/// The delays between attempts at a failed event, and their number.
package struct RetryPolicy: Sendable, Equatable {
    /// The number of attempts before an event becomes a dead event.
    package var attempts: Int
    /// The wait after the first failure; each further failure makes it four times longer.
    package var firstDelay: Duration
    /// The longest wait.
    package var longestDelay: Duration

    package init(attempts: Int, firstDelay: Duration, longestDelay: Duration) {
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
    }

    /// Eight tries within about 26 minutes: 1, 4, 16, 64, 256 and then 600 seconds apart. Later events of the
    /// subscriber wait meanwhile, for they come in order.
    package static let standard = RetryPolicy(attempts: 8, firstDelay: .seconds(1), longestDelay: .seconds(600))

    /// Whether the try that was put off until `moment` is due at `now`. One that lies further ahead than any wait was
    /// written by a clock that was wrong, and is due too.
    package func isDue(_ moment: Instant, at now: Instant) -> Bool {
        now >= moment || moment - now > longestDelay
    }

    /// The wait after the `failures`-th failure in a row, counted from one.
    package func delay(after failures: Int) -> Duration {
        var delay = firstDelay
        for _ in 1..<max(failures, 1) where delay < longestDelay { delay = delay * 4 }
        return min(delay, longestDelay)
    }
}
