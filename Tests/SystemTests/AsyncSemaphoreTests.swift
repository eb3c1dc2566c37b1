import Synchronization
import System
import Testing

@Suite(.timeLimit(.minutes(20)))
struct AsyncSemaphoreTests {
    /// The number of tasks that are inside, and the largest it was.
    private final class Inside: Sendable {
        let counts = Mutex((now: 0, most: 0))
    }

    @Test(arguments: 1...3)
    func `no more tasks than the limit are inside`(limit: Int) async throws {
        let semaphore = AsyncSemaphore(limit)
        let inside = Inside()
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    try await semaphore.withPermit {
                        inside.counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        await Task.yield()
                        inside.counts.withLock { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        let (now, most) = inside.counts.withLock { $0 }
        #expect(now == 0 && (1...limit).contains(most))
    }

    @Test func `a task that is cancelled while it waits goes on at once, and takes no turn`() async throws {
        let semaphore = AsyncSemaphore(1)
        let (isInside, entered) = AsyncStream.makeStream(of: Void.self)
        let (mayLeave, leave) = AsyncStream.makeStream(of: Void.self)
        let holder = Task {
            try await semaphore.withPermit {
                entered.yield()
                for await _ in mayLeave { break }
            }
        }
        for await _ in isInside { break }
        let waiting = Task { try await semaphore.withPermit { Issue.record("it was cancelled") } }
        await Task.yield()
        waiting.cancel()
        // The holder is still inside.
        await #expect(throws: CancellationError.self) { try await waiting.value }
        leave.yield()
        try await holder.value
        #expect(try await semaphore.withPermit { true })
    }

    @Test func `an error of the body lets the next task in`() async throws {
        struct Failure: Error {}
        let semaphore = AsyncSemaphore(1)
        await #expect(throws: Failure.self) { try await semaphore.withPermit { throw Failure() } }
        #expect(try await semaphore.withPermit { true })
    }
}
