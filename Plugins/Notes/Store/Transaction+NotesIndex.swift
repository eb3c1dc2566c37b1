import Collation
import NotesDomain
import SQLite
package import Storage

/// When the words of a changed text are put into the full-text table.
enum WordIndexing {
    /// With the change.
    case atOnce
    /// At the next search or after some seconds, for one change that many others follow.
    case later
}

/// The derived rows of notes: names, links and the full-text table, which `reindexNotes` keeps equal to the facts.
extension Transaction {
    /// Brings the derived rows of notes up to date after an undo or a redo, whose edits of texts become new ones first.
    func reindexUndoneNotes(_ ids: [String]) throws {
        for id in Set(ids) {
            guard try hasNote(id) else {
                try checkPending(id)
                continue
            }
            try insertText(of: id)
            try applyUndoneEdits(of: id)
        }
        try reindexNotes(ids)
    }

    /// Brings the derived rows of notes up to date after any other change, and counts the change in their revisions.
    package func reindexNotes(_ ids: [String]) throws {
        let change = try nextChange()
        for id in Set(ids) { try reindexNote(id, change, words: .atOnce) }
        try mergeSegments(of: NotesSchema.words, times: max(1, ids.count / 1000))
    }

    /// Does the same for one note, and returns it; nil if it is gone.
    func reindexedNote(_ id: String, words: WordIndexing = .atOnce) throws -> NoteRecord? {
        let note = try reindexNote(id, nextChange(), words: words)
        if words == .atOnce { try mergeSegments(of: NotesSchema.words) }
        return note
    }

    @discardableResult
    private func reindexNote(_ id: String, _ change: Int, words: WordIndexing) throws -> NoteRecord? {
        let isCounted =
            try run(
                """
                UPDATE notes_text SET revision = revision + 1, changed_at = ?2, change = ?3
                WHERE note = ?1 AND EXISTS (SELECT 1 FROM notes_note WHERE id = ?1)
                """, id, now.milliseconds, change) > 0
        if !isCounted, try hasNote(id) {
            try insertText(of: id)
            return try reindexNote(id, change, words: words)
        }
        guard let note = try note(id) else {
            try removeEntry(of: id)
            try recordPurge(of: id, change: change)
            return nil
        }
        try recordSharing(of: note, change: change)
        switch words {
        case _ where note.deletedAt != nil: try removeEntry(of: id)
        case .atOnce: try replaceEntry(of: note)
        case .later: try replaceEntryLater(of: note)
        }
        return note
    }

    private func hasNote(_ id: String) throws -> Bool {
        try row("SELECT 1 FROM notes_note WHERE id = ?", id) { $0.int(0) } != nil
    }

    /// Rebuilds all derived rows without counting a change.
    func rebuildEntries() throws {
        for id in try rows("SELECT id FROM notes_entry", body: { $0.text(0) }) { try removeEntry(of: id) }
        for id in try rows("SELECT id FROM notes_note WHERE deleted_at IS NULL", body: { $0.text(0) }) {
            if let note = try note(id) { try replaceEntry(of: note) }
        }
    }

    /// Removes the texts of notes that are gone, such as those whose creation was undone, and words that are no longer in
    /// a text.
    package func compactNotes() throws {
        for table in NotesSchema.unrecorded {
            try run("DELETE FROM \(table) WHERE note NOT IN (SELECT id FROM notes_note)")
        }
        _ = try indexWaitingWords(after: "", limit: .max)
        try compact(NotesSchema.words)
    }

    /// Makes the row for the text of a note that has none. Throws `conflict` if its text was deleted for good since its
    /// creation was undone.
    private func insertText(of id: String) throws {
        let added = try run(
            """
            INSERT INTO notes_text (note, title, size, revision, changed_at, change, title_version,
                content_version, content)
            VALUES (?, '', 0, 0, ?, 0, '', '', '')
            ON CONFLICT DO NOTHING
            """, id, now.milliseconds)
        guard added > 0, try row("SELECT 1 FROM notes_edit WHERE note = ? LIMIT 1", id, body: { $0.int(0) }) != nil
        else { return }
        throw HubError(
            .conflict, code: "note-text-gone", "the text of the note \(id) has been permanently deleted",
            details: ["its creation was undone before the trash or the history was emptied"])
    }

    /// The derived row of a note.
    private struct Entry: Equatable {
        let name: String
        let key: String
        /// The columns of the full-text table.
        let texts: [String]
    }

    // MARK: Words that wait

    /// Whether edits wait for the history, or words to be put into the full-text table.
    func hasWaiting() throws -> Bool {
        try row("SELECT EXISTS (SELECT 1 FROM notes_pending) OR EXISTS (SELECT 1 FROM notes_waiting)") { $0.bool(0) }
            ?? false
    }

    /// Puts the words of notes that wait into the full-text table: of at most `limit` notes whose ids come after `position`.
    /// - Returns: the last of them; nil at the end.
    func indexWaitingWords(after position: String, limit: Int) throws -> String? {
        let ids = try rows("SELECT note FROM notes_waiting WHERE note > ? ORDER BY note LIMIT ?", position, limit) {
            $0.text(0)
        }
        for id in ids {
            if let note = try note(id), note.deletedAt == nil {
                try replaceEntry(of: note)
            } else {
                try removeEntry(of: id)
            }
        }
        if !ids.isEmpty { try mergeSegments(of: NotesSchema.words) }
        return ids.count < limit ? nil : ids.last
    }

    /// Brings the derived rows of a note up to date after an edit of its newest texts. `old` is the note before. The words of an edit that
    /// waits for the history wait with it.
    func followEdit(of note: NoteRecord, from old: NoteRecord, _ recording: Recording) throws {
        guard note.hasName(of: old) else { return try replaceEntry(of: note) }
        if case .later = recording {} else { try addWaitingWords(of: note.id) }
        if WikiLink.links(in: note.content) != WikiLink.links(in: old.content) { try replaceLinks(of: note) }
    }

    /// Lets the words of a note wait.
    func addWaitingWords(of id: String) throws {
        try run("INSERT INTO notes_waiting (note) VALUES (?) ON CONFLICT DO NOTHING", id)
    }

    /// Lets the words of a text wait. A note whose name, title or tags have changed is found by them at once.
    private func replaceEntryLater(of note: NoteRecord) throws {
        let isSame = try row("SELECT name, title, tags FROM notes_entry WHERE id = ?", note.id) {
            $0.text(0) == note.displayName && $0.text(1) == Transliterator.searchable(note.title)
                && $0.text(2) == Transliterator.searchable(note.tags.joined(separator: "\n"))
        }
        guard isSame == true else { return try replaceEntry(of: note) }
        try addWaitingWords(of: note.id)
        try replaceLinks(of: note)
    }

    // MARK: Entries

    private func replaceEntry(of note: NoteRecord) throws {
        let tags = note.tags.joined(separator: "\n")
        let entry = Entry(
            name: note.displayName, key: WikiLink.key(note.title),
            texts: [
                Transliterator.searchable(note.title), Transliterator.searchable(tags),
                Transliterator.searchable(note.content),
            ])
        let number: Int
        if let (known, old) = try storedEntry(of: note.id) {
            number = known
            if old != entry {
                let isFound = old.texts != entry.texts
                if isFound { try removeTexts(number...number, from: NotesSchema.words) }
                try run(
                    "UPDATE notes_entry SET name = ?, key = ?, title = ?, tags = ?, content = ? WHERE number = ?",
                    entry.name, entry.key, entry.texts[0], entry.texts[1], entry.texts[2], number)
                if isFound { try addTexts(number...number, to: NotesSchema.words) }
            }
        } else {
            try run(
                "INSERT INTO notes_entry (id, name, key, title, tags, content) VALUES (?, ?, ?, ?, ?, ?)", note.id,
                entry.name, entry.key, entry.texts[0], entry.texts[1], entry.texts[2])
            number = lastInsertedRow
            try addTexts(number...number, to: NotesSchema.words)
        }
        try run("DELETE FROM notes_waiting WHERE note = ?", note.id)
        try replaceNames(of: note)
        try replaceLinks(of: note)
    }

    private func storedEntry(of id: String) throws -> (number: Int, entry: Entry)? {
        try row("SELECT number, name, key, title, tags, content FROM notes_entry WHERE id = ?", id) {
            ($0.int(0), Entry(name: $0.text(1), key: $0.text(2), texts: [$0.text(3), $0.text(4), $0.text(5)]))
        }
    }

    /// Removes the derived rows of a note that is gone or in the trash.
    func removeEntry(of id: String) throws {
        try run("DELETE FROM notes_waiting WHERE note = ?", id)
        guard let number = try row("SELECT number FROM notes_entry WHERE id = ?", id, body: { $0.int(0) }) else {
            return
        }
        // The full-text table has no copy of the text: its row goes before the text does.
        try removeTexts(number...number, from: NotesSchema.words)
        try run("DELETE FROM notes_entry WHERE number = ?", number)
        try run("DELETE FROM notes_link WHERE note = ?", id)
        try run("DELETE FROM notes_name WHERE note = ?", id)
    }
}
