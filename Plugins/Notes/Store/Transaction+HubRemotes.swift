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
        try hubRemotes("server = ? AND note = ?", server, note).first
    }

    /// Returns what is known of a note by its id on the server.
    func hubRemote(_ remote: String, on server: String) throws -> HubRemote? {
        try hubRemotes("server = ? AND remote = ?", server, remote).first
    }

    private func hubRemotes(_ condition: String, _ arguments: any Bindable...) throws -> [HubRemote] {
        try rows(
            """
            SELECT note, remote, state, title_version, content_version, owner, members, tags, folder, in_trash, attachments,
                front_matter, readers
            FROM notes_remote WHERE remote IS NOT NULL AND \(condition)
            """, arguments: arguments
        ) { HubRemote($0) }
    }

    /// Whether attachments of notes on a server of hub have changed here since both sides had the same.
    func hasUnsentAttachments(for server: String) throws -> Bool {
        // A server without a cursor is one of NoteApp, or was never synced.
        guard try cursor(of: server) != nil else { return false }
        return try hubRemotes(
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

    /// Forgets what a server of hub has, since its store is another one.
    func forgetVersions(on server: String) throws {
        // What the server does not have any more was not removed by anybody.
        try run(
            """
            UPDATE notes_remote SET title_version = '', content_version = '', attachments = '[]', front_matter = NULL
            WHERE server = ?
            """, server)
        try setCursor(nil, of: server)
    }
}
