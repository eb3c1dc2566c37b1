import NotesDomain
import SQLite
import Storage
import TextCRDT

/// Edits of the newest texts, which are stored without reading the history that they become a part of.
extension Transaction {
    /// The bytes of a note's edits beside its log from which on they are joined with it.
    private static let joinedBytes = 8192
    /// The most edits of a note beside its log; the next one is made by reading the log.
    private static let maximumAdditions = 1000

    /// The batches of edits of all notes, whether they are in the history or not.
    static let allBatches = """
        (SELECT note, field, agent, first, last, person, at, change FROM notes_batch UNION ALL
            SELECT note, field, agent, first, last, person, at, change FROM notes_addition WHERE person IS NOT NULL)
        """

    /// Returns the edits of a note that are not in its log yet, in their order.
    func additions(to id: String) throws -> [NoteAddition] {
        try rows("SELECT field, agent, edits, first FROM notes_addition WHERE note = ? ORDER BY place", id) {
            NoteAddition(
                NoteField(rawValue: $0.text(0)) ?? .content, by: $0.text(1), from: $0.int(3),
                try [TextEdit](decoding: $0.blob(2)))
        }
    }

    /// The newest version of a note's texts.
    struct NewestTexts {
        let version: NoteVersion
        /// The number of events until then.
        let eventCount: Int
    }

    /// Returns the newest version of a note's texts; nil while the number of their events is not known.
    func newestTexts(of id: String) throws -> NewestTexts? {
        try row(
            "SELECT title_version, content_version, events FROM notes_text WHERE note = ? AND events IS NOT NULL", id
        ) {
            NewestTexts(
                version: NoteVersion(title: Version(column: $0.text(0)), content: Version(column: $0.text(1))),
                eventCount: $0.int(2))
        }
    }

    /// Makes the texts of a note those given, by edits of an agent that follow the newest ones, with numbers from `sequence` on.
    /// They come into the history at once if the operation is an edit, else later.
    /// - Returns: the new version; nil if the log has to be read for it. Then nothing has changed.
    func add(
        _ edits: NoteEdits, by agent: String, from sequence: Int = 0, to note: NoteRecord, at newest: NewestTexts,
        texts: CurrentTexts, by person: String, change: Int
    ) throws -> NoteVersion? {
        try check(texts, instead: CurrentTexts(title: note.title, content: note.content))
        let last = try row("SELECT max(place) FROM notes_addition WHERE note = ?", note.id) { $0.optionalInt(0) ?? 0 }
        let count = NoteField.allCases.reduce(newest.eventCount) {
            $0 + edits[$1].insertedCount + edits[$1].deletedCount
        }
        guard var place = last, place < Self.maximumAdditions, count <= ReplicatedText.maximumEventCount else {
            return nil
        }
        let isRecorded = operation?.kind == .edit
        var version = newest.version
        for field in NoteField.allCases where !edits[field].isEmpty {
            let (inserted, deleted) = (edits[field].insertedCount, edits[field].deletedCount)
            let next = try nextSequence(of: agent, in: note.id, field, at: newest.version[field])
            let first = max(next, sequence)
            let batch = EditBatch(
                agent: agent, sequences: first..<first + inserted + deleted, person: person, at: now, change: change)
            place += 1
            try run(
                """
                INSERT INTO notes_addition (note, place, field, agent, edits, first, last, person, at, change, inserted, deleted)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, note.id, place, field.rawValue, agent, edits[field].encoded(), first,
                batch.sequences.upperBound - 1, isRecorded ? nil : person, now.milliseconds, change, inserted, deleted)
            if isRecorded {
                try insert(batch, of: note.id, field)
                try insertEdit(
                    of: note.id, field, [(agent, batch.sequences)], inserted: inserted, deleted: deleted)
            }
            version[field] = Version([EventID(agent: agent, sequence: batch.sequences.upperBound - 1)])
        }
        try run(
            """
            UPDATE notes_text SET title = ?, size = ?, title_version = ?, content_version = ?, content = ?,
                revision = revision + 1, changed_at = ?, change = ?, events = ?
            WHERE note = ?
            """, texts.title, texts.content.utf8.count, version.title.column, version.content.column, texts.content,
            now.milliseconds, change, count, note.id)
        return version
    }

    /// Returns the number of an agent's next edit of a text, of which the version is the newest.
    func nextSequence(
        of agent: String, in id: String, _ field: NoteField, at version: Version
    ) throws -> Int {
        if let head = version.heads.first(where: { $0.agent == agent }) { return head.sequence + 1 }
        return try StoredTexts(transaction: self).nextSequence(id, field, of: agent)
    }

    /// Removes the edits of a text that its log has now. Those that are not in the history yet leave what it needs.
    func removeAdditions(to id: String, _ field: NoteField) throws {
        try run("DELETE FROM notes_addition WHERE note = ? AND field = ? AND person IS NULL", id, field.rawValue)
        try run("UPDATE notes_addition SET edits = x'' WHERE note = ? AND field = ?", id, field.rawValue)
    }
}

// MARK: History

/// Edits that are in a text, and not in the history yet.
extension Transaction {
    /// Lets the history of a note's last batch wait, and its event if it `isUnpublished`.
    func addUnrecorded(_ id: String, isUnpublished: Bool) throws {
        try run(
            """
            INSERT INTO notes_unrecorded (note, is_unpublished) VALUES (?, ?)
            ON CONFLICT DO UPDATE SET is_unpublished = 1 WHERE excluded.is_unpublished > is_unpublished
            """, id, isUnpublished)
    }

    /// Whether the history of any note waits.
    func hasUnrecorded() throws -> Bool { try row("SELECT 1 FROM notes_unrecorded LIMIT 1") { $0.int(0) } != nil }

    /// Returns the ids of notes whose history waits, in their order after `position`: at most `limit`, and none after those whose
    /// edits have so many bytes.
    func unrecordedNotes(after position: String, limit: Int, bytes: Int) throws -> [String] {
        var ids: [String] = []
        var size = 0
        try scan(
            """
            SELECT note, (SELECT sum(length(edits)) FROM notes_addition a WHERE a.note = u.note)
            FROM notes_unrecorded u WHERE note > ? ORDER BY note LIMIT ?
            """, position, limit
        ) { row in
            ids.append(row.text(0))
            size += row.optionalInt(1) ?? 0
            return size < bytes
        }
        return ids
    }

    /// Returns who wrote what waits in some notes.
    func unrecordedPeople(in ids: [String]) throws -> Set<String> {
        try ids.reduce(into: Set()) { people, id in
            people.formUnion(
                try rows(
                    "SELECT DISTINCT person FROM notes_addition WHERE note = ? AND person IS NOT NULL", id
                ) { $0.text(0) })
        }
    }

    /// Puts what a person wrote in some notes into the history, as a part of the current operation: what was typed without a
    /// pause is one edit there.
    func recordEdits(in ids: [String], by person: String) throws {
        for id in ids {
            for field in NoteField.allCases { try recordEdits(in: id, field, by: person) }
        }
    }

    private func recordEdits(in id: String, _ field: NoteField, by person: String) throws {
        var batches: [EditBatch] = []
        var (inserted, deleted) = (0, 0)
        try scan(
            """
            SELECT agent, first, last, at, change, inserted, deleted FROM notes_addition
            WHERE note = ? AND field = ? AND person = ? ORDER BY place
            """, id, field.rawValue, person
        ) { row in
            inserted += row.int(5)
            deleted += row.int(6)
            let batch = EditBatch(
                agent: row.text(0), sequences: row.int(1)..<row.int(2) + 1, person: person,
                at: Instant(milliseconds: Int64(row.int(3))), change: row.int(4))
            if let joined = batches.last?.followed(by: batch) {
                batches[batches.count - 1] = joined
            } else {
                batches.append(batch)
            }
            return true
        }
        if batches.isEmpty { return }
        for batch in batches { try insert(batch, of: id, field) }
        try insertEdit(
            of: id, field, batches.map { ($0.agent, $0.sequences) }, inserted: inserted, deleted: deleted)
        try run(
            "UPDATE notes_addition SET person = NULL WHERE note = ? AND field = ? AND person = ?", id, field.rawValue,
            person)
    }

    /// Packs the edits of notes, which have been recorded.
    /// - Returns: those of the notes whose last change has no event.
    func packRecorded(_ ids: [String]) throws -> [NoteRecord] {
        var unpublished: [NoteRecord] = []
        // What was written meanwhile goes on waiting.
        for id in ids where try unrecordedPeople(in: [id]).isEmpty {
            let isUnpublished = try row("SELECT is_unpublished FROM notes_unrecorded WHERE note = ?", id) { $0.bool(0) }
            try run("DELETE FROM notes_unrecorded WHERE note = ?", id)
            try packAdditions(to: id)
            guard isUnpublished == true, let note = try note(id), note.deletedAt == nil else { continue }
            unpublished.append(note)
        }
        return unpublished
    }

    /// Makes one row of the recorded edits of each text, or joins them with its log when they are many.
    private func packAdditions(to id: String) throws {
        let (count, size) =
            try row("SELECT count(*), ifnull(sum(length(edits)), 0) FROM notes_addition WHERE note = ?", id) {
                ($0.int(0), $0.int(1))
            } ?? (0, 0)
        guard size <= Self.joinedBytes else {
            let document = try document(of: id)
            for field in Set(try additions(to: id).map(\.field)) { try saveLog(document, field, of: id) }
            return
        }
        guard count > 1 else { return }
        var packed: [NoteAddition] = []
        for addition in try additions(to: id) where !addition.edits.isEmpty {
            let index = packed.lastIndex { $0.field == addition.field }
            if let index, packed[index].join(addition) { continue }
            packed.append(addition)
        }
        try run("DELETE FROM notes_addition WHERE note = ?", id)
        for (place, addition) in packed.enumerated() {
            try run(
                """
                INSERT INTO notes_addition (note, place, field, agent, edits, first, last, at, change, inserted, deleted)
                VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0)
                """, id, place + 1, addition.field.rawValue, addition.agent, addition.edits.encoded(), addition.first)
        }
    }

    /// Throws `conflict` if others have just written in a note whose creation is being undone.
    func checkUnrecorded(_ id: String) throws {
        if try unrecordedPeople(in: [id]).isEmpty { return }
        throw HubError(
            .conflict, code: "note-changed", "the note \(id) has been changed since it was created",
            hint: "hub notes rm moves it to the trash")
    }
}
