import Synchronization
import Threading

/// Work that waits in system calls or computes for long, on a thread of its own: the tasks' threads are few and may not be blocked.
/// See "Concurrency" in docs/architecture.md.
package enum BackgroundThread {
    /// Runs `body` on a new thread on which all signals are blocked, and returns what it returns. Throws `SystemError` when the system
    /// has no more threads.
    ///
    /// Cancelling the task does not end `body`, which may ask for it with ``isCancelled`` or ``checkCancellation()``.
    package static func run<Success: Sendable>(_ body: @escaping @Sendable () throws -> Success) async throws -> Success
    {
        try await run(body) { $0 }
    }

    /// Runs `body` on a new thread on which all signals are blocked, and returns what it returns.
    package static func run<Success: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Success, whenRefused: @Sendable (SystemError) -> Failure
    ) async throws(Failure) -> Success {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Success, Failure>, Never>) in
                let status = DetachedThread.start {
                    $current.withValue(cancellation) { continuation.resume(returning: Result(catching: body)) }
                }
                guard status != 0 else { return }
                continuation.resume(returning: .failure(whenRefused(SystemError("pthread_create", code: status))))
            }
        } onCancel: {
            cancellation.isRequested.store(true, ordering: .relaxed)
        }.get()
    }

    /// Whether the task that waits for this thread was cancelled; on other threads, whether the current task was.
    package static var isCancelled: Bool { current?.isRequested.load(ordering: .relaxed) ?? Task.isCancelled }

    /// Throws `CancellationError` if ``isCancelled``.
    package static func checkCancellation() throws {
        if isCancelled { throw CancellationError() }
    }

    /// Whether the thread's work is still wanted.
    fileprivate final class Cancellation: Sendable {
        let isRequested = Atomic(false)
    }

    /// Set on the threads of `run`.
    @TaskLocal private static var current: Cancellation?
}

extension HubError {
    /// Creates the error for a thread that the system refuses.
    package init(noThread error: SystemError) {
        self.init(
            .unavailable, code: "no-thread", "the system refuses another thread", details: [error.description],
            hint: "end other programs, and try again", cause: error)
    }
}
