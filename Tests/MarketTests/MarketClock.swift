import CivilDate
import Synchronization
import System

/// A clock that stands at the start of the fake backend's own, on 21 September 2026, and moves only when it is told.
///
/// Short pauses, such as those between tries, pass at once; longer ones, such as deadlines, when the clock was advanced past
/// their end.
final class MarketClock: Clock {
    private struct State {
        var now = Instant(milliseconds: 1_790_000_001_000)
        var waiters: [Int: (end: Instant, continuation: CheckedContinuation<Bool, Never>)] = [:]
        var cancelled: Set<Int> = []
        var lastID = 0
    }

    private let state = Mutex(State())
    private let patience: Duration
    private let passing: (@Sendable (Duration) async throws -> Void)?

    /// Creates a clock; `passing` hears of short pauses, for another clock that is to show the same time.
    init(patience: Duration = .seconds(4), passing: (@Sendable (Duration) async throws -> Void)? = nil) {
        self.patience = patience
        self.passing = passing
    }

    var now: Instant { state.withLock(\.now) }
    var monotonicNow: Duration { .milliseconds(now.milliseconds) }
    var today: CivilDate { TimeZoneRules.utc.localTime(at: now).day }

    /// Whether something waits until about so much later: short pauses may have passed since it began.
    func hasWaiter(for duration: Duration) -> Bool {
        state.withLock { state in
            state.waiters.values.contains { $0.end <= state.now + duration && $0.end > state.now + duration * 0.9 }
        }
    }

    /// Moves the clock on, or back, and ends the pauses that are over.
    func advance(by duration: Duration) {
        let ended = state.withLock { state in
            state.now = state.now + duration
            let now = state.now
            let over = state.waiters.filter { $0.value.end <= now }
            for id in over.keys { state.waiters[id] = nil }
            return over.values.map(\.continuation)
        }
        for continuation in ended { continuation.resume(returning: true) }
    }

    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        if duration <= patience {
            try await passing?(duration)
            return advance(by: duration)
        }
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return true }
                    state.waiters[id] = (state.now + duration, continuation)
                    return false
                }
                if isCancelled { continuation.resume(returning: false) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                if let waiter = state.waiters.removeValue(forKey: id) {
                    return waiter.continuation as CheckedContinuation?
                }
                state.cancelled.insert(id)
                return nil
            }
            waiter?.resume(returning: false)
        }
        if !isOver { throw CancellationError() }
    }
}
