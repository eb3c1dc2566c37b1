/// A unit of background work that is kept until it is done: what it is about, how often it was tried, and how far it is.
package struct Job: Hashable, Sendable {
    /// The state of a job; one that is done is not kept.
    package enum State: String, Sendable {
        /// It was not tried yet, or is to be tried again.
        case waiting
        /// A worker has it, or had it when its process was killed.
        case running
        /// It is not tried again, unless the user asks.
        case failed
    }

    /// A random id.
    package let id: String
    /// The queue, which one worker empties at a time.
    package let queue: String
    /// The id of what the job is about. A queue has one job about each.
    package let subject: String
    /// What else the job needs to know, as the queue's owner writes it.
    package let body: String
    /// The time at which it was enqueued.
    package let createdAt: Instant
    /// The state.
    package internal(set) var state = State.waiting
    /// The number of attempts that were begun.
    package internal(set) var attempts = 0
    /// The time before which it is not tried again.
    package internal(set) var retryAt: Instant?
    /// The finished share of the running attempt, 0...1; nil where nothing is known.
    package internal(set) var progress: Double?
    /// Whether the user wants it to end.
    package internal(set) var isCancelled = false
    /// The reason why the last attempt failed.
    package internal(set) var error: String?

    /// What to do after an attempt.
    enum Ending: Hashable, Sendable {
        case remove
        case keep(Job)
    }

    init(id: String = Identifier.make(), queue: String, subject: String, body: String, createdAt: Instant) {
        self.id = id
        self.queue = queue
        self.subject = subject
        self.body = body
        self.createdAt = createdAt
    }

    /// The job when no worker runs it.
    func released() -> Job {
        var job = self
        if state == .running { (job.state, job.progress) = (.waiting, nil) }
        return job
    }

    /// Whether a worker that holds the queue may take the job.
    func isDue(at now: Instant, policy: RetryPolicy) -> Bool {
        state == .waiting && (retryAt.map { policy.isDue($0, at: now) } ?? true)
    }

    /// The job at the begin of its next attempt; nil when it was tried often enough, as a job that kills its worker is.
    func begun(policy: RetryPolicy) -> Job? {
        guard attempts < policy.attempts else { return nil }
        var job = self
        (job.state, job.retryAt, job.progress) = (.running, nil, nil)
        job.attempts += 1
        return job
    }

    /// What becomes of the job when an attempt failed. Only what may be different later is tried again: something is busy or
    /// cannot be reached.
    func ending(after error: any Error, at now: Instant, policy: RetryPolicy) -> Ending {
        if isCancelled { return .remove }
        var job = self
        job.progress = nil
        if error is CancellationError {
            // The process ends; that attempt does not count.
            job.state = .waiting
            job.attempts -= 1
            return .keep(job)
        }
        let known = error as? HubError
        job.error = known.map { ([$0.message] + $0.details).joined(separator: ": ") } ?? "\(error)"
        let mayPass = known.map { [.busy, .unavailable].contains($0.kind) } ?? false
        if mayPass, attempts < policy.attempts {
            (job.state, job.retryAt) = (.waiting, now + policy.delay(after: attempts))
        } else {
            job.state = .failed
        }
        return .keep(job)
    }

    /// The job after its worker was killed as often as it may be tried.
    func givenUp() -> Job {
        var job = self
        (job.state, job.progress) = (.failed, nil)
        job.error = error ?? "its process was killed \(attempts) times"
        return job
    }
}
