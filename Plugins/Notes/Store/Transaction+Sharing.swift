import NotesDomain
import SQLite
import Storage
import TextCRDT

/// What a client that writes a whole note meets in the store.
struct WholeNoteState {
    /// The id of the note.
    let note: String
    let texts: StoredTextState
    /// What the client has read of the note last; nil if that is not known.
    let read: NoteRead?
    /// Whether it may not have got that answer, and has read something before.
    let hasEarlierReads: Bool
}

/// What clients have read, and their requests for access.
extension Transaction {
    // MARK: Reads

    /// Returns what a client has read of a note last; nil if that is not known.
    func lastRead(of id: String, by client: String) throws -> NoteRead? {
        try row(
            "SELECT title_version, content_version, members FROM notes_read WHERE client = ? AND note = ?", client, id
        ) { Self.read($0) }
    }

    /// Returns what a client has read of a note before the last time, since it has written it; the latest first.
    func earlierReads(of id: String, by client: String) throws -> [NoteRead] {
        try rows(
            """
            SELECT title_version, content_version, members FROM notes_earlier_read WHERE client = ? AND note = ?
            ORDER BY at DESC
            """, client, id
        ) { Self.read($0) }
    }

    /// Returns what a client that writes a whole note meets; nil if there is no such note.
    func wholeNoteState(of wireID: NoteAppID, for client: String) throws -> WholeNoteState? {
        try row(
            """
            SELECT r.title_version, r.content_version, r.members, n.id, t.change, t.title_version, t.content_version,
                EXISTS (SELECT 1 FROM notes_earlier_read e WHERE e.client = ?1 AND e.note = n.id)
            FROM notes_note n JOIN notes_text t ON t.note = n.id
                LEFT JOIN notes_read r ON r.client = ?1 AND r.note = n.id
            WHERE n.wire_id = ?2
            """, client, wireID.text
        ) { row in
            WholeNoteState(
                note: row.text(3), texts: StoredTextState(change: row.int(4), title: row.text(5), content: row.text(6)),
                read: row.isNull(0) ? nil : Self.read(row), hasEarlierReads: row.bool(7))
        }
    }

    private static func read(_ row: borrowing Row) -> NoteRead {
        NoteRead(
            version: NoteVersion(title: Version(column: row.text(0)), content: Version(column: row.text(1))),
            members: row.text(2).split(separator: "\n").map(String.init))
    }

    /// Records that a client is about to be sent a note.
    func addRead(_ read: NoteRead, of id: String, by client: String) throws {
        try run(
            """
            INSERT OR REPLACE INTO notes_earlier_read (client, note, title_version, content_version, members, at)
                SELECT client, note, title_version, content_version, members, at FROM notes_read
                WHERE client = ? AND note = ?
            """, client, id)
        try run(
            """
            DELETE FROM notes_earlier_read WHERE client = ?1 AND note = ?2 AND (title_version, content_version) NOT IN (
                SELECT title_version, content_version FROM notes_earlier_read WHERE client = ?1 AND note = ?2
                ORDER BY at DESC LIMIT ?3)
            """, client, id, WholeNoteWrite.earlierReadCount)
        try setLastRead(read, of: id, by: client)
    }

    /// Forgets what a client has read before the last time, since it has written the note.
    func removeEarlierReads(of id: String, by client: String) throws {
        try run("DELETE FROM notes_earlier_read WHERE client = ? AND note = ?", client, id)
    }

    /// Records what a client has read or written of a note last.
    func setLastRead(_ read: NoteRead, of id: String, by client: String) throws {
        try run(
            """
            INSERT INTO notes_read (client, note, title_version, content_version, members, at)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET title_version = excluded.title_version,
                content_version = excluded.content_version, members = excluded.members, at = excluded.at
            """, client, id, read.version.title.column, read.version.content.column,
            read.members.joined(separator: "\n"), now.milliseconds)
    }

    /// Returns the newest versions of a note with their texts, the newest first; at most `limit`.
    func recentVersions(of id: String, limit: Int) throws -> [MergeBase.Candidate] {
        let document = try document(of: id)
        let (titles, contents) = (try journal(of: id, .title), try journal(of: id, .content))
        let changes = try rows(
            "SELECT DISTINCT change FROM \(Self.allBatches) WHERE note = ? ORDER BY change DESC LIMIT ?", id, limit
        ) { $0.int(0) }
        return try changes.map { change in
            let version = NoteVersion(
                title: titles.version(afterChange: change), content: contents.version(afterChange: change))
            return MergeBase.Candidate(
                version: version, title: try document.title.text(at: version.title),
                content: try document.content.text(at: version.content))
        }
    }

    /// Returns the live notes that the server serves, which have an owner, in the order of their creation.
    func servedNotes() throws -> [NoteRecord] {
        try notes("n.owner <> '' AND n.deleted_at IS NULL ORDER BY n.rowid")
    }

    /// Returns the number of notes that the server serves.
    func servedCount() throws -> Int {
        try row("SELECT count(*) FROM notes_note WHERE owner <> '' AND deleted_at IS NULL") { $0.int(0) } ?? 0
    }

    // MARK: Requests

    /// Returns the request of a person for a note; nil without one.
    func request(for id: String, by requester: String) throws -> AccessRequest? {
        try requests("note = ? AND requester = ?", id, requester).first
    }

    /// Returns all requests that have no answer yet, the oldest first.
    func openRequests() throws -> [AccessRequest] {
        try requests("answer = ? ORDER BY requested_at, requester", AccessRequest.State.pending.rawValue)
    }

    private func requests(_ condition: String, _ arguments: any Bindable...) throws -> [AccessRequest] {
        try rows(
            "SELECT note, requester, reason, requested_at, answer FROM notes_request WHERE \(condition)",
            arguments: arguments
        ) {
            AccessRequest(
                note: $0.text(0), requester: $0.text(1), reason: $0.text(2),
                requestedAt: Instant(milliseconds: Int64($0.int(3))),
                answer: AccessRequest.State(rawValue: $0.text(4)) ?? .pending)
        }
    }

    /// Records that those who have access now have got it, in whatever way.
    func allowRequests(of members: [String], for id: String) throws {
        for var request in try requests("note = ? AND answer = ?", id, AccessRequest.State.pending.rawValue)
        where members.contains(request.requester) {
            if request.answer(allow: true, at: now) != nil { try setRequest(request) }
        }
    }

    /// Stores a request, or its answer.
    func setRequest(_ request: AccessRequest) throws {
        try run(
            """
            INSERT INTO notes_request (note, requester, reason, requested_at, answer) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET reason = excluded.reason, requested_at = excluded.requested_at,
                answer = excluded.answer
            """, request.note, request.requester, request.reason, request.requestedAt.milliseconds,
            request.answer.rawValue)
    }
}
