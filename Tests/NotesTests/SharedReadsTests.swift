import Synchronization
import Testing

@testable import Notes

/// Reads that several clients of a server share.
struct SharedReadsTests {
    private struct Failure: Error {}

    /// Reads that count themselves, and of which each ends when it is let.
    private final class Source: Sendable {
        let count = Mutex(0)
        private let begun = AsyncStream<Void>.makeStream()
        private let allowed = AsyncStream<Bool>.makeStream()

        func read() async throws -> Int {
            let number = count.withLock { count in
                count += 1
                return count
            }
            begun.continuation.yield()
            for await isAllowed in allowed.stream {
                if isAllowed { return number }
                break
            }
            throw Failure()
        }

        func end(_ succeeds: Bool = true) { allowed.continuation.yield(succeeds) }
        func waitForBegin() async { for await _ in begun.stream { return } }
    }

    @Test func `those who come while a read is under way share the next one`() async throws {
        let (reads, source) = (SharedReads<String, Int>(), Source())
        async let first = reads.read("a") { try await source.read() }
        await source.waitForBegin()
        let others = (0..<20).map { _ in Task { try await reads.read("a") { try await source.read() } } }
        while reads.waitingCount("a") < others.count { await Task.yield() }
        source.end()
        #expect(try await first == 1, "it does not wait for others")
        await source.waitForBegin()
        let last = Task { try await reads.read("a") { try await source.read() } }
        while reads.waitingCount("a") < 1 { await Task.yield() }
        source.end()
        for other in others { #expect(try await other.value == 2) }
        await source.waitForBegin()
        source.end()
        #expect(try await last.value == 3, "what began before it came is not for it")
        #expect(source.count.withLock(\.self) == 3 && reads.waitingCount("a") == 0)
    }

    @Test func `a read that fails is that of those who share it, and the next one begins`() async throws {
        let (reads, source) = (SharedReads<String, Int>(), Source())
        let first = Task { try await reads.read("a") { try await source.read() } }
        await source.waitForBegin()
        let others = (0..<2).map { _ in Task { try await reads.read("a") { try await source.read() } } }
        while reads.waitingCount("a") < others.count { await Task.yield() }
        source.end(false)
        await #expect(throws: Failure.self) { try await first.value }
        await source.waitForBegin()
        source.end()
        for other in others { #expect(try await other.value == 2) }
        // Another key is another read.
        let two = Task { try await reads.read("b") { 7 } }
        #expect(try await two.value == 7)
    }
}
