import NotesDomain
import SQLite
import Storage

/// Notes as devices see them: files in folders.
extension Transaction {
    /// Returns what says how the notes that have changed after the change `after` are called.
    func noteHeadings(after: Int) throws -> [NoteHeading] {
        try rows("\(NoteHeading.select) WHERE t.change > ? ORDER BY n.rowid", after, body: NoteHeading.init)
    }

    /// Returns what the files of live notes in a folder have before their texts, by the ids of the notes.
    func noteHeads(in folder: String) throws -> [String: ByteString] {
        let heads = try rows(
            """
            SELECT n.id, f.head FROM notes_note n JOIN notes_file f ON f.note = n.id
            WHERE n.deleted_at IS NULL AND n.folder = ?
            """, folder
        ) { ($0.text(0), ByteString($0.blob(1))) }
        return Dictionary(uniqueKeysWithValues: heads)
    }

    /// Returns the notes that were deleted for good after the change `after`.
    func purgedNotes(after: Int) throws -> [String] {
        try rows("SELECT note FROM notes_purged WHERE change > ?", after) { $0.text(0) }
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

/// What says how the file of a note is called.
struct NoteHeading: Sendable {
    /// The note.
    let id: String
    /// Its place in the order in which notes were made.
    let place: Int
    /// Its folder.
    let folder: ByteString
    /// Its title.
    let title: String
    /// The name of its file without the end, before it gets a number.
    let fileStem: ByteString
    /// Whether it is in the trash.
    let isDeleted: Bool

    fileprivate static let select = """
        SELECT n.id, n.rowid, n.folder, t.title, CASE WHEN f.title = t.title THEN f.stem END, n.deleted_at IS NOT NULL
        FROM notes_text t JOIN notes_note n ON n.id = t.note LEFT JOIN notes_file f ON f.note = n.id
        """

    fileprivate init(_ row: borrowing Row) {
        id = row.text(0)
        place = row.int(1)
        folder = ByteString(row.blob(2))
        title = row.text(3)
        fileStem = row.isNull(4) ? ByteString(NoteFileName.stem(title)) : ByteString(row.blob(4))
        isDeleted = row.bool(5)
    }

    /// Whether a file is called the same, in the same folder.
    func isNamedAs(_ other: NoteHeading) -> Bool {
        folder == other.folder && fileStem == other.fileStem && title.hasSameBytes(as: other.title)
    }
}
