import MarketDomain
import Synchronization

/// Counts from 1, for a closure that must not change a variable.
final class Counter: Sendable {
    private let count = Atomic(0)

    /// Returns the next number.
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}

/// Keeps the failure that ended a fetch.
final class FailureBox: Sendable {
    private let failure = Mutex<GatewayError?>(nil)

    /// The failure; nil when there was none.
    var value: GatewayError? { failure.withLock { $0 } }

    /// Sets the failure.
    func set(_ error: GatewayError) { failure.withLock { $0 = error } }
}
