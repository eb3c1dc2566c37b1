import NotesDomain
import SQLite
import Storage

/// The rows of notes. Every change ends with `reindexNotes`, which also counts the revision.
extension Transaction {
    // MARK: Reading

    /// Returns the note with the full id `id`, live or in the trash.
    func note(_ id: String) throws -> NoteRecord? { try notes("n.id = ?", id).first }

    /// Returns the note with this id for NoteApp, live or in the trash.
    func note(withWireID id: NoteAppID) throws -> NoteRecord? { try notes("n.wire_id = ?", id.text).first }

    /// Returns the note that was made of a file or an event; the newest live one of several.
    func note(madeFrom source: String) throws -> NoteRecord? {
        try notes("n.source = ? ORDER BY n.deleted_at IS NOT NULL, n.rowid DESC LIMIT 1", source).first
    }

    /// Returns the id for NoteApp of a note.
    func wireID(of id: String) throws -> NoteAppID? {
        try row("SELECT wire_id FROM notes_note WHERE id = ?", id) { NoteAppID($0.text(0)) } ?? nil
    }

    /// Returns notes with their texts, by a condition on `notes_note n` and `notes_text t`.
    func notes(_ condition: String, _ arguments: any Bindable...) throws -> [NoteRecord] {
        // With subqueries, since a list asks for many.
        try rows(
            """
            SELECT n.id, t.title, t.content, n.folder, n.owner, n.pinned, t.revision, n.created_at, t.changed_at,
                n.deleted_at,
                (SELECT json_group_array(name) FROM (SELECT name FROM notes_member WHERE note = n.id ORDER BY place)),
                (SELECT json_group_array(tag) FROM (SELECT tag FROM notes_tag WHERE note = n.id ORDER BY place)),
                (SELECT json_group_array(name) FROM notes_member WHERE note = n.id AND read_only = 1)
            FROM notes_note n JOIN notes_text t ON t.note = n.id WHERE \(condition)
            """, arguments: arguments
        ) { row in
            NoteRecord(
                id: row.text(0), title: row.text(1), content: row.text(2), folder: row.text(3),
                access: NoteAccess(
                    owner: row.text(4), members: try Self.texts(row.text(10)), readers: try Self.texts(row.text(12))),
                tags: try Self.texts(row.text(11)), isPinned: row.bool(5), revision: row.int(6),
                createdAt: Instant(milliseconds: Int64(row.int(7))),
                changedAt: Instant(milliseconds: Int64(row.int(8))),
                deletedAt: row.optionalInt(9).map { Instant(milliseconds: Int64($0)) })
        }
    }

    /// The texts in a JSON array.
    private static func texts(_ array: String) throws -> [String] {
        array == "[]" ? [] : [String](json: try JSONReader.read(Array(array.utf8))) ?? []
    }

    /// Returns the tags of a note in the order given.
    func tags(of id: String) throws -> [String] {
        try rows("SELECT tag FROM notes_tag WHERE note = ? ORDER BY place", id) { $0.text(0) }
    }

    /// Returns the members of a note, which belongs to `owner`.
    func access(of id: String, owner: String) throws -> NoteAccess {
        let members = try rows("SELECT name, read_only FROM notes_member WHERE note = ? ORDER BY place", id) {
            (name: $0.text(0), isReader: $0.bool(1))
        }
        return NoteAccess(
            owner: owner, members: members.map(\.name), readers: members.filter(\.isReader).map(\.name))
    }

    /// Returns what the file of a mirrored or imported note had before its text: the byte order mark and the front matter.
    func frontMatter(of id: String) throws -> String? {
        try noteFile(of: id)?.head
            ?? row("SELECT front_matter FROM notes_note WHERE id = ?", id) { $0.optionalText(0) } ?? nil
    }

    /// Returns the identity of the file or event that a note was made of.
    func source(of id: String) throws -> String? {
        try row("SELECT source FROM notes_note WHERE id = ?", id) { $0.optionalText(0) } ?? nil
    }

    // MARK: Writing

    /// Creates an empty note. An id for NoteApp that is taken is replaced by a random one.
    func insertNote(
        id: String = Identifier.make(), wireID: NoteAppID? = nil, folder: String = "",
        access: NoteAccess = NoteAccess(owner: ""),
        isPinned: Bool = false, source: String? = nil,
        frontMatter: String? = nil, createdAt: Instant? = nil
    ) throws -> String {
        var generator = SystemRandomNumberGenerator()
        let isFree = try wireID.map { try note(withWireID: $0) == nil } ?? false
        let wireID =
            wireID.flatMap { isFree ? $0 : nil }
            ?? NoteAppID((0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) })
        try run(
            """
            INSERT INTO notes_note (id, wire_id, folder, owner, pinned, source, front_matter, revision, created_at,
                changed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?)
            """, id, wireID.text, folder, access.owner, isPinned, source, frontMatter,
            (createdAt ?? now).milliseconds, now.milliseconds)
        try insertText(of: id, at: Int(now.milliseconds))
        try setMembers(access, of: id)
        return id
    }

    /// Gives a note whose row was inserted an empty text. One whose creation was undone comes again: its text stays, and what undo would have
    /// made of its edits goes.
    func insertText(of id: String, at time: Int) throws {
        let added = try run(
            """
            INSERT INTO notes_text (note, title, size, revision, changed_at, change, title_version, content_version,
                content)
            VALUES (?, '', 0, 0, ?, 0, '', '', '')
            ON CONFLICT DO NOTHING
            """, id, time)
        if added == 0 { try run("DELETE FROM notes_effect WHERE note = ?", id) }
    }

    /// Changes whether lists show a note first.
    func setPinned(_ isPinned: Bool, of id: String) throws {
        try run("UPDATE notes_note SET pinned = ?, changed_at = ? WHERE id = ?", isPinned, now.milliseconds, id)
    }

    /// Gives a note the times that another machine has for it.
    func setTimes(created: Instant, changed: Instant, of id: String) throws {
        try run(
            "UPDATE notes_note SET created_at = ? WHERE id = ? AND created_at <> ?1", created.milliseconds, id)
        try run("UPDATE notes_text SET changed_at = ? WHERE note = ?", changed.milliseconds, id)
    }

    /// Moves a note to another folder.
    func setFolder(_ folder: String, of id: String) throws {
        try run("UPDATE notes_note SET folder = ?, changed_at = ? WHERE id = ?", folder, now.milliseconds, id)
    }

    /// Changes the identity and the front matter of an imported note.
    func setSource(_ source: String?, frontMatter: String?, of id: String) throws {
        try run("UPDATE notes_note SET source = ?, front_matter = ? WHERE id = ?", source, frontMatter, id)
    }

    /// Changes the owner and the members.
    func setAccess(_ access: NoteAccess, of id: String) throws {
        try run("UPDATE notes_note SET owner = ? WHERE id = ? AND owner <> ?", access.owner, id, access.owner)
        try setMembers(access, of: id)
    }

    private func setMembers(_ access: NoteAccess, of id: String) throws {
        guard try self.access(of: id, owner: access.owner) != access else { return }
        try run("DELETE FROM notes_member WHERE note = ?", id)
        for (place, name) in access.members.enumerated() {
            try run(
                "INSERT INTO notes_member (note, name, place, read_only) VALUES (?, ?, ?, ?)", id, name, place,
                access.isReader(name))
        }
        try allowRequests(of: access.members, for: id)
    }

    /// Replaces the tags of a note.
    func setTags(_ tags: [String], of id: String) throws {
        guard try self.tags(of: id) != tags else { return }
        try run("DELETE FROM notes_tag WHERE note = ?", id)
        for (place, tag) in tags.enumerated() {
            try run(
                "INSERT INTO notes_tag (note, folded, tag, place) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", id,
                NoteTag.folded(tag), tag, place)
        }
    }

    /// Deletes all rows of a note, whose history is deleted already.
    func destroyNote(_ id: String) throws {
        try recordPurge(of: id, change: try nextChange())
        try removeEntry(of: id)
        for table in ["notes_member", "notes_tag", "notes_attachment", "notes_edit", "notes_publication"]
            + NotesSchema.unrecorded
        {
            try run("DELETE FROM \(table) WHERE note = ?", id)
        }
        try run("DELETE FROM notes_note WHERE id = ?", id)
    }

    /// Forgets the text of a note that is not here, which stays when the creation of a note is undone.
    func forgetText(of id: String) throws {
        guard try note(id) == nil else { return }
        for table in NotesSchema.unrecorded { try run("DELETE FROM \(table) WHERE note = ?", id) }
    }

    // MARK: Settings and numbers

    /// Returns the name of this replica in the logs of texts, which is made on first use and when the store was copied.
    func agent() throws -> String { try knownAgent() ?? renewAgent() }

    /// Returns the name of this replica; nil before its first use, and when it is that of the store of which this one is a copy.
    func knownAgent() throws -> String? {
        try row(
            """
            SELECT a.value FROM notes_setting a JOIN notes_setting s ON s.key = 'agent_store' AND s.value = ?
            WHERE a.key = 'agent'
            """, replica()
        ) { $0.text(0) }
    }

    /// Gives this replica a new name: another one may go on with the old one, whose edits any account may bring from now on.
    @discardableResult
    func renewAgent() throws -> String {
        let agent = Identifier.make()
        try run(
            """
            INSERT INTO notes_agent (agent, person) SELECT value, ? FROM notes_setting WHERE key = 'agent'
            ON CONFLICT DO NOTHING
            """, Self.anyone)
        for (key, value) in [("agent", agent), ("agent_store", try replica())] {
            try run(
                """
                INSERT INTO notes_setting (key, value) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET value = excluded.value
                """, key, value)
        }
        return agent
    }

    /// The number of the next change, which is greater than all before.
    func nextChange() throws -> Int {
        try row(
            """
            SELECT max(
                (SELECT ifnull(max(change), 0) FROM notes_text), (SELECT ifnull(max(change), 0) FROM notes_purged)) + 1
            """
        ) { $0.int(0) } ?? 1
    }
}
