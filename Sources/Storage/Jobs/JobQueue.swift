import Synchronization

/// A durable queue of one plugin: any process may add jobs and look at them, one at a time works on them.
package struct JobQueue: Sendable {
    /// The name, unique in the plugin.
    package let name: String
    private let store: Store
    private let locks: FileLocks
    private let clock: any Clock
    private let policy: RetryPolicy

    /// The time between two looks at whether a running job was cancelled, and between two notes of its progress.
    private static let pause = Duration.seconds(1)

    /// Creates the queue `name` of the plugin whose tables `store` has.
    package init(
        _ name: String, in store: Store, locks: FileLocks, clock: any Clock, policy: RetryPolicy = .standard
    ) {
        self.name = name
        self.store = store
        self.locks = locks
        self.clock = clock
        self.policy = policy
    }

    private var lockName: String { "jobs/\(store.owner)/\(name)" }

    /// Returns the jobs, the oldest first. One whose worker was killed waits.
    package func jobs() async throws -> [Job] {
        let hasWorker = try hasWorker
        return try await store.read { try $0.jobs(in: name) }.map { hasWorker ? $0 : $0.released() }
    }

    /// Adds a job about `subject`, in the same commit as what it is about. One that is there already about the same is replaced,
    /// unless a worker runs it: then false.
    @discardableResult
    package func enqueue(_ subject: String, body: String = "", in transaction: Transaction) throws -> Bool {
        if try !hasWorker { try transaction.releaseJobs(in: name) }
        return try transaction.enqueue(name, subject: subject, body: body)
    }

    /// Removes the waiting and failed jobs about `subjects`, and asks for the end of one that a worker runs.
    /// - Returns: their number.
    @discardableResult
    package func cancel(_ subjects: [String], in transaction: Transaction) throws -> Int {
        if try !hasWorker { try transaction.releaseJobs(in: name) }
        return try transaction.cancelJobs(in: name, about: subjects)
    }

    /// Whether a process works on the queue. A job can be marked as running without one, when its process was killed; a new worker
    /// begins by releasing such jobs.
    private var hasWorker: Bool { get throws { try locks.holder(of: lockName) != nil } }

    /// Works on the jobs that are due, one after the other, until there is none; only on those about `subjects`, if given.
    ///
    /// `perform` is cancelled when the job is cancelled in any process. What it throws decides whether the job is tried again.
    /// - Returns: false when another process works on the queue already, so that nothing was done here.
    package func work(
        on subjects: Set<String>? = nil, perform: @escaping @Sendable (Job, JobProgress) async throws -> Void
    ) async throws -> Bool {
        guard let lock = try await locks.tryAcquire(lockName) else { return false }
        defer { withExtendedLifetime(lock) {} }
        if try await store.read({ try $0.jobs(in: name) }).contains(where: { $0.state == .running }) {
            try await store.write(operation) { [name] in try $0.releaseJobs(in: name) }
        }
        while true {
            try Task.checkCancellation()
            guard let job = try await take(among: subjects) else { return true }
            try await run(job, perform)
        }
    }

    /// Works on the queue until the task is cancelled, as a service does. When there is nothing to do, `idle` waits for news, at
    /// most for the given time.
    package func serve(
        perform: @escaping @Sendable (Job, JobProgress) async throws -> Void,
        idle: @Sendable (Duration) async throws -> Void
    ) async throws {
        while true {
            try Task.checkCancellation()
            let isMine = try await work(perform: perform)
            try await idle(isMine ? try await nextDelay() : Self.pause)
        }
    }

    /// The time until a job is due, a minute at most.
    private func nextDelay() async throws -> Duration {
        let now = clock.now
        let times = try await jobs().filter { $0.state != .failed }.compactMap(\.retryAt)
        return min(max(times.map { $0 - now }.min() ?? .seconds(60), .zero), .seconds(60))
    }

    private func take(among subjects: Set<String>?) async throws -> Job? {
        try await store.write(operation) { [name, policy] in
            try $0.takeJob(in: name, among: subjects, policy: policy)
        }
    }

    private var operation: Operation { Operation("\(store.owner) \(name)", who: .service(name), kind: .cache) }

    private func run(_ job: Job, _ perform: @escaping @Sendable (Job, JobProgress) async throws -> Void) async throws {
        let progress = JobProgress()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await watch(job, progress) }
                defer { group.cancelAll() }
                group.addTask {
                    try await perform(job, progress)
                    progress.end()
                }
                // The first to end is the work, or the watch because the job was cancelled.
                try await group.next()
                group.cancelAll()
                while let rest = await group.nextResult() {
                    if !progress.hasEnded { try rest.get() }
                }
            }
            guard progress.hasEnded else { throw CancellationError() }
            try await store.write(operation) { try $0.remove(job) }
        } catch {
            try await end(job, after: error)
            if error is CancellationError, Task.isCancelled { throw error }
        }
    }

    /// Notes the progress of a running job from time to time; returns when the job was cancelled.
    private func watch(_ job: Job, _ progress: JobProgress) async throws {
        var noted: Double?
        while true {
            try await clock.sleep(for: Self.pause)
            if try await store.read({ try $0.isCancelled(job) }) { return }
            guard let fraction = progress.fraction, fraction != noted else { continue }
            noted = fraction
            try await store.write(operation) { transaction in
                var job = job
                job.progress = fraction
                try transaction.save(job)
            }
        }
    }

    /// Stores what becomes of a job whose attempt failed. Runs also when the task is cancelled.
    private func end(_ job: Job, after error: any Error) async throws {
        try await store.write(operation) { [policy] transaction in
            var job = job
            job.isCancelled = try transaction.isCancelled(job)
            switch job.ending(after: error, at: transaction.now, policy: policy) {
            case .remove: try transaction.remove(job)
            case .keep(let kept): try transaction.save(kept)
            }
        }
    }
}

/// How far a running job is: set by the work, read to show it.
package final class JobProgress: Sendable {
    private let state = Mutex<(fraction: Double?, hasEnded: Bool)>((nil, false))

    /// Creates the progress of a job that has just begun.
    package init() {}

    /// The finished share, 0...1; nil where nothing is known.
    package var fraction: Double? { state.withLock(\.fraction) }

    /// Notes the finished share.
    package func report(_ fraction: Double) { state.withLock { $0.fraction = min(max(fraction, 0), 1) } }

    var hasEnded: Bool { state.withLock(\.hasEnded) }

    func end() { state.withLock { $0.hasEnded = true } }
}
