import Hashing
import NotesDomain
import PostgreSQL
import System

/// The contents of attachments in a database, which all its servers have. The pieces that an account sends may come to any of them.
///
/// A row of `hub_content` is content with its pieces. While `person` names who sends it, it is not complete; once it is, there is one row for
/// each hash. A server that lets a note have content locks its row for that time, so it is not removed meanwhile.
struct PostgresContents: AttachmentContents {
    /// The most contents that one account sends at a time, and their bytes.
    private static let (maximumCount, maximumBytes) = (64, 10 * NoteLimits.attachment)
    /// The bytes that are read at once to see whether they are what their hash says.
    private static let checkedBytes = 1 << 20

    let database: PostgresNoteDatabase

    func size(of hash: String) async throws -> Int? {
        try await database.read {
            try await $0.pool.run(
                PostgresQuery("SELECT received FROM hub_content WHERE hash = $1 AND person IS NULL", hash))[0]
                .first?.int(0)
        }
    }

    func piece(of hash: String, at offset: Int, limit: Int) async throws -> [UInt8] {
        try await database.read {
            try await $0.pool.run(
                PostgresQuery(
                    """
                    SELECT substring(p.bytes FROM ($2 - p.start + 1)::int FOR $3::int)
                    FROM hub_content c JOIN hub_piece p ON p.content = c.id
                    WHERE c.hash = $1 AND c.person IS NULL AND p.start <= $2 ORDER BY p.start DESC LIMIT 1
                    """, hash, offset, limit))[0].first?.bytes(0) ?? []
        }
    }

    func received(_ hash: String, from sender: String) async throws -> Int {
        try await upload(hash, sender)?.received ?? 0
    }

    /// What an account has sent of a content; `version` is another one after each piece.
    struct Upload: Sendable {
        let id, received, version: Int
    }

    /// Returns what an account has sent of a content; nil for nothing.
    func upload(_ hash: String, _ sender: String) async throws -> Upload? {
        try await database.read {
            try await $0.pool.run(
                PostgresQuery(
                    "SELECT id, received, xmin::text::bigint FROM hub_content WHERE hash = $1 AND person = $2", hash,
                    sender))[0]
                .first.map { Upload(id: $0.int(0), received: $0.int(1), version: $0.int(2)) }
        }
    }

    func add(_ bytes: [UInt8], to hash: String, at offset: Int, from sender: String) async throws -> Int {
        try await database.read { reader in
            try await reader.pool.transaction { transaction in
                let results = try await transaction.run([
                    PostgresQuery(
                        """
                        INSERT INTO hub_content (hash, person, received, at) VALUES ($1, $2, 0, \(PostgresUpkeep.milliseconds))
                        ON CONFLICT (person, hash) WHERE person IS NOT NULL DO NOTHING
                        """, hash, sender),
                    PostgresQuery(
                        "SELECT id, received FROM hub_content WHERE hash = $1 AND person = $2 FOR UPDATE", hash, sender),
                    PostgresQuery(
                        "SELECT count(*), coalesce(sum(received), 0)::bigint FROM hub_content WHERE person = $1", sender
                    ),
                ])
                guard let row = results[1].first, let all = results[2].first else {
                    throw HubError(.busy, code: "upload-moved", "the content was completed meanwhile")
                }
                guard all.int(0) <= Self.maximumCount, all.int(1) + bytes.count <= Self.maximumBytes else {
                    throw HubError(
                        .busy, code: "too-many-uploads", "too many files are being sent", hint: "try again later")
                }
                guard offset == 0 || offset == row.int(1) else {
                    throw HubError(
                        .conflict, code: "upload-gap", "the chunk does not continue the file",
                        hint: "send the file again")
                }
                var queries: [PostgresQuery] = []
                if offset == 0 { queries.append(PostgresQuery("DELETE FROM hub_piece WHERE content = $1", row.int(0))) }
                if !bytes.isEmpty {
                    queries.append(
                        PostgresQuery(
                            "INSERT INTO hub_piece (content, start, bytes) VALUES ($1, $2, $3)", row.int(0), offset,
                            bytes))
                }
                queries.append(
                    PostgresQuery(
                        "UPDATE hub_content SET received = $2, at = \(PostgresUpkeep.milliseconds) WHERE id = $1",
                        row.int(0), offset + bytes.count))
                _ = try await transaction.commit(queries)
                return offset + bytes.count
            }
        }
    }

    func complete(_ hash: String, from sender: String) async throws -> (any Sendable)? {
        // Another server, or an earlier try whose answer was lost, may have done it.
        guard let upload = try await upload(hash, sender) else { return try await size(of: hash) }
        guard try await isSound(upload, hash), try await keep(upload) else {
            try await remove(upload.id)
            return nil
        }
        return try await size(of: hash)
    }

    /// Makes a checked upload the content of its hash; false if a piece came after the check. What another account has completed stays, and this
    /// upload goes.
    func keep(_ upload: Upload) async throws -> Bool {
        let isKept: Bool? = try await database.read { reader in
            do {
                return try await reader.pool.run(
                    PostgresQuery(
                        """
                        UPDATE hub_content SET person = NULL, at = \(PostgresUpkeep.milliseconds)
                        WHERE id = $1 AND person IS NOT NULL AND xmin::text::bigint = $2 RETURNING id
                        """, upload.id, upload.version))[0].first != nil
            } catch let error as PostgresError where error.isDuplicate {
                return nil
            }
        }
        if isKept == nil { try await remove(upload.id) }
        return isKept ?? true
    }

    private func remove(_ id: Int) async throws {
        _ = try await database.read {
            try await $0.pool.run(PostgresQuery("DELETE FROM hub_content WHERE id = $1 AND person IS NOT NULL", id))
        }
    }

    /// Whether all pieces are there, and have this hash together.
    private func isSound(_ upload: Upload, _ hash: String) async throws -> Bool {
        var digest = try SHA256()
        var offset = 0
        while offset < upload.received {
            let bytes = try await database.read { [offset] in
                try await $0.pool.run(
                    PostgresQuery(
                        """
                        SELECT substring(bytes FROM ($2 - start + 1)::int FOR $3::int) FROM hub_piece
                        WHERE content = $1 AND start <= $2 ORDER BY start DESC LIMIT 1
                        """, upload.id, offset, Self.checkedBytes))[0].first?.bytes(0) ?? []
            }
            if bytes.isEmpty { return false }
            try digest.add(bytes)
            offset += bytes.count
        }
        return try digest.finishInHexadecimal() == hash
    }
}
