import Glibc

extension Input {
    /// Runs an atomic operation such as an import; Ctrl-C stops it with a message.
    ///
    /// Throws `CancellationError` when it was stopped.
    package func stoppable<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value
    {
        // Without a terminal the process just ends, and the store rolls back what was begun.
        guard console.isInteractive else { return try await work() }
        let signals = await ProcessSignals.stream([SIGINT])
        let outcome = try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                for await _ in signals { return nil }
                return nil
            }
            defer { group.cancelAll() }
            while let first = try await group.next() {
                if let first { return Value?.some(first) }
                group.cancelAll()
                // It may have come to its end before it could be stopped.
                return try? await group.next() ?? nil
            }
            return nil
        }
        if let outcome { return outcome }
        console.report(nil)
        await console.show(["Stopped; nothing was changed."])
        throw CancellationError()
    }
}
