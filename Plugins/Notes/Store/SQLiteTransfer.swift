import NotesDomain
import SQLite
import Storage
import TextCRDT

/// The tables of this machine as one end of a migration.
struct SQLiteTransfer: NoteTransferEnd {
    let store: Store
    let blobs: BlobStore
    let contents: any AttachmentContents
    let operation: Operation

    func people() async throws -> TransferredPeople {
        try await store.read { transaction in
            var people = TransferredPeople(
                tokens: try transaction.rows(
                    "SELECT hash, person, created_at, used_at FROM notes_token ORDER BY created_at"
                ) { ($0.blob(0), $0.text(1), $0.int(2), $0.optionalInt(3)) },
                agents: try transaction.rows("SELECT agent, person FROM notes_agent") { ($0.text(0), $0.text(1)) },
                requests: try transaction.rows(
                    "SELECT note, requester, reason, requested_at, answer FROM notes_request"
                ) {
                    AccessRequest(
                        note: $0.text(0), requester: $0.text(1), reason: $0.text(2),
                        requestedAt: Instant(milliseconds: Int64($0.int(3))),
                        answer: AccessRequest.State(rawValue: $0.text(4)) ?? .pending)
                })
            // What this machine itself has typed, any account may bring to another server.
            if let agent = try transaction.knownAgent() { people.agents.append((agent, Transaction.anyone)) }
            return people
        }
    }

    func add(_ people: TransferredPeople) async throws {
        try await store.write(operation) { transaction in
            let own = try transaction.knownAgent()
            for token in people.tokens {
                try transaction.run(
                    """
                    INSERT INTO notes_token (hash, person, created_at, used_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO NOTHING
                    """, token.hash, token.person, token.createdAt, token.usedAt)
            }
            for agent in people.agents where agent.agent != own {
                try transaction.run(
                    "INSERT INTO notes_agent (agent, person) VALUES (?, ?) ON CONFLICT DO NOTHING", agent.agent,
                    agent.person)
            }
            for request in people.requests
            where try transaction.request(for: request.note, by: request.requester) == nil {
                try transaction.setRequest(request)
            }
        }
    }

    func ids(after: String, limit: Int) async throws -> [String] {
        try await store.read { transaction in
            try transaction.rows(
                "SELECT id FROM notes_note WHERE owner <> '' AND id > ? ORDER BY id LIMIT ?", after, limit
            ) { $0.text(0) }
        }
    }

    func note(_ id: String) async throws -> TransferredNote? { try await store.read { try $0.transferred(id) } }

    func put(_ note: TransferredNote, over known: Int?) async throws -> Bool {
        // What is not here cannot be attached.
        var note = note
        note.attachments = note.attachments.filter { reference in
            BlobID(reference.hash).map { blobs.size(of: $0) != nil } ?? false
        }
        return try await store.write(operation) { [note] transaction in
            // An edit that came since it was read would be lost.
            guard try transaction.note(note.id)?.revision == known else { return false }
            try transaction.put(note)
            return true
        }
    }
}

extension Transaction {
    fileprivate func transferred(_ id: String) throws -> TransferredNote? {
        guard let note = try note(id) else { return nil }
        let file = try noteFile(of: id)
        var batches: [(field: NoteField, batch: EditBatch)] = []
        for field in NoteField.allCases { batches += try journal(of: id, field).batches.map { (field, $0) } }
        return TransferredNote(
            id: id, revision: note.revision, wireID: try wireID(of: id), folder: note.folder, access: note.access,
            tags: note.tags,
            attachments: try attachments(of: id).map {
                AttachmentReference(path: $0.path, hash: $0.blob.text, size: $0.size, link: $0.link)
            }, file: (file?.head, file?.stem.bytes, file?.title), createdAt: note.createdAt,
            changedAt: note.changedAt, deletedAt: note.deletedAt, document: try document(of: id),
            batches: batches.sorted { $0.batch.change < $1.batch.change })
    }

    fileprivate func put(_ note: TransferredNote) throws {
        let id = note.id
        if try self.note(id) == nil {
            _ = try insertNote(
                id: id, wireID: note.wireID, folder: note.folder, access: note.access, createdAt: note.createdAt)
        }
        try TextLog(transaction: self, note: id).pack(note.document)
        try setFolder(note.folder, of: id)
        try setAccess(note.access, of: id)
        try setTags(note.tags, of: id)
        try run("UPDATE notes_note SET deleted_at = ? WHERE id = ?", note.deletedAt?.milliseconds, id)
        if let head = note.file.head { try setNoteFile(of: id, stem: ByteString(note.file.stem ?? []), head: head) }
        try putBatches(note)
        for attachment in try attachments(of: id)
        where !note.attachments.contains(where: { $0.path == attachment.path }) {
            try run("DELETE FROM notes_attachment WHERE note = ? AND path = ?", id, attachment.path.bytes)
        }
        for reference in note.attachments {
            guard let blob = BlobID(reference.hash) else { continue }
            _ = try setAttachment(
                StoredAttachment(path: reference.path, blob: blob, size: reference.size, link: reference.link), of: id)
        }
        try reindexNotes([id])
    }

    /// Stores who made the edits that were not known here; their changes keep their order, and come after all others.
    private func putBatches(_ note: TransferredNote) throws {
        let known = try NoteField.allCases.map { ($0, try journal(of: note.id, $0)) }
        let missing = note.batches.filter { added in
            known.first { $0.0 == added.field }?.1.batch(
                of: EventID(agent: added.batch.agent, sequence: added.batch.sequences.upperBound - 1)) == nil
        }
        let changes = Set(missing.map(\.batch.change)).sorted()
        let ranks = Dictionary(changes.enumerated().map { ($1, $0) }) { $1 }
        let first = try nextChange()
        for (field, batch) in missing {
            // Of a batch that is known in part, the rest.
            let start =
                try row(
                    "SELECT max(last) + 1 FROM notes_batch WHERE note = ? AND field = ? AND agent = ? AND last >= ?",
                    note.id,
                    field.rawValue, batch.agent, batch.sequences.lowerBound
                ) { $0.optionalInt(0) } ?? nil
            let sequences = max(batch.sequences.lowerBound, start ?? 0)..<batch.sequences.upperBound
            guard !sequences.isEmpty else { continue }
            try insert(
                EditBatch(
                    agent: batch.agent, sequences: sequences, person: batch.person, at: batch.at,
                    change: first + (ranks[batch.change] ?? 0)), of: note.id, field)
        }
        try setText(
            CurrentTexts(note.document), note.document.version, of: note.id, change: first + max(0, changes.count - 1))
    }
}
