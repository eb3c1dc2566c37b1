import PostgreSQL
import System

/// The tables of a notes server in PostgreSQL.
///
/// Changes of the tables come in two releases: the first adds what is new and goes on to fill what is old, so that servers of the release
/// before work beside it; the next one takes the old away. `min_writer` says since which number a server may write.
enum PostgresSchema {
    /// The number of this release's tables.
    static var version: Int { steps.count }
    /// The number that a server must know at least to write into tables of this release.
    static let oldestWriter = 1
    /// Held while the tables are changed, so that servers that start at the same time follow each other.
    private static let lock = 0x6875_625F_6E6F

    // Texts that are compared are `COLLATE "C"`: ids are bytes, and another version of the system's library cannot damage an index.
    // `hub_position` is one row, the number of the last change of any note: its lock is taken last in each transaction, so changes become
    // visible in their order. `hub_change` says which note each of the newest changes is of. `seq` orders the events of one note; those
    // up to `packed_seq` are together in `hub_log`. `hub_server` has
    // the last transaction of each server, which proves that it was committed when its answer was lost. No column that a keystroke changes is in an index.
    private static let tables = [
        """
        CREATE TABLE hub_position (
            one boolean PRIMARY KEY CHECK (one), change bigint NOT NULL, kept_after bigint NOT NULL,
            accounts bigint NOT NULL, requests bigint NOT NULL
        ) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)
        """,
        "INSERT INTO hub_position VALUES (true, 0, 0, 0, 0)",
        "CREATE TABLE hub_change (change bigint PRIMARY KEY, note text COLLATE \"C\" NOT NULL)",
        """
        CREATE TABLE hub_token (
            hash bytea PRIMARY KEY CHECK (length(hash) = 32), person text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL, used_at bigint)
        """,
        "CREATE INDEX hub_token_person ON hub_token (person)",
        "CREATE TABLE hub_agent (agent text COLLATE \"C\" PRIMARY KEY, person text COLLATE \"C\" NOT NULL)",
        """
        CREATE TABLE hub_note (
            id text COLLATE "C" PRIMARY KEY, place bigint GENERATED ALWAYS AS IDENTITY,
            wire_id text COLLATE "C" NOT NULL UNIQUE, folder text NOT NULL, owner text COLLATE "C" NOT NULL,
            members text[] NOT NULL, readers text[] NOT NULL, tags text[] NOT NULL, seq bigint NOT NULL,
            change bigint NOT NULL, access_change bigint NOT NULL, metadata_change bigint NOT NULL,
            packed_seq bigint NOT NULL, packed_bytes bigint NOT NULL, tail_bytes bigint NOT NULL,
            created_at bigint NOT NULL, changed_at bigint NOT NULL, edited_at bigint, deleted_at bigint,
            head text, stem bytea, head_title text
        ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02)
        """,
        """
        CREATE TABLE hub_revoked (
            note text COLLATE "C", name text COLLATE "C", change bigint NOT NULL, PRIMARY KEY (note, name))
        """,
        """
        CREATE TABLE hub_purged (
            note text COLLATE "C" PRIMARY KEY, owner text NOT NULL, members text[] NOT NULL, change bigint NOT NULL)
        """,
        """
        CREATE TABLE hub_event (
            note text COLLATE "C", seq bigint, field smallint, events bytea NOT NULL, PRIMARY KEY (note, seq, field))
        """,
        """
        CREATE TABLE hub_log (
            note text COLLATE "C", field smallint, seq bigint NOT NULL, events bytea NOT NULL, PRIMARY KEY (note, field))
        """,
        """
        CREATE TABLE hub_batch (
            note text COLLATE "C", field smallint, agent text COLLATE "C", first bigint, last bigint NOT NULL,
            person text NOT NULL, at bigint NOT NULL, change bigint NOT NULL,
            PRIMARY KEY (note, field, agent, first), CHECK (last >= first))
        """,
        "CREATE INDEX hub_batch_change ON hub_batch (note, change)",
        """
        CREATE TABLE hub_attachment (
            note text COLLATE "C", path bytea, size bigint NOT NULL, link text, hash text COLLATE "C" NOT NULL,
            PRIMARY KEY (note, path))
        """,
        "CREATE INDEX hub_attachment_hash ON hub_attachment (hash)",
        """
        CREATE TABLE hub_upload (
            person text COLLATE "C", hash text COLLATE "C", size bigint NOT NULL, at bigint NOT NULL,
            PRIMARY KEY (person, hash))
        """,
        """
        CREATE TABLE hub_request (
            note text COLLATE "C", requester text COLLATE "C", reason text NOT NULL, requested_at bigint NOT NULL,
            answer text NOT NULL, PRIMARY KEY (note, requester))
        """,
        "CREATE INDEX hub_request_answer ON hub_request (answer) WHERE answer = 'pending'",
        """
        CREATE TABLE hub_read (
            client text COLLATE "C", note text COLLATE "C", title_version text NOT NULL, content_version text NOT NULL,
            members text[] NOT NULL, at bigint NOT NULL, PRIMARY KEY (client, note))
        """,
        """
        CREATE TABLE hub_earlier_read (
            client text COLLATE "C", note text COLLATE "C", version_hash text COLLATE "C", title_version text NOT NULL,
            content_version text NOT NULL, members text[] NOT NULL, at bigint NOT NULL,
            PRIMARY KEY (client, note, version_hash))
        """,
        """
        CREATE TABLE hub_server (
            name text COLLATE "C" PRIMARY KEY, seen_at bigint NOT NULL, turn text NOT NULL
        ) WITH (fillfactor = 10)
        """,
    ]

    /// What each number adds to the one before.
    static let steps = [tables, additions, contents, audit, limits, draining]

    // How a server is; nothing of it is needed to store a note.
    private static let additions = [
        """
        ALTER TABLE hub_server ADD COLUMN alive_at bigint, ADD COLUMN host text, ADD COLUMN connections bigint,
            ADD COLUMN change bigint
        """
    ]

    // The contents of attachments, and in rows with a person those that are being sent. Pieces are compressed already, or are not worth it.
    private static let contents = [
        """
        CREATE TABLE hub_content (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, hash text COLLATE "C" NOT NULL, person text COLLATE "C",
            received bigint NOT NULL, at bigint NOT NULL)
        """,
        "CREATE UNIQUE INDEX hub_content_hash ON hub_content (hash) WHERE person IS NULL",
        "CREATE UNIQUE INDEX hub_content_person ON hub_content (person, hash) WHERE person IS NOT NULL",
        """
        CREATE TABLE hub_piece (
            content bigint REFERENCES hub_content ON DELETE CASCADE, start bigint, bytes bytea NOT NULL,
            PRIMARY KEY (content, start))
        """,
        "ALTER TABLE hub_piece ALTER COLUMN bytes SET STORAGE EXTERNAL",
        // Removal looks for notes and senders by the content.
        "CREATE INDEX hub_upload_hash ON hub_upload (hash)",
    ]

    private static let audit = [
        """
        CREATE TABLE hub_audit (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at bigint NOT NULL, person text COLLATE "C" NOT NULL,
            action text NOT NULL, subject text COLLATE "C" NOT NULL, detail text NOT NULL)
        """
    ]

    // The limits of accounts that have their own; NULL means no limit. No keystroke changes an owner.
    private static let limits = [
        """
        CREATE TABLE hub_limit (
            person text COLLATE "C" PRIMARY KEY, notes bigint, texts bigint, attachments bigint)
        """,
        "CREATE INDEX hub_note_owner ON hub_note (owner)",
    ]

    // Set by an administrator, read by the server that it is about.
    private static let draining = ["ALTER TABLE hub_server ADD COLUMN draining boolean"]

    /// Makes or updates the tables, and returns the name of what they hold: it changes when they go back to an earlier state.
    static func prepare(_ pool: PostgresPool) async throws -> String {
        let facts = try await pool.run(
            PostgresQuery(
                """
                SELECT current_setting('server_encoding'), current_setting('synchronous_commit'),
                    current_setting('server_version_num')::int
                """),
            PostgresQuery("SELECT to_regclass('hub_meta') IS NOT NULL"))
        try check(serverVersion: facts[0].first?.int(2) ?? 0)
        guard facts[0].first?.text(0) == "UTF8" else {
            throw HubError(
                .invalid, code: "database-encoding", "the encoding of the database is not UTF8",
                hint: "createdb -E UTF8 -T template0 hub makes one that is")
        }
        guard facts[0].first?.text(1) != "off" else {
            throw HubError(
                .invalid, code: "database-not-durable",
                "the database confirms changes before they are durable (synchronous_commit = off)",
                hint: "ALTER ROLE … SET synchronous_commit = on")
        }
        if try await pool.isSharingConnections() { throw HubError.sharedConnections }
        if facts[1].first?.bool(0) != true { try await migrate(pool) }
        var meta = try await self.meta(pool)
        if meta.version < version {
            try await migrate(pool)
            meta = try await self.meta(pool)
        }
        guard meta.oldestWriter <= version else {
            throw HubError(
                .conflict, code: "database-newer", "the database is that of a newer hub (\(meta.version))",
                hint: "update the hub of this machine")
        }
        return meta.epoch
    }

    /// Throws for a server of which the statements here were never tried; `serverVersion` is that of `server_version_num`.
    static func check(serverVersion: Int) throws(HubError) {
        guard serverVersion < oldestServer * 10_000 else { return }
        throw HubError(
            .config, code: "database-too-old", "the database is PostgreSQL \(serverVersion / 10_000)",
            hint: "use PostgreSQL \(oldestServer) or later")
    }

    /// The oldest major version of PostgreSQL that is served.
    private static let oldestServer = 14

    private static func meta(
        _ pool: PostgresPool
    ) async throws -> (version: Int, oldestWriter: Int, epoch: String) {
        let results = try await pool.withConnection { connection in
            let deadline = ContinuousClock.now + PostgresPool.patience
            // A restored dump has other tables, and a promoted standby another time line.
            let query = PostgresQuery(
                "SELECT key, value FROM hub_meta UNION ALL SELECT 'table', to_regclass('hub_meta')::oid::text")
            return (try await connection.run([query], deadline: deadline)[0], connection.server)
        }
        let values = Dictionary(results.0.rows.map { ($0.text(0), $0.text(1)) }) { $1 }
        let server = (results.1 ?? "").split(separator: "-").prefix(2).map(String.init)
        return (
            Int(values["version"] ?? "") ?? 0, Int(values["min_writer"] ?? "") ?? 0,
            ([values["epoch"]] + server + [values["table"]]).map { $0 ?? "" }.joined(separator: "-")
        )
    }

    /// What tells the tables apart from those of a restored dump; NULL before they are made.
    static let identity = "SELECT to_regclass('hub_meta')::oid"

    private static func migrate(_ pool: PostgresPool) async throws {
        try await pool.transaction { transaction in
            let known = try await transaction.run([
                PostgresQuery("SELECT pg_advisory_xact_lock($1)", lock),
                PostgresQuery("SET LOCAL lock_timeout = '2s'"),
                PostgresQuery(
                    "CREATE TABLE IF NOT EXISTS hub_meta (key text COLLATE \"C\" PRIMARY KEY, value text NOT NULL)"),
                PostgresQuery("SELECT coalesce(max(value::bigint), 0) FROM hub_meta WHERE key = 'version'"),
            ])[3].first?.int(0)
            guard let known, known < version else {
                _ = try await transaction.commit()
                return
            }
            var values = [("version", String(version)), ("min_writer", String(oldestWriter))]
            if known == 0 { values.append(("epoch", Identifier.make())) }
            _ = try await transaction.commit(
                steps[known...].joined().map { PostgresQuery($0) }
                    + values.map {
                        PostgresQuery(
                            "INSERT INTO hub_meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                            $0.0, $0.1)
                    })
        }
    }
}
