import NotesDomain
import PostgreSQL
import System
import TextCRDT

extension NoteField {
    /// Its number in columns.
    var number: Int { self == .title ? 0 : 1 }
}

extension NoteRead {
    /// Reads the columns `title_version, content_version, members`.
    init(_ row: PostgresRow) {
        self.init(
            version: NoteVersion(title: Version(column: row.text(0)), content: Version(column: row.text(1))),
            members: row.texts(2))
    }
}

extension AccessRequest {
    /// Reads the columns `note, requester, reason, requested_at, answer`.
    init(_ row: PostgresRow) {
        self.init(
            note: row.text(0), requester: row.text(1), reason: row.text(2),
            requestedAt: Instant(milliseconds: Int64(row.int(3))), answer: State(rawValue: row.text(4)) ?? .pending)
    }
}

extension PostgresRow {
    /// Reads the columns `owner, members, readers`, which begin at `first`.
    func access(at first: Int = 0) -> NoteAccess {
        NoteAccess(owner: text(first), members: texts(first + 1), readers: texts(first + 2))
    }
}

extension PostgresQuery {
    /// Counts what accounts have, with the limits of their own; for each of `people` a row that ``AccountMeter/Account`` reads.
    static func usage(of people: [String]) -> PostgresQuery {
        PostgresQuery(
            """
            SELECT u.person, count(n.id), coalesce(sum(n.packed_bytes + n.tail_bytes), 0)::bigint,
                (SELECT coalesce(sum(a.size), 0)::bigint FROM hub_note m JOIN hub_attachment a ON a.note = m.id
                    WHERE m.owner = u.person),
                l.notes, l.texts, l.attachments, l.person IS NOT NULL
            FROM unnest($1::text[]) u(person) LEFT JOIN hub_note n ON n.owner = u.person
                LEFT JOIN hub_limit l ON l.person = u.person
            GROUP BY u.person, l.person ORDER BY u.person
            """, people)
    }

    /// Records what was done.
    static func record(_ entry: AuditEntry) -> PostgresQuery {
        PostgresQuery(
            "INSERT INTO hub_audit (at, person, action, subject, detail) VALUES ($1, $2, $3, $4, $5)",
            entry.at.milliseconds, entry.person, entry.action.rawValue, entry.subject, entry.detail)
    }

    /// Records what a client has read of a note last.
    static func setRead(_ read: NoteRead, of note: String, by client: String, at now: Instant) -> PostgresQuery {
        PostgresQuery(
            """
            INSERT INTO hub_read (client, note, title_version, content_version, members, at) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (client, note) DO UPDATE SET title_version = excluded.title_version,
                content_version = excluded.content_version, members = excluded.members, at = excluded.at
            """, client, note, read.version.title.column, read.version.content.column, read.members, now.milliseconds)
    }

    /// Records that a client is about to be sent a note: what it read before is kept, but for what is older than the latest `limit`.
    static func addRead(
        _ read: NoteRead, of note: String, by client: String, at now: Instant, limit: Int
    ) -> [PostgresQuery] {
        [
            PostgresQuery(
                """
                INSERT INTO hub_earlier_read (client, note, version_hash, title_version, content_version, members, at)
                    SELECT client, note, md5(title_version || '/' || content_version), title_version, content_version, members,
                        at FROM hub_read WHERE client = $1 AND note = $2
                ON CONFLICT (client, note, version_hash) DO UPDATE SET members = excluded.members, at = excluded.at
                """, client, note),
            PostgresQuery(
                """
                DELETE FROM hub_earlier_read WHERE client = $1 AND note = $2 AND version_hash NOT IN (
                    SELECT version_hash FROM hub_earlier_read WHERE client = $1 AND note = $2 ORDER BY at DESC LIMIT $3)
                """, client, note, limit),
            setRead(read, of: note, by: client, at: now),
        ]
    }
}

extension PostgresRow {
    /// Reads what an account has and its own limits from a row of `usage(of:)`.
    var account: (person: String, usage: AccountUsage, limits: AccountLimits?) {
        let limits = AccountLimits(notes: optionalInt(4), texts: optionalInt(5), attachments: optionalInt(6))
        return (
            text(0), AccountUsage(notes: int(1), texts: int(2), attachments: int(3)), bool(7) ? limits : nil
        )
    }
}
