import HubKit
import NotesDomain
import SQLite
import TextCRDT

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
        try run("DELETE FROM notes_base WHERE note IN (SELECT note FROM notes_remote WHERE server = ?)", server)
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
                bases: ServerBases(seen: Self.version(row, 3)),
                access: NoteAccess(owner: row.text(5), members: row.text(6).split(separator: "\n").map(String.init)),
                fingerprint: row.text(7))
        }
        return try found.map { link in
            var link = link
            let others = try rows(
                "SELECT kind, title_version, content_version, at FROM notes_base WHERE note = ? ORDER BY kind, place",
                link.note
            ) { (kind: $0.text(0), version: Self.version($0, 1), at: Instant(milliseconds: Int64($0.int(3)))) }
            guard !others.isEmpty else { return link }
            link.bases = ServerBases(
                seen: link.bases.seen, sent: others.filter { $0.kind == "sent" }.map(\.version),
                replaced: others.filter { $0.kind == "replaced" }.map { .init(version: $0.version, at: $0.at) })
            return link
        }
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
            """, link.note, server, link.remote?.text, link.state.rawValue, link.bases.seen.title.column,
            link.bases.seen.content.column, link.access.owner, link.access.members.joined(separator: "\n"),
            link.fingerprint)
        try run("DELETE FROM notes_base WHERE note = ?", link.note)
        let sent = link.bases.sent.map { ("sent", $0, now) }
        let replaced = link.bases.replaced.map { ("replaced", $0.version, $0.at) }
        for (place, (kind, version, at)) in (sent + replaced).enumerated() {
            try run(
                "INSERT INTO notes_base (note, kind, place, title_version, content_version, at) VALUES (?, ?, ?, ?, ?, ?)",
                link.note, kind, place, version.title.column, version.content.column, at.milliseconds)
        }
    }

    /// Forgets that a note is on a server.
    func removeLink(of note: String) throws {
        try run("DELETE FROM notes_base WHERE note = ?", note)
        try run("DELETE FROM notes_remote WHERE note = ?", note)
    }

    /// Returns the state of a note here, as a sync compares it.
    func localState(of note: String) throws -> LocalNoteState {
        guard let record = try self.note(note) else { return .destroyed }
        return record.deletedAt == nil ? .live(try version(of: note), record.access) : .inTrash
    }

    /// Returns the live notes that are on no server of `configured` and are for a server: those in `folder` and below it; for
    /// a server without a folder all others.
    func unsentNotes(for folder: String, otherFolders: [String], configured: [String]) throws -> [String] {
        let known = try rows("SELECT note, server FROM notes_remote") { (note: $0.text(0), server: $0.text(1)) }
        let linked = Set(known.filter { configured.contains($0.server) }.map(\.note))
        return try rows("SELECT id, folder FROM notes_note WHERE deleted_at IS NULL ORDER BY rowid") {
            (id: $0.text(0), folder: $0.text(1))
        }.filter { note in
            func isBelow(_ folder: String) -> Bool { note.folder == folder || note.folder.hasPrefix(folder + "/") }
            return !linked.contains(note.id)
                && (folder.isEmpty ? !otherFolders.contains(where: isBelow) : isBelow(folder))
        }.map(\.id)
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
