import SQLite

extension History {
    /// Lets operations from before `moment`, and the oldest beyond `limit` bytes, lose their undo. Data and the list
    /// of what was done stay. An operation whose time lies before that of an older one was made while the clock was wrong,
    /// and is as young as that one.
    /// - Returns: how many operations lost it.
    @discardableResult
    package func expire(before moment: Instant, keepingBytes limit: Int) async throws -> Int {
        try await database.write { store in
            let old = """
                SELECT seq FROM core_operation WHERE state <> 'open' AND seq < coalesce(
                    (SELECT min(seq) FROM core_operation WHERE at >= ?1), 9223372036854775807)
                UNION
                SELECT operation FROM (
                    SELECT operation, sum(length(changeset)) OVER (ORDER BY id DESC) AS total
                    FROM core_change WHERE changeset IS NOT NULL) AS c
                JOIN core_operation AS o ON o.seq = c.operation
                WHERE total > ?2 AND o.state <> 'open'
                """
            let count = try store.connection.row(
                """
                SELECT count(DISTINCT operation) FROM core_change WHERE changeset IS NOT NULL AND operation IN (\(old))
                """, moment.milliseconds, limit
            ) { $0.int(0) }
            try store.connection.run(
                "UPDATE core_change SET changeset = NULL WHERE changeset IS NOT NULL AND operation IN (\(old))",
                moment.milliseconds, limit)
            return WriteResult(value: count ?? 0, topics: [])
        }
    }

    /// Destroys the history from before `moment`: what was done, what it changed, and the way back. Data stays.
    /// - Returns: how many operations are gone.
    package func prune(before moment: Instant) async throws -> Int {
        try await database.write { store in
            let count = try store.connection.run(
                "DELETE FROM core_operation WHERE at < ? AND state <> 'open'", moment.milliseconds)
            try store.removeDanglingTouches()
            return WriteResult(value: count, topics: [])
        }
    }
}
