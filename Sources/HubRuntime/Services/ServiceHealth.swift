package import Storage

/// The health of one service and the next action: a state machine without time or tasks of its own.
package struct ServiceHealth: Sendable, Equatable {
    /// The state of a service.
    package enum State: Sendable, Equatable {
        /// Not started yet, or stopped as it was asked to.
        case stopped
        /// It is being built.
        case starting
        /// It works, since then.
        case running(since: Instant)
        /// It ended by itself and is started again at that time.
        case backingOff(until: Instant)
        /// It ended too often and is not started again, or it did not stop when asked.
        case failed
        /// It was asked to stop and has not ended yet.
        case stopping
    }

    /// The next action of the driver.
    package enum Action: Sendable, Equatable {
        /// Build the service and run it; then call `ended`.
        case run
        /// Wait; then call `waited`.
        case wait(Duration)
        /// Nothing more: the service is at its end.
        case finish
    }

    /// The state of the service.
    package private(set) var state = State.stopped
    /// The number of unexpected ends since it last ran well.
    package private(set) var failures = 0
    /// The reason of the last unexpected end, in one line.
    package private(set) var lastError: String?
    private let policy: RestartPolicy

    package init(policy: RestartPolicy) { self.policy = policy }

    /// It is to be run.
    package mutating func start() -> Action {
        guard state == .stopped else { return .finish }
        state = .starting
        return .run
    }

    /// It is built, and its work begins at `now`.
    package mutating func began(at now: Instant) {
        if state == .starting { state = .running(since: now) }
    }

    /// Its work ended at `now`, for the reason `error`. `jitter`, from 0 up to 1, spreads the restarts of services that
    /// failed together: it makes the wait up to a quarter longer.
    package mutating func ended(_ error: String, at now: Instant, jitter: Double) -> Action {
        switch state {
        case .stopping:
            state = .stopped
            return .finish
        case .stopped, .failed, .backingOff:
            return .finish
        case .running(let since) where now - since >= policy.settleTime:
            failures = 0
        case .running, .starting:
            break
        }
        failures += 1
        lastError = error
        guard failures < policy.retry.attempts else {
            state = .failed
            return .finish
        }
        let delay = policy.retry.delay(after: failures) * (1 + jitter / 4)
        state = .backingOff(until: now + delay)
        return .wait(delay)
    }

    /// It cannot be built, for the reason `error`, and another try would end in the same way.
    package mutating func cannotStart(_ error: String) -> Action {
        guard state == .starting else { return ended(error, at: Instant(milliseconds: 0), jitter: 0) }
        failures += 1
        lastError = error
        state = .failed
        return .finish
    }

    /// The wait is over, or was cut short.
    package mutating func waited() -> Action {
        switch state {
        case .backingOff:
            state = .starting
            return .run
        case .stopping:
            state = .stopped
            return .finish
        case .stopped, .starting, .running, .failed:
            return .finish
        }
    }

    /// It is to stop; whether there is an end to wait for.
    package mutating func stop() -> Bool {
        switch state {
        case .starting, .running, .backingOff, .stopping:
            state = .stopping
            return true
        case .stopped, .failed:
            return false
        }
    }

    /// It was asked to stop, and the time for that is over.
    package mutating func abandon() {
        guard state == .stopping else { return }
        state = .failed
        lastError = "it did not stop in time"
    }
}

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
