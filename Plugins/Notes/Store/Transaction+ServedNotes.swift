import NotesDomain
import SQLite
import Storage

/// Notes as devices see them: files in folders.
extension Transaction {
    /// Returns the ids of the live notes in a folder with the names of their files, in the order in which they were made: of equal names the
    /// later ones get a number.
    func servedNames(in folder: String) throws -> [(id: String, title: String, name: String)] {
        let notes = try rows(
            """
            SELECT n.id, t.title, CASE WHEN f.title = t.title THEN f.stem END
            FROM notes_note n JOIN notes_text t ON t.note = n.id LEFT JOIN notes_file f ON f.note = n.id
            WHERE n.deleted_at IS NULL AND n.folder = ? ORDER BY n.rowid
            """, folder
        ) { (id: $0.text(0), title: $0.text(1), stem: $0.isNull(2) ? nil : ByteString($0.blob(2))) }
        var taken: Set<String> = []
        return notes.map { note in
            let stem = note.stem ?? ByteString(NoteFileName.stem(note.title))
            let path = NoteFileName.path(stem: stem, in: "") { taken.contains($0) }
            taken.insert(NoteFileName.key(path))
            return (note.id, note.title, path.repairedText)
        }
    }

    /// Returns the folders that live notes are in.
    func servedFolders() throws -> [String] {
        try rows("SELECT DISTINCT folder FROM notes_note WHERE deleted_at IS NULL AND folder <> ''") { $0.text(0) }
    }

    /// Returns the note that was last moved to the trash, after `moment`, with this title and folder; nil for none.
    func trashedNote(titled title: String, in folder: String, since moment: Instant) throws -> String? {
        try row(
            """
            SELECT n.id FROM notes_note n JOIN notes_text t ON t.note = n.id
            WHERE n.deleted_at > ? AND n.folder = ? AND t.title = ? ORDER BY n.deleted_at DESC LIMIT 1
            """, moment.milliseconds, folder, title
        ) { $0.text(0) }
    }
}
