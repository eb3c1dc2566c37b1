import CSystem

/// Threads for what waits in system calls; the tasks' own threads are two.
enum TestThread {
    static func start(_ body: @escaping @Sendable () -> Void) {
        let context = Unmanaged.passRetained(Work(body))
        if system_start_thread(runWork, context.toOpaque()) != 0 { context.release() }
    }

    fileprivate final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

private func runWork(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<TestThread.Work>.fromOpaque(context).takeRetainedValue().body() }
    return nil
}
