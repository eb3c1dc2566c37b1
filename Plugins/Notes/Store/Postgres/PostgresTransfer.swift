import NotesDomain
import PostgreSQL
import System
import TextCRDT

/// A database of PostgreSQL as one end of a migration. Its servers may run meanwhile.
struct PostgresTransfer: NoteTransferEnd {
    let database: PostgresNoteDatabase
    let contents: any AttachmentContents

    func people() async throws -> TransferredPeople {
        try await database.read { reader in
            let results = try await reader.pool.withConnection { connection in
                try await connection.run(
                    [
                        PostgresQuery("SELECT hash, person, created_at, used_at FROM hub_token ORDER BY created_at"),
                        PostgresQuery("SELECT agent, person FROM hub_agent"),
                        PostgresQuery("SELECT note, requester, reason, requested_at, answer FROM hub_request"),
                    ], deadline: .now + PostgresPool.patience)
            }
            return TransferredPeople(
                tokens: results[0].rows.map { ($0.bytes(0), $0.text(1), $0.int(2), $0.optionalInt(3)) },
                agents: results[1].rows.map { ($0.text(0), $0.text(1)) },
                requests: results[2].rows.map { AccessRequest($0) })
        }
    }

    func add(_ people: TransferredPeople) async throws {
        try await database.read { reader in
            let (tokens, requests) = (people.tokens, people.requests)
            let queries = [
                PostgresQuery(
                    """
                    INSERT INTO hub_token (hash, person, created_at, used_at)
                    SELECT u.hash, u.person, u.created_at, nullif(u.used_at, -1)
                    FROM unnest($1::bytea[], $2::text[], $3::bigint[], $4::bigint[]) u(hash, person, created_at, used_at)
                    ON CONFLICT (hash) DO NOTHING
                    """, tokens.map(\.hash), tokens.map(\.person), tokens.map(\.createdAt),
                    tokens.map { $0.usedAt ?? -1 }),
                PostgresQuery(
                    """
                    INSERT INTO hub_agent (agent, person) SELECT * FROM unnest($1::text[], $2::text[])
                    ON CONFLICT (agent) DO NOTHING
                    """, people.agents.map(\.agent), people.agents.map(\.person)),
                PostgresQuery(
                    """
                    INSERT INTO hub_request (note, requester, reason, requested_at, answer)
                    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[])
                    ON CONFLICT (note, requester) DO NOTHING
                    """, requests.map(\.note), requests.map(\.requester), requests.map(\.reason),
                    requests.map { Int($0.requestedAt.milliseconds) }, requests.map(\.answer.rawValue)),
                PostgresQuery("UPDATE hub_position SET accounts = accounts + 1, requests = requests + 1"),
            ]
            _ = try await reader.pool.withConnection {
                try await $0.run(queries, deadline: .now + PostgresPool.patience)
            }
        }
        database.accountsChanged()
    }

    func ids(after: String, limit: Int) async throws -> [String] {
        try await database.read {
            try await $0.pool.run(
                PostgresQuery(
                    "SELECT id FROM hub_note WHERE owner <> '' AND id > $1 ORDER BY id LIMIT $2", after, limit))[0]
                .rows.map { $0.text(0) }
        }
    }

    func note(_ id: String) async throws -> TransferredNote? {
        try await database.read { reader -> TransferredNote? in
            guard let note = try await reader.note(id) else { return nil }
            let rows = try await reader.pool.run(
                PostgresQuery(
                    """
                    SELECT field, agent, first, last, person, at, change FROM hub_batch WHERE note = $1
                    ORDER BY change, field, agent, first
                    """, id))[0].rows
            let head = note.head
            return TransferredNote(
                id: id, revision: note.open.record.revision, wireID: head.wireID, folder: head.folder,
                access: head.access, tags: head.tags,
                attachments: head.attachments, file: head.file, createdAt: head.createdAt, changedAt: head.changedAt,
                deletedAt: head.deletedAt, document: note.open.texts.document,
                batches: rows.map { row in
                    (
                        row.int(0) == 0 ? NoteField.title : .content,
                        EditBatch(
                            agent: row.text(1), sequences: row.int(2)..<row.int(3) + 1, person: row.text(4),
                            at: Instant(milliseconds: Int64(row.int(5))), change: row.int(6))
                    )
                })
        }
    }

    func put(_ note: TransferredNote, over known: Int?) async throws -> Bool {
        let isStored = try await database.read(isRepeatable: false) { reader in
            try await reader.pool.transaction { transaction in
                let seq = try await transaction.run([
                    PostgresQuery("SELECT seq FROM hub_note WHERE id = $1 FOR NO KEY UPDATE", note.id)
                ])[0].first?.int(0)
                // An edit that came since it was read would be lost.
                guard seq.map({ $0 + 1 }) == known else { return false }
                _ = try await transaction.commit(Self.queries(note, seq: (seq ?? 0) + 1))
                return true
            }
        }
        database.accountsChanged()
        return isStored
    }

    /// What stores a note; its changes keep their order, and come after all others.
    private static func queries(_ note: TransferredNote, seq: Int) -> [PostgresQuery] {
        let (changes, fields) = (Set(note.batches.map(\.batch.change)).sorted(), NoteField.allCases)
        let ranks = Dictionary(changes.enumerated().map { ($1, $0) }) { $1 }
        let count = max(1, changes.count)
        let logs = fields.filter { !note.document[$0].version.heads.isEmpty }.map { ($0, note.document.encoded($0)) }
        let (batches, files) = (note.batches, note.attachments)
        let edited = batches.map { Int($0.batch.at.milliseconds) }.max()
        var queries = [PostgresQuery("UPDATE hub_position SET change = change + $1", count)]
        queries += ["hub_event", "hub_log", "hub_batch", "hub_attachment", "hub_revoked"].map {
            PostgresQuery("DELETE FROM \($0) WHERE note = $1", note.id)
        }
        queries += [
            PostgresQuery(
                """
                INSERT INTO hub_note (id, wire_id, folder, owner, members, readers, tags, seq, change, access_change,
                    metadata_change, packed_seq, packed_bytes, tail_bytes, created_at, changed_at, edited_at, deleted_at,
                    head, stem, head_title)
                SELECT $1, $2, $3, $4, $5, $6, $7, $8, p.change, p.change, p.change, $8, $9, 0, $10, $11, $12, $13, $14,
                    $15, $16
                FROM hub_position p
                ON CONFLICT (id) DO UPDATE SET folder = excluded.folder, owner = excluded.owner,
                    members = excluded.members, readers = excluded.readers, tags = excluded.tags, seq = excluded.seq,
                    change = excluded.change, access_change = excluded.access_change,
                    metadata_change = excluded.metadata_change, packed_seq = excluded.packed_seq,
                    packed_bytes = excluded.packed_bytes, tail_bytes = 0, changed_at = excluded.changed_at,
                    edited_at = excluded.edited_at, deleted_at = excluded.deleted_at, head = excluded.head,
                    stem = excluded.stem, head_title = excluded.head_title
                """, note.id, note.wireID?.text, note.folder, note.access.owner, note.access.members,
                note.access.readers, note.tags, seq, logs.reduce(0) { $0 + $1.1.count }, note.createdAt.milliseconds,
                note.changedAt.milliseconds, edited, note.deletedAt?.milliseconds, note.file.head, note.file.stem,
                note.file.title),
            PostgresQuery(
                """
                INSERT INTO hub_log (note, field, seq, events) SELECT $1, u.field, $2, u.events
                FROM unnest($3::bigint[], $4::bytea[]) u(field, events)
                """, note.id, seq, logs.map(\.0.number), logs.map(\.1)),
            PostgresQuery(
                """
                INSERT INTO hub_batch (note, field, agent, first, last, person, at, change)
                SELECT $1, u.field, u.agent, u.first, u.last, u.person, u.at, p.change - u.back
                FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::bigint[], $8::bigint[])
                    u(field, agent, first, last, person, at, back), hub_position p
                """, note.id, batches.map(\.field.number), batches.map(\.batch.agent),
                batches.map(\.batch.sequences.lowerBound), batches.map { $0.batch.sequences.upperBound - 1 },
                batches.map(\.batch.person), batches.map { Int($0.batch.at.milliseconds) },
                batches.map { count - 1 - (ranks[$0.batch.change] ?? 0) }),
            PostgresQuery(
                """
                INSERT INTO hub_attachment (note, path, size, link, hash)
                SELECT $1, * FROM unnest($2::bytea[], $3::bigint[], $4::text[], $5::text[])
                """, note.id, files.map(\.path.bytes), files.map(\.size), files.map(\.link), files.map(\.hash)),
            PostgresQuery("INSERT INTO hub_change (change, note) SELECT p.change, $1 FROM hub_position p", note.id),
        ]
        return queries
    }
}
