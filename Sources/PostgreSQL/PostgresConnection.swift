import Dispatch
import Synchronization
import Threading
import Time

/// A connection to a database, which one task uses at a time.
package final class PostgresConnection: Sendable {
    private let queue: CommandQueue<ConnectionCommand>
    private let loss = Loss()
    private let identity = Mutex<String?>(nil)
    private let count: (@Sendable (Int) -> Void)?

    /// Connects with parameters of libpq, the later ones before the earlier ones. `count` gets the number of statements whenever some are sent,
    /// `notify` what the server tells who listens, and `notice` what it says beside its answers.
    package init(
        _ parameters: [(String, String)], timeout: Duration, count: (@Sendable (Int) -> Void)? = nil,
        notify: @escaping @Sendable (_ channel: String, _ payload: String) -> Void = { _, _ in },
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(PostgresError) {
        self.count = count
        guard let wakeup = EventFD() else { throw .unreachable("too many open files") }
        queue = CommandQueue(wake: { wakeup.signal() }) { command in
            if case .run(_, _, let reply) = command { reply.resume(returning: .failure(.unreachable("closed"))) }
        }
        let opening = Opening()
        let result = await withCheckedContinuation { continuation in
            opening.waiting.withLock { $0 = continuation }
            let status = DetachedThread.start { [queue, loss] in
                // Who only listens would never notice.
                defer { loss.isLost.store(true, ordering: .relaxed) }
                ConnectionLoop.run(
                    parameters, timeout: timeout, queue: queue, wakeup: wakeup, notify: notify, notice: notice,
                    opened: opening.finish)
            }
            guard status == 0 else { return opening.finish(.failure(.unreachable("the system has no more threads"))) }
            // Looking up a name may take longer, and cannot be ended.
            let limit = DispatchTimeInterval.milliseconds(Int(timeout.pollTimeout) + 500)
            DispatchQueue.global().asyncAfter(deadline: .now() + limit) {
                opening.finish(.failure(.unreachable("the server did not answer in time")))
            }
        }
        if case .failure(let error) = result {
            queue.send(.close)
            throw error
        }
    }

    deinit { queue.send(.close) }

    /// Whether it can be used again.
    package var isUsable: Bool { !loss.isLost.load(ordering: .relaxed) }

    /// The database and the time line of its cluster: another one after a failover, or after a backup was restored. Nil while what tells
    /// the database from others is not there yet.
    package var server: String? { identity.withLock(\.self) }

    /// Reads what ``server`` is.
    func identify(_ expression: String, deadline: ContinuousClock.Instant) async throws(PostgresError) {
        let query = PostgresQuery(
            """
            SELECT system_identifier::text || '-' || substring(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
                || '-' || (\(expression))::text
            FROM pg_control_system()
            """)
        let server = try await run([query], deadline: deadline)[0].first?.optionalText(0)
        identity.withLock { $0 = server }
    }

    /// Sends statements at once, and returns their results. After the first that fails none is carried out; without `BEGIN`, all are one
    /// transaction.
    package func run(
        _ queries: [PostgresQuery], deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> [PostgresResult] {
        count?(queries.count)
        let result = await withCheckedContinuation { queue.send(.run(queries, deadline: deadline, $0)) }
        if case .failure(let error) = result, error.isLoss { loss.isLost.store(true, ordering: .relaxed) }
        return try result.get()
    }

    /// Ends it. What waits for an answer gets none.
    package func close() {
        loss.isLost.store(true, ordering: .relaxed)
        queue.send(.close)
    }

    private final class Loss: Sendable {
        let isLost = Atomic(false)
    }

    private final class Opening: Sendable {
        let waiting = Mutex<CheckedContinuation<Result<Void, PostgresError>, Never>?>(nil)

        /// Reports the first outcome; later ones are of no interest.
        @Sendable func finish(_ result: Result<Void, PostgresError>) {
            let continuation = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            continuation?.resume(returning: result)
        }
    }
}
