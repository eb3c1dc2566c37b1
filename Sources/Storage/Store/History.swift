import SQLite

/// The recorded operations of the database, and their undo.
package struct History: Sendable {
    let database: Database

    /// The newest operations, newest first, before the one with id `before`; with `author` only theirs.
    package func operations(
        limit: Int, before: String? = nil, by author: Operation.Author? = nil
    ) async throws -> [OperationRecord] {
        try await database.read { store in
            try store.operations(
                where: """
                    seq < coalesce((SELECT seq FROM core_operation WHERE id = ?1), 9223372036854775807)
                    AND (?3 IS NULL OR who = ?3) ORDER BY seq DESC LIMIT ?2
                    """, before, limit, author?.text)
        }
    }

    /// The operations whose id begins with `prefix`, newest first, ten at most.
    package func operations(matching prefix: String) async throws -> [OperationRecord] {
        try await database.read { try $0.operations(matching: prefix) }
    }

    /// The operations that touched one entity, newest first.
    package func operations(of subject: String, owner: String) async throws -> [OperationRecord] {
        try await database.read { store in
            try store.operations(
                where: """
                    seq IN (SELECT operation FROM core_change WHERE id IN (\(StoreConnection.changesTouching)))
                    ORDER BY seq DESC
                    """, owner, subject)
        }
    }

    /// The operations that have begun and not ended, newest first; the process of one may have died.
    package func openOperations() async throws -> [OperationRecord] {
        try await database.read { try $0.operations(where: "state = 'open' ORDER BY seq DESC LIMIT 100") }
    }

    /// The ids of the entities that an operation touched, by owner.
    package func subjects(of operation: OperationRecord) async throws -> [String: [String]] {
        try await database.read { try $0.touchedSubjects(of: operation) }
    }
}

extension Database {
    /// The history of everything in it.
    package var history: History { History(database: self) }
}

extension StoreConnection {
    /// The operations whose id begins with `prefix`, newest first, ten at most.
    func operations(matching prefix: String) throws -> [OperationRecord] {
        try operations(where: "id >= ? AND id < ? ORDER BY seq DESC LIMIT 10", prefix, prefix + "{")
    }
}

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
