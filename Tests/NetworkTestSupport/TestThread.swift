import Threading

/// Threads for what waits in system calls; the tasks' own threads are two.
enum TestThread {
    static func start(_ body: @escaping @Sendable () -> Void) { _ = DetachedThread.start(body) }
}
