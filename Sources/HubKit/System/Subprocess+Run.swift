import Threading

extension Subprocess {
    /// Runs the program to its end and returns what it wrote; any exit code is a normal end.
    ///
    /// It runs in a process group of its own. When it takes longer than `timeout`, writes more than `outputLimit` bytes
    /// or the task is cancelled, the whole group is asked to end, and killed after `grace`.
    package func run(
        input: [UInt8] = [], outputLimit: Int, timeout: Duration, grace: Duration = .seconds(2)
    ) async throws(SubprocessError) -> Finished {
        guard let wakeup = EventFD() else { throw .notStarted(SystemError("eventfd")) }
        let deadline = ContinuousClock.now + timeout
        // The thread reports every outcome, cancellation too, so the child is collected before this returns.
        return try await withTaskCancellationHandler {
            await Result { () async throws(SubprocessError) in
                try await BackgroundThread.run { () throws(SubprocessError) in
                    var loop = try SubprocessEventLoop(
                        self, input: input, outputLimit: outputLimit, deadline: deadline, grace: grace, wakeup: wakeup)
                    return try loop.run()
                } whenRefused: {
                    .notStarted($0)
                }
            }
        } onCancel: {
            wakeup.signal()
        }.get()
    }
}

extension Result {
    /// Creates the result of `body` as a value.
    fileprivate init(_ body: () async throws(Failure) -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
