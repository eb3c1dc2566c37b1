import CSystem

/// Threads for what waits in system calls: the threads of tasks are few and must not be blocked.
package enum DetachedThread {
    /// Runs `body` on a new thread on which all signals are blocked. Returns 0, or the error of pthread_create(3).
    package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        let context = Unmanaged.passRetained(Work(body))
        let status = system_start_thread(runWork, context.toOpaque())
        if status != 0 { context.release() }
        return status
    }

    fileprivate final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<DetachedThread.Work>.fromOpaque(context).takeRetainedValue().body() }
    return nil
}
