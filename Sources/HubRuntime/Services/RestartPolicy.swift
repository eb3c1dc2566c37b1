package import HubKit

/// The rule for restarting a service that ended.
package struct RestartPolicy: Sendable, Equatable {
    /// The waits between starts; `attempts` is the start limit: how many ends in a row give the service up.
    package var retry: RetryPolicy
    /// A service that ran this long had started well: its next end is again the first in a row.
    package var settleTime: Duration
    /// The time limit for stopping all services.
    package var stopTime: Duration

    package init(retry: RetryPolicy, settleTime: Duration, stopTime: Duration) {
        self.retry = retry
        self.settleTime = settleTime
        self.stopTime = stopTime
    }

    /// Waits of 1, 4, 16, 64 and 256 seconds, then of five minutes; given up after twelve ends in a row, about half an
    /// hour. Ten seconds to stop.
    package static let standard = RestartPolicy(
        retry: RetryPolicy(attempts: 12, firstDelay: .seconds(1), longestDelay: .seconds(300)),
        settleTime: .seconds(600), stopTime: .seconds(10))
}
