package import CivilDate
import Synchronization
package import System

/// A clock that stops until a test advances it; sleepers wake when their time has come.
package final class ManualClock: Clock {
    private struct Sleeper {
        let id: Int
        let wakeAt: Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now: Instant
        var nextID = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>
    private let slept: AsyncStream<Duration>.Continuation
    /// The durations of all sleeps, in the order of their starts. For one reader.
    package let sleeps: AsyncStream<Duration>

    package init(now: Instant = Instant(milliseconds: 1_700_000_000_000)) {
        state = Mutex(State(now: now))
        (sleeps, slept) = AsyncStream.makeStream()
    }

    /// The time that was set.
    package var now: Instant { state.withLock(\.now) }
    /// The same time as a duration since 1970.
    package var monotonicNow: Duration { .milliseconds(now.milliseconds) }
    /// The day of the time that was set, in UTC.
    package var today: CivilDate { TimeZoneRules.utc.localTime(at: now).day }

    /// Waits until the clock was advanced by `duration`. Throws if the task is cancelled.
    package func sleep(for duration: Duration) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let isAwake = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let watchers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                    if state.cancelled.remove(id) != nil || Task.isCancelled {
                        continuation.resume(returning: false)
                        return []
                    }
                    state.sleepers.append(
                        Sleeper(id: id, wakeAt: state.now + duration, continuation: continuation))
                    let ready = state.watchers.filter { $0.count <= state.sleepers.count }
                    state.watchers.removeAll { $0.count <= state.sleepers.count }
                    return ready.map(\.continuation)
                }
                watchers.forEach { $0.resume() }
                slept.yield(duration)
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(returning: false)
        }
        if !isAwake { throw CancellationError() }
    }

    /// Moves on and wakes those whose time has come, the earliest first.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now + duration
            let due = state.sleepers.filter { $0.wakeAt <= state.now }
            state.sleepers.removeAll { $0.wakeAt <= state.now }
            return due.sorted { $0.wakeAt < $1.wakeAt }
        }
        due.forEach { $0.continuation.resume(returning: true) }
    }

    /// Returns when at least `count` sleep.
    package func sleepers(atLeast count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
