import SQLite
import Storage

/// The rows of a note at a time in the past; its texts know their own history.
struct NoteRows: Sendable {
    /// The time.
    let moment: Instant
    /// The folder then.
    let folder: String
    /// Whether the note was pinned then.
    let isPinned: Bool
    /// The tags then, in their order.
    let tags: [String]
    /// The attachments then.
    let attachments: [StoredAttachment]

    /// Reads the rows; nil if the note did not exist.
    init?(_ rows: EntityRows, at moment: Instant) {
        guard let own = rows["notes_note"]?.first else { return nil }
        self.moment = moment
        folder = own["folder"]?.text ?? ""
        isPinned = own["pinned"]?.integer == 1
        tags = (rows["notes_tag"] ?? []).sorted { ($0["place"]?.integer ?? 0) < ($1["place"]?.integer ?? 0) }
            .compactMap { $0["tag"]?.text }
        attachments = (rows["notes_attachment"] ?? []).compactMap { row in
            // Rows from before attachments had paths have none.
            guard let path = row["path"]?.bytes, let blob = row["blob"]?.text.flatMap({ BlobID($0) }) else {
                return nil
            }
            return StoredAttachment(
                path: ByteString(path), blob: blob, size: row["size"]?.integer ?? 0, link: row["link"]?.text)
        }
    }
}

/// The changes of rows in words, for the history.
enum NoteChanges {
    /// Returns what the rows that one operation changed say about a note; nil if they say nothing.
    static func words(_ changes: [RowChange]) -> [String]? {
        var words: [String] = []
        for field in ["title", "content"] {
            let edits = changes.filter { $0.table == "notes_edit" && $0.value("field")?.text == field }
            if edits.isEmpty { continue }
            let undone = edits.contains { $0.kind == .delete }
            let (inserted, deleted) = edits.reduce((0, 0)) { sum, edit in
                (sum.0 + (edit.value("inserted")?.integer ?? 0), sum.1 + (edit.value("deleted")?.integer ?? 0))
            }
            let counts = [(inserted, undone ? "-" : "+"), (deleted, undone ? "+" : "-")].filter { $0.0 > 0 }
                .map { "\($0.1)\(NumberFormat.grouped($0.0))" }
            words.append("\(field == "title" ? "title" : "text") \(counts.joined(separator: " "))")
        }
        let named = [
            ("notes_tag", "tag", "tag"), ("notes_member", "member", "name"), ("notes_attachment", "attachment", "path"),
        ]
        for (table, sign, column) in named {
            let own = changes.filter { $0.table == table }
            let removed = own.filter { $0.kind == .delete }.compactMap { $0.value(column)?.name }
            let added = own.filter { $0.kind == .insert }.compactMap { $0.value(column)?.name }
            words += own.filter { $0.kind == .update && table == "notes_attachment" }
                .compactMap { $0.value(column)?.name }.map { "\(sign) \($0)" }
            for change in own where change.kind == .update {
                guard let readsOnly = change.after["read_only"]?.integer, let name = change.value(column)?.name else {
                    continue
                }
                words.append("\(sign) \(name) \(readsOnly == 1 ? "can only read" : "can edit")")
            }
            words += added.filter { !removed.contains($0) }.map { "+\(sign) \($0)" }
            words += removed.filter { !added.contains($0) }.map { "-\(sign) \($0)" }
        }
        for change in changes where change.table == "notes_publication" {
            words.append(change.kind == .delete ? "-public link" : "+public link")
        }
        for change in changes where change.table == "notes_note" && change.kind == .update {
            if let folder = change.after["folder"]?.text { words.append("folder \(folder.isEmpty ? "none" : folder)") }
            if let pinned = change.after["pinned"]?.integer { words.append(pinned == 1 ? "pinned" : "unpinned") }
            if let owner = change.after["owner"]?.text { words.append("owner \(owner.isEmpty ? "none" : owner)") }
        }
        let isMoved = changes.contains { $0.table == "notes_note" }
        return words.isEmpty && !isMoved ? nil : words
    }
}

extension RowChange {
    /// The value of a column: the new one, or the last one of a removed row.
    fileprivate func value(_ column: String) -> Value? {
        kind == .delete ? before[column] ?? key[column] : after[column] ?? key[column]
    }
}

extension Value {
    /// The text; nil for other values.
    fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The bytes; nil for other values.
    fileprivate var bytes: [UInt8]? { if case .blob(let bytes) = self { Array(bytes) } else { nil } }
    /// The text, or the path as text.
    fileprivate var name: String? { text ?? bytes.map { ByteString($0).description } }
    /// The number; nil for other values.
    fileprivate var integer: Int? { if case .integer(let number) = self { number } else { nil } }
}
