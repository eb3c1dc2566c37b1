import CivilDate
import HubKit
import Synchronization

/// A clock that stops until a test advances it.
final class ManualClock: Clock {
    private struct Sleeper {
        let deadline: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var elapsed = Duration.zero
        var sleepers: [Int: Sleeper] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    private let slept: AsyncStream<Duration>.Continuation
    /// The durations of all sleeps, in the order of their starts. For one reader.
    let sleeps: AsyncStream<Duration>

    init() { (sleeps, slept) = AsyncStream.makeStream() }

    var now: Instant { Instant(milliseconds: 0) + monotonicNow }
    var monotonicNow: Duration { state.withLock(\.elapsed) }

    var today: CivilDate { TimeZoneRules.utc.localTime(at: now).day }

    func sleep(for duration: Duration) async throws {
        let id = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock {
                    $0.sleepers[id] = Sleeper(deadline: $0.elapsed + duration, continuation: continuation)
                }
                slept.yield(duration)
                if Task.isCancelled { wake(id) }
            }
        } onCancel: {
            wake(id)
        }
    }

    /// Moves the time, and ends the sleeps that are over then.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.elapsed += duration
            let due = state.sleepers.filter { $0.value.deadline <= state.elapsed }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    private func wake(_ id: Int) {
        let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
