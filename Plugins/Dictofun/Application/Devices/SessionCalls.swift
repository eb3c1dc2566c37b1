import Synchronization

/// What a session does beside its loop, such as the calls whose answers the loop takes as inputs. Nothing is kept of what has ended.
///
/// Each call is a task from the beginning, without a hop through another one: the last of a session often ends the connection, and the
/// process may end next.
final class SessionCalls: Sendable {
    private struct State {
        var last = 0
        var running: [Int: Task<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Begins a call, which runs beside all others.
    func start(_ call: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.last += 1
            let number = state.last
            // It can only end once this lock is free again.
            state.running[number] = Task { [weak self] in
                await call()
                self?.state.withLock { _ = $0.running.removeValue(forKey: number) }
            }
        }
    }

    /// Cancels the calls that have not ended. Each decides what it leaves out.
    func cancel() {
        for task in state.withLock({ Array($0.running.values) }) { task.cancel() }
    }
}
