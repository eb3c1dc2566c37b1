/// What a session does beside its loop, such as the calls whose answers the loop takes as inputs. Nothing is kept of what has ended.
struct SessionCalls: Sendable {
    typealias Call = @Sendable () async -> Void

    private let calls: AsyncStream<Call>.Continuation
    private let task: Task<Void, Never>

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Call.self)
        calls = continuation
        task = Task {
            await withDiscardingTaskGroup { group in
                for await call in stream { group.addTask { await call() } }
            }
        }
    }

    /// Begins a call, which runs beside all others.
    func start(_ call: @escaping Call) { calls.yield(call) }

    /// Cancels all calls, and begins no more.
    func cancel() {
        task.cancel()
        calls.finish()
    }
}
