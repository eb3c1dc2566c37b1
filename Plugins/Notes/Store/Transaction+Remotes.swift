import NotesDomain
import SQLite
import Storage
import TextCRDT

/// Where a note is on a server.
struct ServerPlace: Hashable, Sendable {
    /// The id of the note here.
    let note: String
    /// The name of the server.
    let server: String
    /// The id on the server.
    let remote: String
    /// Whether it is locked there for the person here.
    let isLocked: Bool
}

/// What is known of servers and of the notes on them.
extension Transaction {
    // MARK: Servers

    /// Records the address of a server. What is known of another one under this name is forgotten; a server that has
    /// another name now keeps its notes.
    func useServer(_ server: String, at address: String, configured: [String]) throws {
        if let known = try row("SELECT address FROM notes_server WHERE server = ?", server, body: { $0.text(0) }) {
            if known != address { try forgetServer(server) }
        } else if let old = try rows("SELECT server FROM notes_server WHERE address = ?", address, body: { $0.text(0) })
            .first(where: { !configured.contains($0) })
        {
            try run("UPDATE notes_remote SET server = ? WHERE server = ?", server, old)
            try run("UPDATE notes_server SET server = ? WHERE server = ?", server, old)
        }
        try run(
            """
            INSERT INTO notes_server (server, address, cursor, link, link_at) VALUES (?, ?, NULL, '', 0)
            ON CONFLICT DO NOTHING
            """, server, address)
    }

    /// Forgets a server and which notes it has; the notes stay.
    func forgetServer(_ server: String) throws {
        try run("DELETE FROM notes_sent WHERE note IN (SELECT note FROM notes_remote WHERE server = ?)", server)
        try run("DELETE FROM notes_remote WHERE server = ?", server)
        try run("DELETE FROM notes_server WHERE server = ?", server)
    }

    // MARK: Notes on servers

    /// Returns what is known of a note on its server; nil if it is on none.
    func link(of note: String) throws -> NoteAppLink? { try links("note = ?", note).first }

    /// Returns what is known of all notes on a server.
    func links(on server: String) throws -> [NoteAppLink] { try links("server = ? ORDER BY note", server) }

    private func links(_ condition: String, _ argument: String) throws -> [NoteAppLink] {
        let found = try rows(
            """
            SELECT note, remote, state, title_version, content_version, owner, members, fingerprint
            FROM notes_remote WHERE \(condition)
            """, argument
        ) { row in
            NoteAppLink(
                note: row.text(0), remote: row.optionalText(1).flatMap { NoteAppID($0) },
                state: NoteAppLink.State(rawValue: row.text(2)) ?? .synced,
                edits: SentEdits(settled: Self.version(row, 3)),
                access: NoteAccess(owner: row.text(5), members: row.text(6).split(separator: "\n").map(String.init)),
                fingerprint: row.text(7))
        }
        return try found.map { link in
            var (link, settled) = (link, link.edits.settled)
            var sent: [SentEdits.Sent] = []
            try scan(
                """
                SELECT place, title_version, content_version, kept_since, are_deletions_seen, is_coarse
                FROM notes_sent WHERE note = ? ORDER BY place
                """, link.note
            ) { row in
                if row.int(0) == 0 { settled = Self.version(row, 1) } else { sent.append(Self.sent(row)) }
                return true
            }
            link.edits = SentEdits(seen: link.edits.seen, settled: settled, sent: sent)
            return link
        }
    }

    private static func sent(_ row: borrowing Row) -> SentEdits.Sent {
        SentEdits.Sent(
            version: version(row, 1), keptSince: row.optionalInt(3).map { Instant(milliseconds: Int64($0)) },
            areDeletionsSeen: row.bool(4), isCoarse: row.bool(5))
    }

    private static func version(_ row: borrowing Row, _ column: Int) -> NoteVersion {
        NoteVersion(title: Version(column: row.text(column)), content: Version(column: row.text(column + 1)))
    }

    /// Stores what is known of a note on a server.
    func setLink(_ link: NoteAppLink, on server: String) throws {
        try run(
            """
            INSERT INTO notes_remote (note, server, remote, state, title_version, content_version, owner, members,
                fingerprint)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET server = excluded.server, remote = excluded.remote, state = excluded.state,
                title_version = excluded.title_version, content_version = excluded.content_version,
                owner = excluded.owner, members = excluded.members, fingerprint = excluded.fingerprint
            """, link.note, server, link.remote?.text, link.state.rawValue, link.edits.seen.title.column,
            link.edits.seen.content.column, link.access.owner, link.access.members.joined(separator: "\n"),
            link.fingerprint)
        try run("DELETE FROM notes_sent WHERE note = ?", link.note)
        guard link.edits.settled != link.edits.seen || !link.edits.sent.isEmpty else { return }
        let settled = SentEdits.Sent(version: link.edits.settled)
        for (place, sent) in ([settled] + link.edits.sent).enumerated() {
            try run(
                """
                INSERT INTO notes_sent (note, place, title_version, content_version, kept_since, are_deletions_seen,
                    is_coarse)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, link.note, place, sent.version.title.column, sent.version.content.column,
                sent.keptSince?.milliseconds, sent.areDeletionsSeen, sent.isCoarse)
        }
    }

    /// Forgets that a note is on a server.
    func removeLink(of note: String) throws {
        try run("DELETE FROM notes_sent WHERE note = ?", note)
        try run("DELETE FROM notes_remote WHERE note = ?", note)
    }

    /// Returns where a note is on a server; nil if it is on none.
    func serverPlace(of note: String) throws -> ServerPlace? {
        try row(
            "SELECT server, remote, state FROM notes_remote WHERE note = ? AND remote IS NOT NULL AND state <> 'left'",
            note
        ) { ServerPlace(note: note, server: $0.text(0), remote: $0.text(1), isLocked: $0.text(2) == "locked") }
    }

    /// Returns the note that has an id on a server; nil if none has.
    func note(of remote: String, on server: String) throws -> NoteRecord? {
        try row("SELECT note FROM notes_remote WHERE server = ? AND remote = ?", server, remote) { $0.text(0) }
            .flatMap { try self.note($0) }
    }

    /// Stores someone's request for access to a note of the person here, as a server has told it, unless it needs no answer.
    func requestAccess(toRemote remote: String, on server: String, owner: String, by requester: String, reason: String)
        throws
    {
        guard let note = try note(of: remote, on: server), note.deletedAt == nil, note.access.owner == owner,
            !note.access.isUnlocked(for: requester), !requester.isEmpty, requester.utf8.count <= NoteLimits.name,
            !requester.contains(where: \.isNewline), reason.utf8.count <= NoteLimits.reason
        else { return }
        // Too many that wait are not worth ending the connection.
        _ = try? requestAccess(to: note, by: requester, reason: reason)
    }

    /// Returns the state of a note here, as a sync compares it.
    func localState(of note: String) throws -> LocalNoteState {
        guard let record = try self.note(note) else { return .destroyed }
        return record.deletedAt == nil ? .live(try version(of: note), record.access) : .inTrash
    }

    /// Returns the notes that a server has, or had before they were deleted for good here.
    func notes(on server: String) throws -> [String] {
        let table = NoteMachine.isMachine(server) ? "notes_machine_note" : "notes_remote"
        return try rows("SELECT note FROM \(table) WHERE server = ?", server) { $0.text(0) }
    }

    /// Returns the live notes that are on no server of `configured` and are for a server: those in `folder` and below it; for
    /// a server without a folder all others.
    func unsentNotes(for folder: String, otherFolders: [String], configured: [String]) throws -> [String] {
        let known = try rows("SELECT note, server FROM notes_remote") { (note: $0.text(0), server: $0.text(1)) }
        let linked = Set(known.filter { configured.contains($0.server) }.map(\.note))
        return try rows("SELECT id, folder FROM notes_note WHERE deleted_at IS NULL ORDER BY rowid") {
            (id: $0.text(0), folder: $0.text(1))
        }.filter { !linked.contains($0.id) && Self.isFor(folder, $0.folder, otherFolders: otherFolders) }.map(\.id)
    }

    /// Whether a note is one of ``unsentNotes(for:otherFolders:configured:)``.
    func isUnsent(_ id: String, for folder: String, otherFolders: [String], configured: [String]) throws -> Bool {
        guard let note = try note(id), note.deletedAt == nil,
            Self.isFor(folder, note.folder, otherFolders: otherFolders)
        else { return false }
        let server = try row("SELECT server FROM notes_remote WHERE note = ?", id) { $0.text(0) }
        return server.map { !configured.contains($0) } ?? true
    }

    private static func isFor(_ server: String, _ folder: String, otherFolders: [String]) -> Bool {
        func isBelow(_ other: String) -> Bool { folder == other || folder.hasPrefix(other + "/") }
        return server.isEmpty ? !otherFolders.contains(where: isBelow) : isBelow(server)
    }

    /// The numbers of notes on a server: all that are kept on both sides, locked ones, and those whose changes wait.
    func noteCounts(on server: String) throws -> (synced: Int, locked: Int, waiting: Int) {
        try row(
            """
            SELECT ifnull(sum(r.state <> 'left' AND n.deleted_at IS NULL AND n.id IS NOT NULL), 0),
                ifnull(sum(r.state = 'locked'), 0),
                ifnull(sum(r.state <> 'left' AND (n.id IS NULL OR n.deleted_at IS NOT NULL OR r.remote IS NULL
                    OR r.state = 'synced' AND (t.title_version <> r.title_version
                        OR t.content_version <> r.content_version))), 0)
            FROM notes_remote r LEFT JOIN notes_note n ON n.id = r.note LEFT JOIN notes_text t ON t.note = n.id
            WHERE r.server = ?
            """, server
        ) { ($0.int(0), $0.int(1), $0.int(2)) } ?? (0, 0, 0)
    }
}
