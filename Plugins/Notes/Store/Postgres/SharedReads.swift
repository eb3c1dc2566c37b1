import Synchronization

/// Reads that several tasks ask for at the same time, such as all clients of a server after news of another one. A read that has begun
/// may not see what a later task has heard of, so it is shared by those alone who came before it: while one is under way, all others wait for
/// the next, which is one for all of them.
final class SharedReads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private enum Outcome: Sendable {
        /// To read, for these too.
        case lead([Waiter])
        case result(Result<Value, any Error>)
    }

    private struct Waiter: Sendable {
        let continuation: CheckedContinuation<Outcome, Never>
    }

    /// Those who wait for the next read, where one is under way.
    private let waiting = Mutex<[Key: [Waiter]]>([:])

    /// The number of those who wait for the next read.
    func waitingCount(_ key: Key) -> Int { waiting.withLock { $0[key]?.count ?? 0 } }

    /// Returns what a read that begins from now on gives.
    func read(_ key: Key, _ read: () async throws -> Value) async throws -> Value {
        let outcome = await withCheckedContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                guard waiting[key] != nil else {
                    waiting[key] = []
                    return true
                }
                waiting[key]?.append(Waiter(continuation: continuation))
                return false
            }
            if isFirst { continuation.resume(returning: Outcome.lead([])) }
        }
        let others: [Waiter]
        switch outcome {
        case .result(let result): return try result.get()
        case .lead(let waiters): others = waiters
        }
        let result: Result<Value, any Error>
        do { result = .success(try await read()) } catch { result = .failure(error) }
        let next = waiting.withLock { waiting in
            let next = waiting[key] ?? []
            waiting[key] = next.isEmpty ? nil : []
            return next
        }
        // One of those who came meanwhile reads for all of them.
        next.first?.continuation.resume(returning: .lead(Array(next.dropFirst())))
        for other in others { other.continuation.resume(returning: .result(result)) }
        return try result.get()
    }
}
