import Glibc
import System
import Testing

struct BackgroundThreadTests {
    private struct Failure: Error {}

    @Test func `work returns a value, or throws`() async throws {
        #expect(try await BackgroundThread.run { 7 } == 7)
        await #expect(throws: Failure.self) { try await BackgroundThread.run { throw Failure() } }
    }

    @Test func `work is told that the task that waits for it was cancelled`() async throws {
        let waiting = Task {
            try await BackgroundThread.run {
                while !BackgroundThread.isCancelled { sched_yield() }
                try BackgroundThread.checkCancellation()
            }
        }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(try await BackgroundThread.run { !BackgroundThread.isCancelled }, "other work goes on")
    }
}
