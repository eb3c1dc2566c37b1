import CSystem

/// Work that waits in system calls, on a thread of its own: the tasks' threads are few and may not be blocked.
package enum BackgroundThread {
    /// Runs `body` on a new thread on which all signals are blocked, and returns what it returns.
    package static func run<Success: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Success, whenRefused: @Sendable (SystemError) -> Failure
    ) async throws(Failure) -> Success {
        try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Success, Failure>, Never>) in
            let work = Work { continuation.resume(returning: Result(catching: body)) }
            let context = Unmanaged.passRetained(work)
            let status = system_start_thread(runWork, context.toOpaque())
            guard status != 0 else { return }
            context.release()
            continuation.resume(returning: .failure(whenRefused(SystemError("pthread_create", code: status))))
        }.get()
    }

    fileprivate final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<BackgroundThread.Work>.fromOpaque(context).takeRetainedValue().body() }
    return nil
}
