import Dispatch
import Testing
import Threading

struct CooperativePoolTests {
    private actor Plain {
        func isOnPool() -> Bool { CooperativePool.isCurrent }
    }

    /// An actor on a queue, as the store has.
    private actor Queued {
        private final class Executor: SerialExecutor {
            private let queue = DispatchQueue(label: "test.actor")

            func enqueue(_ job: consuming ExecutorJob) {
                let job = UnownedJob(job)
                queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
            }
        }

        private let executor = Executor()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func isOnPool() -> Bool { CooperativePool.isCurrent }
    }

    @concurrent private func isOnPool() async -> Bool { CooperativePool.isCurrent }

    @Test(arguments: [TaskPriority.high, .medium, .low, .background])
    func `tasks of all priorities run on the pool, before and after they wait`(priority: TaskPriority) async {
        let before = await Task.detached(priority: priority) { CooperativePool.isCurrent }.value
        let after = await Task.detached(priority: priority) {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "test.wait").async { continuation.resume() }
            }
            return CooperativePool.isCurrent
        }.value
        #expect(before && after)
    }

    @Test func `child tasks, concurrent functions and actors without an executor run on the pool`() async {
        async let child = CooperativePool.isCurrent
        #expect(await child)
        #expect(await isOnPool())
        #expect(await Plain().isOnPool())
    }

    @Test func `threads, queues, and actors on queues are not of the pool`() async {
        let onThread = await withCheckedContinuation { continuation in
            #expect(DetachedThread.start { continuation.resume(returning: CooperativePool.isCurrent) } == 0)
        }
        let onQueue = await withCheckedContinuation { continuation in
            DispatchQueue(label: "test.queue").async { continuation.resume(returning: CooperativePool.isCurrent) }
        }
        let onGlobalQueue = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: CooperativePool.isCurrent) }
        }
        #expect(!onThread && !onQueue && !onGlobalQueue)
        #expect(await !Queued().isOnPool())
    }

    @Test func `a task that begins on a thread of its starter may not block that`() async {
        let (isOnPool, found) = AsyncStream.makeStream(of: Bool.self)
        let status = DetachedThread.start {
            Task.immediate {
                found.yield(CooperativePool.isCurrent)
                found.finish()
            }
        }
        #expect(status == 0)
        #expect(await isOnPool.first { _ in true } == true)
    }

    @MainActor
    @Test func `the main thread is not of the pool, nor is what a command awaits on it`() async {
        func awaited() async -> Bool { CooperativePool.isCurrent }
        #expect(!CooperativePool.isCurrent)
        #expect(await !awaited())
        CooperativePool.assertNotCurrent("a test")
    }

    #if DEBUG
        @Test func `a blocking call on the pool traps, with its name`() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                CooperativePool.assertNotCurrent("fsync")
            }
            let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(message.contains("fsync may block, and was called on a thread of the task pool"))
        }
    #endif
}
