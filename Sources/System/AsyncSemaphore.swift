import Synchronization

/// Limits how many tasks do something at once. Tasks that wait hold no thread, and get their turn in the order in which they came.
package final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var lastNumber = 0
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state: Mutex<State>

    /// Creates a semaphore that lets `count` tasks in at once; 1 makes it a lock.
    package init(_ count: Int) { state = Mutex(State(free: count)) }

    /// Calls `body` as soon as fewer tasks than the limit are inside. Throws `CancellationError` without calling it if the task is
    /// cancelled before.
    package func withPermit<Success>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Success
    ) async throws -> Success {
        guard await acquire() else { throw CancellationError() }
        defer { release() }
        return try await body()
    }

    /// Waits for a turn. Returns false if the task was cancelled, so that there is none.
    private func acquire() async -> Bool {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    // A task is marked as cancelled before its handler is called, which needs this lock.
                    if Task.isCancelled { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    private func release() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
