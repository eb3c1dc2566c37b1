import Glibc
import NotesDomain
import PostgreSQL
import System

/// The servers of a database together, as it knows them.
package struct ServerGroup: Hashable, Sendable {
    /// The servers that have said lately that they are there.
    package var servers = 0
    /// The connections of clients to all of them.
    package var connections = 0
    /// The changes that the slowest of them has not told its clients.
    package var lag = 0
    /// The changes that are kept for clients that come back.
    package var backlog = 0
}

/// What a server does beside its clients' requests: it says that it is there, and removes what nothing needs any more.
struct PostgresUpkeep: Sendable {
    /// How often a server says that it is there, and the time after which others take it for gone.
    static let (beat, silence) = (Duration.seconds(5), Duration.seconds(15))
    /// The time between two removals, whichever server does them.
    static let interval = Duration.seconds(3600)
    /// The changes that clients which come back are told of one by one; of what is older, they get each note as it is.
    static let keptChanges = 100_000
    /// The newest batches of a note that stay apart: what a client of NoteApp has read is found among them.
    static let keptBatches = 256
    /// The days after which what a client has read, and a server that is gone, are forgotten.
    static let (readDays, serverDays) = (90, 1)
    /// Held while rows are removed.
    private static let lock = 0x6875_625F_7072

    let pool: PostgresPool
    /// The name under which this process edits.
    let server: String

    // MARK: Servers

    /// The time of the database as an expression of SQL.
    static let milliseconds = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

    /// Says that this server is there; times are those of the database.
    /// - Returns: whether it is to send its clients away.
    @discardableResult
    func tell(connections: Int, change: Int) async throws -> Bool {
        try await pool.run(
            PostgresQuery(
                """
                INSERT INTO hub_server (name, seen_at, turn, alive_at, host, connections, change)
                VALUES ($1, \(Self.milliseconds), '', \(Self.milliseconds), $2, $3, $4)
                ON CONFLICT (name) DO UPDATE SET alive_at = excluded.alive_at, host = excluded.host,
                    connections = excluded.connections, change = excluded.change
                RETURNING coalesce(draining, false)
                """, server, Self.host, connections, change))[0].first?.bool(0) ?? false
    }

    /// Says that this server ends.
    func leave() async throws {
        _ = try await pool.run(PostgresQuery("UPDATE hub_server SET alive_at = NULL WHERE name = $1", server))
    }

    /// The name of this machine; empty if it has none.
    static let host: String = {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// Returns what the database knows of its servers.
    static func group(_ pool: PostgresPool) async throws -> ServerGroup {
        let row = try await pool.run(
            PostgresQuery(
                """
                SELECT count(s.name), coalesce(sum(s.connections), 0)::bigint, coalesce(max(p.change - s.change), 0)::bigint,
                    max(p.change - p.kept_after)
                FROM hub_position p LEFT JOIN hub_server s ON s.alive_at > \(milliseconds) - $1
                """, Int(silence.components.seconds) * 1000))[0].first
        return ServerGroup(
            servers: row?.int(0) ?? 0, connections: row?.int(1) ?? 0, lag: max(0, row?.int(2) ?? 0),
            backlog: row?.int(3) ?? 0)
    }

    /// Returns the servers that are there.
    static func instances(_ pool: PostgresPool) async throws -> [ServerInstance] {
        try await pool.run(
            PostgresQuery(
                """
                SELECT s.name, coalesce(s.host, ''), coalesce(s.connections, 0), p.change - coalesce(s.change, p.change),
                    coalesce(s.draining, false), s.alive_at
                FROM hub_position p, hub_server s WHERE s.alive_at > \(milliseconds) - $1 ORDER BY s.host, s.name
                """, Int(silence.components.seconds) * 1000))[0].rows.map { row in
                ServerInstance(
                    name: row.text(0), host: row.text(1), connections: row.int(2), lag: max(0, row.int(3)),
                    isDraining: row.bool(4), seenAt: Instant(milliseconds: Int64(row.int(5))))
            }
    }

    /// Lets a server that is there send its clients away.
    static func drain(_ name: String, _ pool: PostgresPool) async throws {
        _ = try await pool.run(PostgresQuery("UPDATE hub_server SET draining = true WHERE name = $1", name))
    }

    // MARK: Removal

    /// Removes what nothing needs, unless a server has done so lately or does it now. Returns the number of rows.
    func prune(
        after interval: Duration = interval, keptChanges: Int = keptChanges, keptBatches: Int = keptBatches
    ) async throws -> Int {
        guard try await begin(interval) else { return 0 }
        var count = try await pruneChanges(keptChanges)
        count += try await mergeBatches(keptBatches)
        count += try await removeContents()
        count += try await pool.run(
            PostgresQuery(
                "DELETE FROM hub_audit WHERE id <= (SELECT max(id) FROM hub_audit) - $1", AuditEntry.maximumCount))[0]
            .count
        let day = 86_400_000
        for (table, column, days) in [
            ("hub_read", "at", Self.readDays), ("hub_earlier_read", "at", Self.readDays),
            ("hub_audit", "at", AuditEntry.days), ("hub_server", "greatest(seen_at, alive_at)", Self.serverDays),
        ] {
            count += try await pool.run(
                PostgresQuery("DELETE FROM \(table) WHERE \(column) < \(Self.milliseconds) - $1", days * day))[0].count
        }
        return count
    }

    /// Whether it is this server's turn, which is recorded.
    private func begin(_ interval: Duration) async throws -> Bool {
        try await pool.run(
            PostgresQuery("SELECT pg_advisory_xact_lock($1)", Self.lock),
            PostgresQuery("INSERT INTO hub_meta (key, value) VALUES ('pruned_at', '0') ON CONFLICT (key) DO NOTHING"),
            PostgresQuery(
                """
                UPDATE hub_meta SET value = \(Self.milliseconds)::text
                WHERE key = 'pruned_at' AND value::bigint <= \(Self.milliseconds) - $1
                """, Int(interval.components.seconds) * 1000))[2].count > 0
    }

    /// The number of rows that one statement removes, so that others do not wait long for its locks.
    private static let batch = 5000

    private func pruneChanges(_ kept: Int) async throws -> Int {
        // Readers look for older changes among the notes from now on; then their rows are of no use.
        _ = try await pool.run(
            PostgresQuery("UPDATE hub_position SET kept_after = change - $1 WHERE kept_after < change - $1", kept))
        return try await repeating {
            PostgresQuery(
                """
                DELETE FROM hub_change WHERE change IN (
                    SELECT change FROM hub_change WHERE change <= (SELECT kept_after FROM hub_position)
                    ORDER BY change LIMIT $1)
                """, Self.batch)
        }
    }

    /// Joins old batches of a note that follow each other and are of one person: what they say of the text stays, but not when each of them
    /// was typed.
    private func mergeBatches(_ kept: Int) async throws -> Int {
        var (count, after) = (0, "")
        while true {
            let notes = try await pool.run(
                PostgresQuery(
                    """
                    SELECT b.note FROM hub_batch b, hub_position p WHERE b.note > $1 AND b.change <= p.kept_after
                    GROUP BY b.note HAVING count(*) > $2 ORDER BY b.note LIMIT 100
                    """, after, kept))[0].rows.map { $0.text(0) }
            guard let last = notes.last else { return count }
            after = last
            for note in notes {
                count += try await pool.run(Self.merge(note, kept))[0].first?.int(0) ?? 0
            }
        }
    }

    private static func merge(_ note: String, _ kept: Int) -> PostgresQuery {
        PostgresQuery(
            """
            WITH old AS (
                SELECT * FROM (
                    SELECT b.*, row_number() OVER (ORDER BY b.change DESC) newest FROM hub_batch b WHERE b.note = $1) b
                WHERE newest > $2 AND change <= (SELECT kept_after FROM hub_position)),
            begun AS (
                SELECT *, CASE WHEN first = lag(last) OVER w + 1 AND person = lag(person) OVER w THEN 0 ELSE 1 END begins
                FROM old WINDOW w AS (PARTITION BY field, agent ORDER BY first)),
            runs AS (
                SELECT *, sum(begins) OVER (PARTITION BY field, agent ORDER BY first) run FROM begun),
            joined AS (
                SELECT field, agent, min(first) first, max(last) last, max(at) at, max(change) change
                FROM runs GROUP BY field, agent, run HAVING count(*) > 1),
            kept AS (
                UPDATE hub_batch b SET last = j.last, at = j.at, change = j.change FROM joined j
                WHERE b.note = $1 AND b.field = j.field AND b.agent = j.agent AND b.first = j.first),
            gone AS (
                DELETE FROM hub_batch b USING joined j
                WHERE b.note = $1 AND b.field = j.field AND b.agent = j.agent AND b.first > j.first AND b.first <= j.last
                RETURNING 1)
            SELECT count(*) FROM gone
            """, note, kept)
    }

    /// Removes contents that no note and no sender has, and those that were not completed.
    private func removeContents() async throws -> Int {
        var (count, after) = (0, 0)
        while true {
            let (removed, last) = try await pool.transaction { [after] transaction in
                // A server that lets a note have content locks its row first.
                let ids = try await transaction.run([
                    PostgresQuery(
                        """
                        SELECT id FROM hub_content WHERE id > $1 AND at < \(Self.milliseconds) - 86400000
                        ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED
                        """, after)
                ])[0].rows.map { $0.int(0) }
                let results = try await transaction.commit([
                    PostgresQuery(
                        """
                        DELETE FROM hub_content c WHERE id = ANY($1) AND (person IS NOT NULL
                            OR NOT EXISTS (SELECT 1 FROM hub_attachment a WHERE a.hash = c.hash)
                                AND NOT EXISTS (SELECT 1 FROM hub_upload u WHERE u.hash = c.hash))
                        """, ids)
                ])
                return (results?.first?.count ?? 0, ids.last)
            }
            count += removed
            guard let last else { return count }
            after = last
        }
    }

    private func repeating(_ query: () -> PostgresQuery) async throws -> Int {
        var count = 0
        while true {
            let removed = try await pool.run(query())[0].count
            count += removed
            if removed < Self.batch { return count }
        }
    }
}
