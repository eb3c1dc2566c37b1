import Commands
import Glibc
import HubKit
import HubKitTesting
import Storage
import Synchronization
import TestSupport
import Testing
import Time

struct JobQueueTests {
    /// A plugin without tables, whose jobs are tested.
    private struct JobFolder {
        let clock = ManualClock()
        let database: Database
        let context: Context
        let queue: JobQueue

        init(_ folder: String) {
            let schema = PluginSchema(owner: "office", migrations: [])
            database = Database(at: .directory(folder), plugins: [schema], clock: clock, executors: .queues)
            context = Context(
                config: Config(), store: database.store(for: "office"), clock: clock,
                locks: FileLocks(directory: folder + "/locks", clock: clock), secrets: MemorySecrets(),
                directories: Directories(data: folder, state: folder, cache: folder, config: folder, runtime: nil),
                log: Log(label: "office") { _, _, _ in }, settings: MemorySettings(), bus: EventBus())
            queue = JobQueue(
                "letters", context,
                policy: RetryPolicy(attempts: 3, firstDelay: .seconds(1), longestDelay: .seconds(60)))
        }

        @discardableResult
        func add(_ subject: String, _ body: String = "") async throws -> Bool {
            try await context.store.write(Operation("add")) { try queue.enqueue(subject, body: body, in: $0) }
        }
    }

    private let busy = HubError(.busy, code: "busy", "it is busy")

    @Test func `jobs are done in their order, once, and are gone then`() async throws {
        try await withTemporaryDirectory { folder in
            let jobs = JobFolder(folder)
            for subject in ["a", "b", "c"] { try await jobs.add(subject, "body of \(subject)") }
            // Another job about the same replaces the first, at the end.
            #expect(try await jobs.add("a", "new"))
            let done = Mutex<[String]>([])
            let isMine = try await jobs.queue.work { job, progress in
                progress.report(0.5)
                done.withLock { $0.append("\(job.subject): \(job.body)") }
            }
            #expect(isMine)
            #expect(done.withLock(\.self) == ["b: body of b", "c: body of c", "a: new"])
            #expect(try await jobs.queue.jobs() == [])
        }
    }

    @Test func `what may pass is tried again after a longer and longer wait, then given up`() async throws {
        try await withTemporaryDirectory { folder in
            let jobs = JobFolder(folder)
            try await jobs.add("a")
            let tries = Mutex(0)
            for expected in [1, 1, 2, 2, 3, 3] {
                _ = try await jobs.queue.work { _, _ in
                    tries.withLock { $0 += 1 }
                    throw busy
                }
                #expect(tries.withLock(\.self) == expected)
                // The first wait is one second, the second four: every other round is too early.
                if expected < 3 { jobs.clock.advance(by: .milliseconds(expected == 1 ? 600 : 2400)) }
            }
            let job = try #require(try await jobs.queue.jobs().first)
            #expect(job.state == .failed)
            #expect(job.error == "it is busy")
            #expect(job.attempts == 3)
        }
    }

    @Test func `what cannot pass by itself fails at once, and can be asked for again`() async throws {
        try await withTemporaryDirectory { folder in
            let jobs = JobFolder(folder)
            try await jobs.add("a")
            _ = try await jobs.queue.work { _, _ in
                throw HubError(.invalid, code: "bad", "it is bad", details: ["so bad"])
            }
            #expect(try await jobs.queue.jobs().map(\.error) == ["it is bad: so bad"])
            #expect(try await jobs.add("a"))
            _ = try await jobs.queue.work { _, _ in }
            #expect(try await jobs.queue.jobs() == [])
        }
    }

    @Test func `one process works on a queue at a time`() async throws {
        try await withTemporaryDirectory { folder in
            let (jobs, other) = (JobFolder(folder), JobFolder(folder))
            try await jobs.add("a")
            _ = try await jobs.queue.work { job, _ in
                let isTheirs = try await other.queue.work { _, _ in Issue.record("worked twice") }
                #expect(!isTheirs)
                // A job that runs is not replaced.
                let isAdded = try await other.add("a")
                #expect(!isAdded)
            }
        }
    }

    @Test func `only the asked jobs are worked on`() async throws {
        try await withTemporaryDirectory { folder in
            let jobs = JobFolder(folder)
            for subject in ["a", "b"] { try await jobs.add(subject) }
            _ = try await jobs.queue.work(on: ["b"]) { job, _ in #expect(job.subject == "b") }
            #expect(try await jobs.queue.jobs().map(\.subject) == ["a"])
        }
    }

    @Test func `a running job ends when another process cancels it, and its progress is seen there`() async throws {
        try await withTemporaryDirectory { folder in
            let (jobs, other) = (JobFolder(folder), JobFolder(folder))
            try await jobs.add("a")
            async let work = jobs.queue.work { job, progress in
                progress.report(0.25)
                // The watcher of the job sleeps, and so does the work itself.
                try await jobs.clock.sleep(for: .seconds(3600))
            }
            await jobs.clock.sleepers(atLeast: 2)
            jobs.clock.advance(by: .seconds(1))
            await jobs.clock.sleepers(atLeast: 2)
            #expect(try await other.queue.jobs().map(\.progress) == [0.25])
            let count = try await other.context.store.write(Operation("cancel")) {
                try other.queue.cancel(["a"], in: $0)
            }
            #expect(count == 1)
            jobs.clock.advance(by: .seconds(1))
            #expect(try await work)
            #expect(try await jobs.queue.jobs() == [])
        }
    }

    @Test func `a waiting job is taken out when it is cancelled`() async throws {
        try await withTemporaryDirectory { folder in
            let jobs = JobFolder(folder)
            for subject in ["a", "b"] { try await jobs.add(subject) }
            try await jobs.context.store.write(Operation("cancel")) { try jobs.queue.cancel(["a"], in: $0) }
            #expect(try await jobs.queue.jobs().map(\.subject) == ["b"])
        }
    }

    @Test func `a worker that is stopped gives its job back, and the attempt does not count`() async throws {
        try await withTemporaryDirectory { folder in
            let jobs = JobFolder(folder)
            try await jobs.add("a")
            let work = Task { try await jobs.queue.work { _, _ in try await jobs.clock.sleep(for: .seconds(3600)) } }
            await jobs.clock.sleepers(atLeast: 2)
            work.cancel()
            await #expect(throws: CancellationError.self) { try await work.value }
            let job = try #require(try await jobs.queue.jobs().first)
            #expect(job.state == .waiting && job.attempts == 0)
        }
    }

    @Test func `the job of a killed worker is taken again, until it has killed too many`() async throws {
        try await withTemporaryDirectory { folder in
            try await JobFolder(folder).add("a")
            for attempt in 1...3 {
                await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
                    _ = try await JobFolder(folder).queue.work { _, _ in kill(getpid(), SIGKILL) }
                }
                let job = try #require(try await JobFolder(folder).queue.jobs().first)
                #expect(job.state == .waiting && job.attempts == attempt)
            }
            _ = try await JobFolder(folder).queue.work { _, _ in Issue.record("tried too often") }
            let job = try #require(try await JobFolder(folder).queue.jobs().first)
            #expect(job.state == .failed)
            #expect(job.error == "its process was killed 3 times")
        }
    }

    @Test func `the job of a killed worker is replaced or cancelled like one that waits`() async throws {
        try await withTemporaryDirectory { folder in
            for subject in ["a", "b"] {
                try await JobFolder(folder).add(subject)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [folder = folder as String, subject = subject as String] in
                    _ = try await JobFolder(folder).queue.work(on: [subject]) { _, _ in kill(getpid(), SIGKILL) }
                }
            }
            let jobs = JobFolder(folder)
            #expect(try await jobs.add("a", "again"))
            try await jobs.context.store.write(Operation("cancel")) { try jobs.queue.cancel(["b"], in: $0) }
            let job = try #require(try await jobs.queue.jobs().first)
            #expect(job.subject == "a" && job.body == "again" && job.attempts == 0)
            #expect(try await jobs.queue.jobs().count == 1)
        }
    }
}
