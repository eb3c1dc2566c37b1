import SQLite

/// The jobs of the plugin whose transaction it is.
extension Transaction {
    /// The table of jobs.
    static let jobsMigration = Migration(
        "jobs",
        """
        CREATE TABLE core_job (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            owner TEXT NOT NULL,
            queue TEXT NOT NULL,
            subject TEXT NOT NULL,
            body TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            state TEXT NOT NULL
                CONSTRAINT job_state CHECK (state IN ('waiting', 'running', 'failed')),
            attempts INTEGER NOT NULL,
            retry_at INTEGER,
            progress REAL,
            is_cancelled INTEGER NOT NULL,
            error TEXT,
            CONSTRAINT job_once UNIQUE (owner, queue, subject)
        ) STRICT;
        """)

    private static let jobColumns =
        "id, queue, subject, body, created_at, state, attempts, retry_at, progress, is_cancelled, error"

    /// Adds a job about `subject` to a queue. One that is there already about the same is replaced, unless it is running: then
    /// false.
    func enqueue(_ queue: String, subject: String, body: String) throws -> Bool {
        let job = Job(queue: queue, subject: subject, body: body, createdAt: now)
        return try asCore {
            if try row(
                "SELECT 1 FROM core_job WHERE owner = ? AND queue = ? AND subject = ? AND state = 'running'", owner,
                queue,
                subject, body: { $0.int(0) }) != nil
            {
                return false
            }
            try run("DELETE FROM core_job WHERE owner = ? AND queue = ? AND subject = ?", owner, queue, subject)
            try run(
                """
                INSERT INTO core_job (owner, id, queue, subject, body, created_at, state, attempts, is_cancelled)
                VALUES (?, ?, ?, ?, ?, ?, 'waiting', 0, 0)
                """, owner, job.id, queue, subject, body, now.milliseconds)
            return true
        }
    }

    /// Returns the jobs of a queue, the oldest first; with `subject`, the one about it.
    package func jobs(in queue: String, about subject: String? = nil) throws -> [Job] {
        try asCore {
            try rows(
                """
                SELECT \(Self.jobColumns) FROM core_job WHERE owner = ?1 AND queue = ?2 AND (?3 IS NULL OR subject = ?3)
                ORDER BY seq
                """, owner, queue, subject, body: Self.job)
        }
    }

    /// Takes waiting and failed jobs about `subjects` out of a queue, and asks for the end of one that is running.
    /// - Returns: their number.
    func cancelJobs(in queue: String, about subjects: [String]) throws -> Int {
        try asCore {
            try subjects.reduce(0) { count, subject in
                let removed = try run(
                    "DELETE FROM core_job WHERE owner = ? AND queue = ? AND subject = ? AND state <> 'running'", owner,
                    queue,
                    subject)
                let asked = try run(
                    "UPDATE core_job SET is_cancelled = 1 WHERE owner = ? AND queue = ? AND subject = ?", owner, queue,
                    subject)
                return count + removed + asked
            }
        }
    }

    /// Lets the jobs wait that are marked as running, when no worker has them.
    func releaseJobs(in queue: String) throws {
        _ = try asCore {
            try run(
                "UPDATE core_job SET state = 'waiting', progress = NULL WHERE owner = ? AND queue = ? AND state = 'running'",
                owner, queue)
        }
    }

    /// Begins the oldest job that is due, for a worker that holds the queue; only among `subjects`, if given.
    func takeJob(in queue: String, among subjects: Set<String>?, policy: RetryPolicy) throws -> Job? {
        for job in try jobs(in: queue)
        where job.isDue(at: now, policy: policy) && subjects?.contains(job.subject) ?? true {
            if job.isCancelled {
                try remove(job)
            } else if let begun = job.begun(policy: policy) {
                try save(begun)
                return begun
            } else {
                try save(job.givenUp())
            }
        }
        return nil
    }

    /// Stores the state of a job that is still there.
    func save(_ job: Job) throws {
        _ = try asCore {
            try run(
                "UPDATE core_job SET state = ?, attempts = ?, retry_at = ?, progress = ?, error = ? WHERE id = ?",
                job.state.rawValue, job.attempts, job.retryAt?.milliseconds, job.progress, job.error, job.id)
        }
    }

    /// Removes a job that is done.
    func remove(_ job: Job) throws {
        _ = try asCore { try run("DELETE FROM core_job WHERE id = ?", job.id) }
    }

    /// Whether the end of a running job was asked for.
    func isCancelled(_ job: Job) throws -> Bool {
        try asCore { try row("SELECT is_cancelled FROM core_job WHERE id = ?", job.id) { $0.bool(0) } } ?? true
    }

    private static func job(_ row: borrowing Row) throws -> Job {
        var job = Job(
            id: row.text(0), queue: row.text(1), subject: row.text(2), body: row.text(3),
            createdAt: Instant(milliseconds: Int64(row.int(4))))
        job.state = Job.State(rawValue: row.text(5)) ?? .failed
        job.attempts = row.int(6)
        job.retryAt = row.optionalInt(7).map { Instant(milliseconds: Int64($0)) }
        job.progress = row.optionalText(8).flatMap { Double($0) }
        job.isCancelled = row.bool(9)
        job.error = row.optionalText(10)
        return job
    }
}
