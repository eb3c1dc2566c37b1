import NotesDomain
import SQLite
import Storage
import TextCRDT

/// What is known here of a note on a server of hub.
struct HubRemote: Hashable, Sendable {
    /// How the note is kept.
    typealias State = NoteAppLink.State

    /// The id of the note here.
    let note: String
    /// The id on the server.
    let remote: String
    /// How the note is kept.
    var state = State.synced
    /// The version that the server has.
    var version = NoteVersion()
    /// What is beside the texts, as it was last the same on both sides.
    var access = NoteAccess(owner: "")
    var tags: [String] = []
    var folder = ""
    var isDeleted = false
    var attachments: [AttachmentReference] = []
    /// What the server was last seen to have before the text in the note's file; nil where that is not known.
    var head: FileHead?
    /// What another machine of the person was last seen to have; nil where that is not known, and for a server.
    var facts: NoteFacts?
}

/// The names under which what other machines of the person have is kept beside that of servers.
enum NoteMachine {
    /// The name of a machine among those of servers, none of which has an @.
    static func server(_ machine: String) -> String { "@" + machine }

    /// Whether a name is that of a machine.
    static func isMachine(_ server: String) -> Bool { server.hasPrefix("@") }
}

extension HubRemote {
    /// Reads a row of `notes_remote`.
    fileprivate init(_ row: borrowing Row) {
        (note, remote) = (row.text(0), row.text(1))
        state = State(rawValue: row.text(2)) ?? .synced
        version = NoteVersion(title: Version(column: row.text(3)), content: Version(column: row.text(4)))
        access = NoteAccess(
            owner: row.text(5), members: row.text(6).split(separator: "\n").map(String.init),
            readers: row.text(12).split(separator: "\n").map(String.init))
        tags = row.text(7).split(separator: "\n").map(String.init)
        folder = row.text(8)
        isDeleted = row.bool(9)
        let stored = try? JSONReader.read(Array(row.text(10).utf8))
        attachments = (try? AttachmentReference.list(stored)).flatMap(\.self) ?? []
        head = row.optionalText(11).map { FileHead($0) }
        if let pinned = row.optionalInt(13), let created = row.optionalInt(14), let changed = row.optionalInt(15) {
            facts = NoteFacts(
                owner: access.owner, isPinned: pinned == 1, createdAt: Instant(milliseconds: Int64(created)),
                changedAt: Instant(milliseconds: Int64(changed)))
        }
    }
}

/// What is known of servers of hub: like all of it, changed in the transaction in which the notes change.
extension Transaction {
    /// Returns the place in the server's changes up to which all is here; nil before the first.
    func cursor(of server: String) throws -> String? {
        try row("SELECT cursor FROM notes_server WHERE server = ?", server) { $0.optionalText(0) } ?? nil
    }

    /// Records the place in the server's changes up to which all is here.
    func setCursor(_ cursor: String?, of server: String) throws {
        try run("UPDATE notes_server SET cursor = ? WHERE server = ?", cursor, server)
    }

    /// Records the state of the background connection to a server, in a few words.
    func setConnection(_ words: String, of server: String) throws {
        try run(
            "UPDATE notes_server SET link = ?, link_at = ? WHERE server = ? AND link <> ?", words, now.milliseconds,
            server, words)
    }

    /// Returns the state of the background connection to a server, and since when it is so.
    func connection(of server: String) throws -> (words: String, at: Instant) {
        try row("SELECT link, link_at FROM notes_server WHERE server = ?", server) {
            ($0.text(0), Instant(milliseconds: Int64($0.int(1))))
        } ?? ("", Instant(milliseconds: 0))
    }

    /// Returns what is known of a note on a server of hub.
    func hubRemote(of note: String, on server: String) throws -> HubRemote? {
        try hubRemotes(of: server, "server = ? AND note = ?", server, note).first
    }

    /// Returns what is known of a note by its id on the server.
    func hubRemote(_ remote: String, on server: String) throws -> HubRemote? {
        try hubRemotes(of: server, "server = ? AND remote = ?", server, remote).first
    }

    private func hubRemotes(
        of server: String, _ condition: String, _ arguments: any Bindable...
    ) throws -> [HubRemote] {
        let isMachine = NoteMachine.isMachine(server)
        return try rows(
            """
            SELECT note, remote, state, title_version, content_version, owner, members, tags, folder, in_trash, attachments,
                front_matter, readers, \(isMachine ? "pinned, created_at, changed_at" : "NULL, NULL, NULL")
            FROM \(isMachine ? "notes_machine_note" : "notes_remote") WHERE remote IS NOT NULL AND \(condition)
            """, arguments: arguments
        ) { HubRemote($0) }
    }

    /// Returns the place in the changes here up to which a machine has all; nil before the first.
    func sentChange(to server: String) throws -> Int? {
        try row("SELECT sent FROM notes_server WHERE server = ?", server) { $0.optionalInt(0) } ?? nil
    }

    /// Records the place in the changes here up to which a machine has all.
    func setSentChange(_ change: Int?, to server: String) throws {
        try run("UPDATE notes_server SET sent = ? WHERE server = ?", change, server)
    }

    /// The numbers of live notes here, and of those that differ from what a machine was last seen to have.
    func machineCounts(of server: String) throws -> (all: Int, waiting: Int) {
        try row(
            """
            SELECT (SELECT count(*) FROM notes_note WHERE deleted_at IS NULL),
                ifnull(sum(n.id IS NULL OR t.title_version <> m.title_version OR t.content_version <> m.content_version
                    OR t.changed_at IS NOT m.changed_at), 0)
                    + (SELECT count(*) FROM notes_note o WHERE NOT EXISTS (
                        SELECT 1 FROM notes_machine_note x WHERE x.server = ?1 AND x.note = o.id))
            FROM notes_machine_note m LEFT JOIN notes_note n ON n.id = m.note LEFT JOIN notes_text t ON t.note = n.id
            WHERE m.server = ?1
            """, server
        ) { ($0.int(0), $0.int(1)) } ?? (0, 0)
    }

    /// Returns the ids of notes that begin so, at most `limit`.
    func noteIDs(beginning prefix: String, limit: Int) throws -> [String] {
        try rows(
            "SELECT id FROM notes_note WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2", prefix, limit
        ) { $0.text(0) }
    }

    /// Returns the live notes with this text that were never exchanged with a machine, the oldest first.
    func unpairedNotes(title: String, content: String, on server: String) throws -> [String] {
        // The names of notes have an index; a note without a title has none there.
        let named = title.isEmpty ? "" : "JOIN notes_name m ON m.note = t.note AND m.key = ?1"
        return try rows(
            """
            SELECT n.id FROM notes_text t \(named) JOIN notes_note n ON n.id = t.note
            WHERE t.title = ?2 AND t.content = ?3 AND n.deleted_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM notes_machine_note x WHERE x.server = ?4 AND x.note = n.id)
            ORDER BY n.created_at, n.id
            """, LinkName.key(title), title, content, server
        ) { $0.text(0) }
    }

    /// Forgets what a machine has of a note.
    func removeHubRemote(of note: String, on server: String) throws {
        try run("DELETE FROM notes_machine_note WHERE server = ? AND note = ?", server, note)
    }

    /// Forgets a machine, and what it has.
    func forgetMachine(_ server: String) throws {
        try run("DELETE FROM notes_machine_note WHERE server = ?", server)
        try run("DELETE FROM notes_wanted WHERE server = ?", server)
        try run("DELETE FROM notes_server WHERE server = ?", server)
    }

    /// Whether attachments of notes on a server of hub have changed here since both sides had the same.
    func hasUnsentAttachments(for server: String) throws -> Bool {
        // A server without a cursor is one of NoteApp, or was never synced.
        guard try cursor(of: server) != nil else { return false }
        return try hubRemotes(
            of: server,
            """
            server = ? AND state <> 'left' AND (attachments <> '[]'
                OR EXISTS (SELECT 1 FROM notes_attachment a WHERE a.note = notes_remote.note))
            """, server
        ).contains { Set($0.attachments) != Set(try attachmentReferences(of: $0.note)) }
    }

    /// Stores what is known of a note on a server of hub.
    func setHubRemote(_ remote: HubRemote, on server: String) throws {
        var attachments = JSONWriter()
        AttachmentReference.write(remote.attachments, to: &attachments)
        if NoteMachine.isMachine(server) { return try setMachineNote(remote, on: server, attachments.string) }
        try run(
            """
            INSERT INTO notes_remote (note, server, remote, state, title_version, content_version, owner, members,
                fingerprint, tags, folder, in_trash, attachments, front_matter, readers)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET server = excluded.server, remote = excluded.remote, state = excluded.state,
                title_version = excluded.title_version, content_version = excluded.content_version,
                owner = excluded.owner, members = excluded.members, tags = excluded.tags, folder = excluded.folder,
                in_trash = excluded.in_trash, attachments = excluded.attachments, front_matter = excluded.front_matter,
                readers = excluded.readers
            """, remote.note, server, remote.remote, remote.state.rawValue, remote.version.title.column,
            remote.version.content.column, remote.access.owner, remote.access.members.joined(separator: "\n"),
            remote.tags.joined(separator: "\n"), remote.folder, remote.isDeleted, attachments.string, remote.head?.text,
            remote.access.readers.joined(separator: "\n"))
    }

    private func setMachineNote(_ remote: HubRemote, on server: String, _ attachments: String) throws {
        try run(
            """
            INSERT OR REPLACE INTO notes_machine_note (note, server, remote, state, title_version, content_version, owner, members,
                readers, tags, folder, in_trash, attachments, front_matter, pinned, created_at, changed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, remote.note, server, remote.remote, remote.state.rawValue, remote.version.title.column,
            remote.version.content.column, remote.access.owner, remote.access.members.joined(separator: "\n"),
            remote.access.readers.joined(separator: "\n"), remote.tags.joined(separator: "\n"), remote.folder,
            remote.isDeleted, attachments, remote.head?.text, remote.facts.map { $0.isPinned ? 1 : 0 },
            remote.facts?.createdAt.milliseconds, remote.facts?.changedAt.milliseconds)
    }

    /// Forgets what a server of hub has, since its store is another one.
    func forgetVersions(on server: String) throws {
        if NoteMachine.isMachine(server) {
            try run(
                """
                UPDATE notes_machine_note SET title_version = '', content_version = '', attachments = '[]',
                    front_matter = NULL, pinned = NULL, created_at = NULL, changed_at = NULL
                WHERE server = ?
                """, server)
            try setSentChange(nil, to: server)
            return try setCursor(nil, of: server)
        }
        // What the server does not have any more was not removed by anybody.
        try run(
            """
            UPDATE notes_remote SET title_version = '', content_version = '', attachments = '[]', front_matter = NULL
            WHERE server = ?
            """, server)
        try setCursor(nil, of: server)
    }
}
