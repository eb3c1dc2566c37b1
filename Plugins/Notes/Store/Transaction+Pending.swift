import NotesDomain
import SQLite
import Storage

/// Edits that are stored and acknowledged, and come into the history later, all of one person together.
extension Transaction {
    /// The batches of edits of all notes, whether they are in the history or not.
    static let allBatches = """
        (SELECT note, field, agent, first, last, person, at, change FROM notes_batch UNION ALL
            SELECT note, field, agent, first, last, person, at, change FROM notes_pending)
        """

    /// Lets a batch of edits of a text wait for the history.
    func insertPending(_ batch: EditBatch, of id: String, _ field: NoteField, inserted: Int, deleted: Int) throws {
        try run(
            """
            INSERT INTO notes_pending (note, change, field, agent, first, last, person, at, inserted, deleted)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, id, batch.change, field.rawValue, batch.agent, batch.sequences.lowerBound,
            batch.sequences.upperBound - 1, batch.person, batch.at.milliseconds, inserted, deleted)
    }

    /// Returns the ids of notes with edits that wait, in their order after `position`: at most `limit`, and none after those that have so
    /// many `batches`.
    func pendingNotes(after position: String, limit: Int, batches: Int) throws -> [String] {
        var ids: [String] = []
        var count = 0
        try scan(
            "SELECT note, count(*) FROM notes_pending WHERE note > ? GROUP BY note ORDER BY note LIMIT ?", position,
            limit
        ) { row in
            ids.append(row.text(0))
            count += row.int(1)
            return count < batches
        }
        return ids
    }

    /// Returns who made the edits that wait in some notes.
    func pendingPeople(in ids: [String]) throws -> Set<String> {
        try ids.reduce(into: Set()) { people, id in
            people.formUnion(
                try rows("SELECT DISTINCT person FROM notes_pending WHERE note = ?", id) { $0.text(0) })
        }
    }

    /// Puts the edits of a person that wait in some notes into the history, as a part of the current operation: those of one text that
    /// follow each other are one version of it.
    /// - Returns: those of the notes that are not in the trash.
    func recordPending(in ids: [String], by person: String) throws -> [NoteRecord] {
        try ids.compactMap { id in
            for field in NoteField.allCases { try recordPending(in: id, field, by: person) }
            guard try run("DELETE FROM notes_pending WHERE note = ? AND person = ?", id, person) > 0,
                let note = try note(id), note.deletedAt == nil
            else { return nil }
            try addWaitingWords(of: id)
            return note
        }
    }

    private func recordPending(in id: String, _ field: NoteField, by person: String) throws {
        var batches: [EditBatch] = []
        var (inserted, deleted) = (0, 0)
        try scan(
            """
            SELECT agent, first, last, at, change, inserted, deleted FROM notes_pending
            WHERE note = ? AND field = ? AND person = ? ORDER BY change, first
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
    }

    /// Throws `conflict` if others have just written in a note whose creation is being undone.
    func checkPending(_ id: String) throws {
        if try pendingPeople(in: [id]).isEmpty { return }
        throw HubError(
            .conflict, code: "note-changed", "the note \(id) has been changed since it was created",
            hint: "hub notes rm moves it to the trash")
    }
}
