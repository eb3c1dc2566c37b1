import Time

/// A transaction that writes. It ends with ``commit(_:)``, or leaves nothing.
package final class PostgresTransaction {
    private let connection: PostgresConnection
    private let pool: PostgresPool
    private let deadline: ContinuousClock.Instant
    /// What says later whether it was committed: its number, and the server that numbered it.
    private var identity: (number: String, server: String?)?
    private var isBegun = false
    private var isOver = false

    fileprivate init(_ connection: PostgresConnection, _ pool: PostgresPool, _ deadline: ContinuousClock.Instant) {
        self.connection = connection
        self.pool = pool
        self.deadline = deadline
    }

    private static let number = PostgresQuery("SELECT pg_current_xact_id()::text")
    /// Sends statements at once, the first ones with the beginning of the transaction.
    package func run(_ queries: [PostgresQuery]) async throws(PostgresError) -> [PostgresResult] {
        if identity != nil { return try await connection.run(queries, deadline: deadline) }
        // Where one of the first statements is refused, it has begun all the same.
        isBegun = true
        let results = try await connection.run(
            [PostgresQuery("BEGIN"), Self.number] + queries, deadline: deadline)
        identity = (results[1].first?.text(0) ?? "", connection.server)
        return Array(results.dropFirst(2))
    }

    /// Sends the last statements with the commit, and returns their results; nil if it was committed and its results were lost.
    ///
    /// When the connection breaks here, the database is asked what became of the transaction, once it is over: by `proof`, which returns
    /// a row with true if what it has written is there. (The number of a transaction does not say: after a crash it is given again.) It throws
    /// `lost` if nothing was committed, and `outcomeUnknown` if that cannot be learned.
    package func commit(
        _ queries: [PostgresQuery] = [], proof: PostgresQuery? = nil
    ) async throws -> [PostgresResult]? {
        if identity == nil { _ = try await run([]) }
        do {
            let results = try await connection.run(queries + [PostgresQuery("COMMIT")], deadline: deadline)
            isOver = true
            return results.dropLast()
        } catch {
            switch error {
            case .unreachable, .invalidText: throw error
            case .refused where !error.isLoss: throw error
            default: break
            }
            isOver = true
            return try await outcome(error, proof)
        }
    }

    private func outcome(_ error: PostgresError, _ proof: PostgresQuery?) async throws -> [PostgresResult]? {
        let end = ContinuousClock.now + PostgresPool.patience
        while .now < end, let identity, let proof {
            var isCommitted: Bool?
            do {
                isCommitted = try await pool.withConnection(deadline: end) { connection -> Bool? in
                    // Another server, or an older state of it, knows nothing of it.
                    guard connection.server == identity.server else { throw PostgresError.outcomeUnknown }
                    let status = PostgresQuery(
                        "SELECT pg_xact_status(($1::text)::xid8) = 'in progress'", identity.number)
                    do throws(PostgresError) {
                        // The server may not have noticed yet.
                        if try await connection.run([status], deadline: end)[0].first?.bool(0) == true { return nil }
                    } catch {
                        // A number of the future is an error: it was forgotten by a crash, so the transaction is over.
                        if !connection.isUsable { throw error }
                    }
                    return try await connection.run([proof], deadline: end)[0].first?.bool(0) ?? false
                }
            } catch PostgresError.outcomeUnknown {
                throw PostgresError.outcomeUnknown
            } catch is PostgresError {
                // The database is away; until the end it is asked again.
            }
            if isCommitted == true { return nil }
            if isCommitted == false { throw PostgresError.lost("\(error)") }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw PostgresError.outcomeUnknown
    }

    fileprivate func end() async {
        guard !isOver, isBegun, connection.isUsable else { return }
        do {
            _ = try await connection.run([PostgresQuery("ROLLBACK")], deadline: .now + .seconds(5))
        } catch {
            connection.close()
        }
    }
}

extension PostgresPool {
    /// Runs `body` with a transaction, which leaves nothing unless it commits. One that was in another's way, or whose connection broke
    /// before its commit, is run again: `body` may do nothing else.
    package func transaction<Result>(
        attempts: Int = 5, deadline: ContinuousClock.Instant = .now + patience,
        _ body: (PostgresTransaction) async throws -> Result
    ) async throws -> Result {
        var attempt = 1
        while true {
            do {
                return try await withConnection(deadline: deadline) { connection in
                    let transaction = PostgresTransaction(connection, self, deadline)
                    do {
                        let result = try await body(transaction)
                        await transaction.end()
                        return result
                    } catch {
                        await transaction.end()
                        throw error
                    }
                }
            } catch let error as PostgresError where attempt < attempts && deadline > .now {
                guard error.isConflict || error.isLoss else { throw error }
                attempt += 1
                try await Task.sleep(for: Self.pause(attempt))
            }
        }
    }
}
