import Synchronization
import Time

/// A few connections to one database. Who needs one waits for it, and for a database that is away, until a deadline.
package final class PostgresPool: Sendable {
    /// The time for a connection and an answer.
    package static let patience = Duration.seconds(10)
    /// The first and the longest pause between attempts to connect.
    private static let pauses = (first: Duration.milliseconds(100), longest: Duration.seconds(5))

    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var idle: [PostgresConnection] = []
        /// The permits to have a connection that are taken.
        var taken = 0
        var waiters: [Waiter] = []
        var lastWaiter = 0
        /// The attempts to connect that failed since the last one that did not, and when the next one may be made.
        var failures = 0
        var nextAttempt = ContinuousClock.now
        var isProbing = false
        var unreachableSince: ContinuousClock.Instant?
        /// The database that connections are to, as far as that is known.
        var server: String?
        var isClosed = false
    }

    private final class Sent: Sendable {
        let count = Atomic(0)
    }

    private let state = Mutex(State())
    private let sent = Sent()
    private let address: PostgresAddress
    private let maximum: Int
    private let settings: [PostgresQuery]
    private let identity: String
    private let serverChanged: @Sendable () -> Void
    private let notice: @Sendable (String) -> Void

    /// Makes a pool of at most `maximum` connections, which are opened when they are needed.
    ///
    /// `identity` is an expression of SQL: another value of it is another database, as another cluster or time line is. While it is NULL, no
    /// connection is used twice. `serverChanged` is called before the first connection to another database is used: what was known of the old
    /// one may never have happened. `notice` gets what the server says beside its answers.
    package init(
        _ address: PostgresAddress, maximum: Int = 4, identity: String = "''",
        serverChanged: @escaping @Sendable () -> Void = {}, notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.address = address
        self.maximum = maximum
        self.identity = identity
        self.serverChanged = serverChanged
        self.notice = notice
        // Nothing that waits for ever keeps locks of others.
        settings = [
            ("statement_timeout", "10000"), ("idle_in_transaction_session_timeout", "10000"), ("lock_timeout", "8000"),
            ("plan_cache_mode", "force_generic_plan"), ("timezone", "UTC"),
            // It would compile short statements, for longer than they take: the costs of generic plans are guesses.
            ("jit", "off"),
        ].map { PostgresQuery("SELECT set_config($1, $2, false)", $0.0, $0.1) }
    }

    /// How long the database has been away; nil while it is not known to be.
    package var outage: Duration? { state.withLock { $0.unreachableSince.map { .now - $0 } } }

    /// Runs `body` with a connection, which is its own until then.
    package func withConnection<Result>(
        deadline: ContinuousClock.Instant = .now + patience,
        _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        guard await permit(until: deadline) else {
            throw PostgresError.unreachable(
                outage == nil ? "all connections are in use" : "the database does not answer")
        }
        defer { release() }
        let idle = state.withLock { $0.idle.popLast() }
        let connection: PostgresConnection
        if let idle, idle.isUsable { connection = idle } else { connection = try await connect(until: deadline) }
        defer {
            state.withLock { state in
                let isKept = connection.isUsable && connection.server != nil && !state.isClosed
                if isKept { state.idle.append(connection) } else { connection.close() }
            }
        }
        return try await body(connection)
    }

    /// Runs statements as one transaction of their own.
    package func run(
        _ queries: PostgresQuery..., deadline: ContinuousClock.Instant = .now + patience
    ) async throws -> [PostgresResult] {
        var attempt = 0
        while true {
            do {
                return try await withConnection(deadline: deadline) { try await $0.run(queries, deadline: deadline) }
            } catch let error as PostgresError where error.isConflict && attempt < 5 {
                attempt += 1
                try await Task.sleep(for: Self.pause(attempt))
            }
        }
    }

    /// A pause that differs for those that were in each other's way.
    package static func pause(_ attempt: Int) -> Duration {
        .microseconds(Int.random(in: 1000...(5000 << min(attempt, 5))))
    }

    /// Ends all connections; later uses fail.
    package func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for connection in idle { connection.close() }
    }

    // MARK: Permits

    /// Waits for the right to have a connection; false if there is none until the deadline.
    private func permit(until deadline: ContinuousClock.Instant) async -> Bool {
        let isFree = state.withLock { state in
            guard state.taken < maximum else { return false }
            state.taken += 1
            return true
        }
        if isFree { return true }
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let timer = Task { [weak self] in
            try await Task.sleep(until: deadline)
            self?.give(up: id)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isTaken = state.withLock { state in
                    if state.taken < maximum {
                        state.taken += 1
                        return true
                    }
                    state.waiters.append(Waiter(id: id, continuation: continuation))
                    return false
                }
                if isTaken { return continuation.resume(returning: true) }
                if Task.isCancelled || deadline <= .now { give(up: id) }
            }
        } onCancel: {
            give(up: id)
        }
    }

    private func give(up id: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: false)
    }

    private func release() {
        let next = state.withLock { state -> Waiter? in
            guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
            state.taken -= 1
            return nil
        }
        next?.continuation.resume(returning: true)
    }

    // MARK: Connecting

    /// Opens a connection. While the database is away one caller at a time tries, at growing intervals.
    private func connect(until deadline: ContinuousClock.Instant) async throws -> PostgresConnection {
        while true {
            let (mayTry, isClosed) = state.withLock { state in
                let mayTry = state.failures == 0 || (!state.isProbing && state.nextAttempt <= .now)
                if mayTry, state.failures > 0 { state.isProbing = true }
                return (mayTry, state.isClosed)
            }
            if isClosed { throw PostgresError.unreachable("closed") }
            guard mayTry else {
                guard deadline > .now else { throw PostgresError.unreachable("the database does not answer") }
                try await Task.sleep(for: .milliseconds(20))
                continue
            }
            do {
                let connection = try await open()
                state.withLock { state in
                    (state.failures, state.isProbing, state.unreachableSince) = (0, false, nil)
                }
                return connection
            } catch {
                let pause = Self.pauses.first * (1 << min(state.withLock(\.failures), 6))
                let jitter = Duration.milliseconds(Int.random(in: 0...50))
                state.withLock { state in
                    state.failures += 1
                    state.isProbing = false
                    state.unreachableSince = state.unreachableSince ?? .now
                    state.nextAttempt = .now + min(pause, Self.pauses.longest) + jitter
                    // Those that are left are most likely dead as well.
                    state.idle = []
                }
                guard error.isLoss, .now + pause < deadline else { throw error }
            }
        }
    }

    private func open() async throws(PostgresError) -> PostgresConnection {
        let connection = try await PostgresConnection(
            address.parameters, timeout: .seconds(5),
            count: { [sent] in sent.count.wrappingAdd($0, ordering: .relaxed) }, notice: notice)
        _ = try await connection.run(settings, deadline: .now + .seconds(5))
        try await connection.identify(identity, deadline: .now + .seconds(5))
        let isOther = state.withLock { state in
            guard let server = connection.server else { return false }
            defer { state.server = server }
            return state.server != nil && state.server != server
        }
        if isOther {
            state.withLock { $0.idle = [] }
            serverChanged()
        }
        return connection
    }

    /// Whether something between here and the server lends its connections to several clients in turn, as PgBouncer does with the mode
    /// `transaction`: prepared statements, settings and `LISTEN` belong to one connection, and would be lost or those of others.
    package func isSharingConnections() async throws -> Bool {
        try await withConnection { first in
            let second = try await PostgresConnection(address.parameters, timeout: .seconds(5), notice: notice)
            defer { second.close() }
            let query = PostgresQuery("SELECT pg_backend_pid()")
            var processes: Set<Int> = []
            for connection in [first, second] {
                let result = try await connection.run([query], deadline: .now + .seconds(5))
                processes.insert(result[0].first?.int(0) ?? 0)
            }
            return processes.count < 2
        }
    }

    /// The statements that were sent over its connections.
    package var statements: Int { sent.count.load(ordering: .relaxed) }

    /// The connections that are in use.
    package var connectionsInUse: Int { state.withLock(\.taken) }

    /// Opens a connection of its own that listens to channels; see `LISTEN`. It never has a transaction.
    package func listen(
        to channels: String..., notify: @escaping @Sendable (_ channel: String, _ payload: String) -> Void
    ) async throws(PostgresError) -> PostgresConnection {
        let connection = try await PostgresConnection(
            address.parameters, timeout: .seconds(5), notify: notify, notice: notice)
        _ = try await connection.run(
            channels.map { PostgresQuery("LISTEN \($0)") }, deadline: .now + .seconds(5))
        return connection
    }
}
