import NotesDomain
import SQLite
import Storage

/// What `hub export` and `hub import` read and write of notes besides their rows.
extension Transaction {
    /// Returns the title, the revision and the time of the last change of a note.
    func exportedText(_ id: String) throws -> (title: String, revision: Int, changedAt: Int)? {
        try row("SELECT title, revision, changed_at FROM notes_text WHERE note = ?", id) {
            ($0.text(0), $0.int(1), $0.int(2))
        }
    }

    /// Gives a note whose rows were inserted its text, as one edit of the person.
    func insertExportedText(_ id: String, title: String, content: String, revision: Int, changedAt: Int) throws {
        try insertText(of: id, at: changedAt)
        try changeTexts(of: id, isMerge: true) { document, agent in
            try document.set(title: title, content: content, by: agent)
        }
        try reindexNotes([id])
        try run("UPDATE notes_text SET revision = ?, changed_at = ? WHERE note = ?", revision, changedAt, id)
    }
}
