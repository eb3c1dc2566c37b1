import Hashing
import NotesDomain
import SQLite
import Storage
import TextCRDT

/// What the clients of the server have to be told: the changes after a place, and the texts that they lack.
extension Transaction {
    /// The number of the last change of any note.
    func latestChange() throws -> Int { try nextChange() - 1 }

    /// Returns when the texts of a note were changed last; nil if they were not.
    func lastEdit(of id: String) throws -> Instant? {
        try row(
            """
            SELECT at FROM (
                SELECT * FROM (SELECT at, change FROM notes_batch WHERE note = ?1 ORDER BY change DESC LIMIT 1) UNION ALL
                SELECT * FROM (SELECT at, change FROM notes_pending WHERE note = ?1 ORDER BY change DESC LIMIT 1))
            ORDER BY change DESC LIMIT 1
            """, id
        ) { Instant(milliseconds: Int64($0.int(0))) }
    }

    // MARK: Recording

    /// Compares what is beside the texts of a note with how it was, and records a difference under the number of the change.
    func recordSharing(of note: NoteRecord, change: Int) throws {
        let (id, owner, members) = (note.id, note.access.owner, note.access.members)
        let pinned = note.isPinned ? "\u{4}" : ""
        let properties = "\(note.deletedAt == nil ? 0 : 1)\n\(note.folder)\n\(note.tags.joined(separator: "\n"))"
        let old = try row("SELECT owner, members, rest FROM notes_sharing WHERE note = ?", id) {
            (owner: $0.text(0), members: $0.text(1), rest: $0.text(2))
        }
        let attachments = try attachmentReferences(of: id).map { "\u{1}\($0.escapedPath) \($0.hash)" }
        let head = try frontMatter(of: id).map { "\u{2}" + String(FNV1a.hash($0.utf8), radix: 16) } ?? ""
        let readers = note.access.readers.map { "\u{3}\($0)" }
        let rest = properties + attachments.joined() + head + readers.joined() + pinned
        let isSame = old.map { $0.owner == owner && $0.members == members.joined(separator: "\n") } ?? false
        if isSame, old?.rest == rest { return }
        if old == nil { try run("DELETE FROM notes_purged WHERE note = ?", id) }
        if !isSame {
            let open = Set(members + [owner])
            let before = old.map { $0.members.split(separator: "\n").map(String.init) + [$0.owner] } ?? []
            for name in open { try run("DELETE FROM notes_revoked WHERE note = ? AND name = ?", id, name) }
            for name in before where !open.contains(name) && !name.isEmpty {
                try run(
                    """
                    INSERT INTO notes_revoked (note, name, change) VALUES (?, ?, ?)
                    ON CONFLICT DO UPDATE SET change = excluded.change
                    """, id, name, change)
            }
        }
        try run(
            """
            INSERT INTO notes_sharing (note, owner, members, rest, access_change, metadata_change) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET owner = excluded.owner, members = excluded.members, rest = excluded.rest,
                access_change = iif(?, access_change, excluded.access_change), metadata_change = excluded.metadata_change
            """, id, owner, members.joined(separator: "\n"), rest, change, change, isSame)
    }

    /// Records that what only machines exchange of a note has changed, so that all of them are told.
    func recordFacts(of id: String) throws {
        try run(
            "UPDATE notes_sharing SET metadata_change = (SELECT change FROM notes_text WHERE note = ?1) WHERE note = ?1",
            id)
    }

    /// Records that a note is gone for good, so that its clients are told.
    func recordPurge(of id: String, change: Int) throws {
        try run(
            """
            INSERT INTO notes_purged (note, owner, members, change)
                SELECT note, owner, members, ? FROM notes_sharing WHERE note = ?
            ON CONFLICT DO UPDATE SET owner = excluded.owner, members = excluded.members, change = excluded.change
            """, change, id)
        for table in ["notes_sharing", "notes_revoked"] { try run("DELETE FROM \(table) WHERE note = ?", id) }
    }

    /// Whether there was a note with this id that is gone for good.
    func isPurged(_ id: String) throws -> Bool {
        try row("SELECT 1 FROM notes_purged WHERE note = ?", id) { $0.int(0) } != nil
    }

    // MARK: Reading

    /// Returns the notes that have changed after the change `after`, by their latest changes: at most `limit`, and the rest of
    /// those that changed together with the last of them. A note that changes later, too, is in the page with its earlier changes: who
    /// has read up to the end of the page is not told again of those.
    func changePage(after: Int, limit: Int) throws -> ChangePage {
        let latest = try latestChange()
        let changes = try rows(
            """
            SELECT change FROM notes_text WHERE change > ? UNION ALL SELECT change FROM notes_purged WHERE change > ?
            ORDER BY change LIMIT ?
            """, after, after, limit
        ) { $0.int(0) }
        let end = changes.count < limit ? latest : changes[limit - 1]
        let live = try rows(
            """
            SELECT t.note, t.change, t.changed_at, n.owner, n.folder, n.deleted_at IS NOT NULL,
                ifnull(s.access_change, t.change), ifnull(s.metadata_change, t.change), n.wire_id, n.pinned, n.created_at
            FROM notes_text t JOIN notes_note n ON n.id = t.note LEFT JOIN notes_sharing s ON s.note = t.note
            WHERE t.change > ?1 AND (t.change <= ?2
                OR s.access_change > ?1 AND s.access_change <= ?2 OR s.metadata_change > ?1 AND s.metadata_change <= ?2
                OR EXISTS (SELECT 1 FROM notes_batch b WHERE b.note = t.note AND b.change > ?1 AND b.change <= ?2)
                OR EXISTS (SELECT 1 FROM notes_pending p WHERE p.note = t.note AND p.change > ?1 AND p.change <= ?2)
                OR EXISTS (SELECT 1 FROM notes_revoked r WHERE r.note = t.note AND r.change > ?1 AND r.change <= ?2))
            """, after, end
        ) { row in
            let facts = NoteFacts(
                owner: row.text(3), isPinned: row.bool(9), createdAt: Instant(milliseconds: Int64(row.int(10))),
                changedAt: Instant(milliseconds: Int64(row.int(2))))
            let metadata = NoteMetadata(
                access: NoteAccess(owner: facts.owner), folder: row.text(4), isDeleted: row.bool(5),
                changedAt: facts.changedAt, facts: facts)
            return ChangedNote(
                row.text(0), metadata, change: min(row.int(1), end), accessChange: row.int(6),
                isMetadataChanged: row.int(7) > after, agents: [], wireID: NoteAppID(row.text(8)))
        }
        let purged = try rows(
            "SELECT note, change, owner, members FROM notes_purged WHERE change > ? AND change <= ?", after, end
        ) { row in
            let members = row.text(3).split(separator: "\n").map(String.init)
            let access = NoteAccess(owner: row.text(2), members: members)
            return ChangedNote(
                row.text(0), NoteMetadata(access: access, isDeleted: true, changedAt: Instant(milliseconds: 0)),
                change: row.int(1), accessChange: 0, isMetadataChanged: true, agents: [], isPurged: true)
        }
        let notes = try live.map { try completed($0, after: after) } + purged
        return ChangePage(notes: notes.sorted { $0.change < $1.change }, end: end, hasMore: end < latest)
    }

    /// Returns the notes that have changed after the change `after`, in the order of their latest changes.
    func changedNotes(after: Int) throws -> [String] {
        try rows(
            """
            SELECT note, change FROM notes_text WHERE change > ? UNION ALL
            SELECT note, change FROM notes_purged WHERE change > ? ORDER BY change
            """, after, after
        ) { $0.text(0) }
    }

    /// Adds what other tables have about a changed note.
    private func completed(_ changed: ChangedNote, after: Int) throws -> ChangedNote {
        var note = changed
        note.metadata.access = try access(of: note.note, owner: note.metadata.access.owner)
        note.metadata.tags = try tags(of: note.note)
        note.metadata.attachments = try attachmentReferences(of: note.note)
        if note.isMetadataChanged || note.accessChange > after { note.metadata.file = try sharedFile(of: note.note) }
        note.agents = Set(
            try rows("SELECT DISTINCT agent FROM \(Self.allBatches) WHERE note = ? AND change > ?", note.note, after) {
                AgentName($0.text(0))
            })
        note.revoked = Set(
            try rows("SELECT name FROM notes_revoked WHERE note = ? AND change > ?", note.note, after) { $0.text(0) })
        return note
    }

    // MARK: Cursors

    /// Returns a cursor with its positions in the newest text; nil while edits of their version are missing here.
    func placed(_ presence: Presence) throws -> Presence? {
        let version = try version(of: presence.note)[presence.field]
        // Mostly it is of the newest text, which the stored version says without the history.
        guard presence.selection != nil, let known = presence.version, known != version else {
            var placed = presence
            placed.version = version
            return placed
        }
        let texts = StoredTexts(transaction: self)
        for head in known.heads
        where try texts.nextSequence(presence.note, presence.field, of: head.agent) <= head.sequence {
            return nil
        }
        return try document(of: presence.note).placed(presence)
    }

    // MARK: Agents

    /// Stands in `notes_agent` for an agent whose edits any account may bring. The name of an account has no line break.
    static let anyone = "\n"

    /// Returns the person whose replica an agent is; nil when it is new or any account may bring its edits, and an empty name for
    /// this machine.
    func person(ofAgent agent: String) throws -> String? {
        let machine = Self.machine(ofAgent: agent)
        if try self.agent() == machine { return "" }
        for name in [agent, machine] {
            guard let person = try row("SELECT person FROM notes_agent WHERE agent = ?", name, body: { $0.text(0) })
            else { continue }
            if person == Self.anyone { return nil }
            if name == agent { return person }
        }
        return nil
    }

    /// Returns the agent of the machine that uses a name which is made of it: see ``NoteDocument/merge(title:content:base:by:)``.
    static func machine(ofAgent agent: String) -> String {
        String(agent.unicodeScalars.prefix { !"~@!".unicodeScalars.contains($0) })
    }

    /// Records whose replica agents are, which stays so.
    func setPerson(_ person: String, ofAgents agents: some Sequence<AgentName>) throws {
        for agent in agents {
            try run("INSERT INTO notes_agent (agent, person) VALUES (?, ?) ON CONFLICT DO NOTHING", agent.text, person)
        }
    }
}

/// The texts of notes within a transaction, as sessions read them.
struct StoredTexts: NoteTextReader {
    let transaction: Transaction

    func patch(_ note: String, afterChange change: Int?) throws -> (patch: NotePatch, version: NoteVersion) {
        let document = try transaction.document(of: note)
        var since = NoteVersion()
        if let change {
            for field in NoteField.allCases {
                since[field] = try transaction.journal(of: note, field).version(afterChange: change)
            }
        }
        return (document.patch(since: since), document.version)
    }

    func edits(_ note: String, _ field: NoteField, since version: Version?) throws -> (
        from: Version?, to: Version, edits: [TextEdit]
    ) {
        // Mostly nothing has changed, which the stored version says without the history.
        if let version, try transaction.version(of: note)[field] == version { return (version, version, []) }
        return try transaction.document(of: note).way(field, since: version)
    }

    func nextSequence(_ note: String, _ field: NoteField, of agent: String) throws -> Int {
        try transaction.row(
            "SELECT ifnull(max(last), -1) + 1 FROM \(Transaction.allBatches) WHERE note = ? AND field = ? AND agent = ?",
            note, field.rawValue, agent
        ) { $0.int(0) } ?? 0
    }
}
