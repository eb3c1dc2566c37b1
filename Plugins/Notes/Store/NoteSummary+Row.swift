import NotesDomain
import SQLite
import Time

extension NoteSummary {
    /// The columns for the row, of live notes.
    static let select = """
        \(columns) FROM notes_note n JOIN notes_text t ON t.note = n.id JOIN notes_entry e ON e.id = n.id
        """

    /// The same, where the notes are looked at in the order of their changes.
    static let selectByChange = """
        \(columns) FROM notes_text t CROSS JOIN notes_note n ON n.id = t.note CROSS JOIN notes_entry e ON e.id = n.id
        """

    private static let columns = """
        SELECT n.id, e.name, t.title, n.folder, n.pinned, n.owner, t.size, t.revision, n.created_at, t.changed_at,
            (SELECT group_concat(tag, char(10)) FROM (SELECT tag FROM notes_tag WHERE note = n.id ORDER BY place)),
            (SELECT group_concat(name, char(10)) FROM (SELECT name FROM notes_member WHERE note = n.id ORDER BY place)),
            (SELECT group_concat(name, char(10)) FROM notes_member WHERE note = n.id AND read_only = 1)
        """

    /// Creates the summary from a row of ``select``.
    init(_ row: borrowing Row) {
        func lines(_ column: Int) -> [String] {
            (row.optionalText(column) ?? "").split(separator: "\n").map(String.init)
        }
        self.init(
            id: row.text(0), name: row.text(1), title: row.text(2), folder: row.text(3), tags: lines(10),
            isPinned: row.bool(4),
            access: NoteAccess(owner: row.text(5), members: lines(11), readers: lines(12)), size: row.int(6),
            revision: row.int(7), createdAt: Instant(milliseconds: Int64(row.int(8))),
            changedAt: Instant(milliseconds: Int64(row.int(9))))
    }
}
