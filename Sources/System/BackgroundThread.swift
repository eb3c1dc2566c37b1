import Threading

/// Work that waits in system calls or computes for long, on a thread of its own: the tasks' threads are few and may not be blocked.
/// See "Concurrency" in docs/architecture.md.
package enum BackgroundThread {
    /// Runs `body` on a new thread on which all signals are blocked, and returns what it returns. Throws `SystemError` when the system
    /// has no more threads.
    package static func run<Success: Sendable>(_ body: @escaping @Sendable () throws -> Success) async throws -> Success
    {
        try await run(body) { $0 }
    }

    /// Runs `body` on a new thread on which all signals are blocked, and returns what it returns.
    package static func run<Success: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Success, whenRefused: @Sendable (SystemError) -> Failure
    ) async throws(Failure) -> Success {
        try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Success, Failure>, Never>) in
            let status = DetachedThread.start { continuation.resume(returning: Result(catching: body)) }
            guard status != 0 else { return }
            continuation.resume(returning: .failure(whenRefused(SystemError("pthread_create", code: status))))
        }.get()
    }
}
