import NotesDomain
import SQLite
import Storage
import TextCRDT

/// What imports need: what was imported last.
extension Transaction {
    /// Returns the version of a note that its last import has written; nil if it was not imported.
    func importedVersion(of id: String) throws -> NoteVersion? {
        try row("SELECT title, content FROM notes_import WHERE note = ?", id) {
            NoteVersion(title: Version(column: $0.text(0)), content: Version(column: $0.text(1)))
        }
    }

    /// Records the version of a note that an import has written: the base of the next one.
    func setImportedVersion(_ version: NoteVersion, of id: String) throws {
        try run(
            """
            INSERT INTO notes_import (note, title, content) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET title = excluded.title, content = excluded.content
            """, id, version.title.column, version.content.column)
    }

    /// Sets the time of the last change of a note to what another program says.
    func setChangedAt(_ time: Instant, of id: String) throws {
        try run("UPDATE notes_text SET changed_at = ? WHERE note = ?", time.milliseconds, id)
    }
}
