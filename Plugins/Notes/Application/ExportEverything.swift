import HubKit
import NotesDomain
import Storage

extension NotesPlugin {
    /// What `hub export` writes: each note as Markdown, with its attachments. The history of a text stays in the store, and so does
    /// the secret address of a published note.
    static let everything = ExportDeclaration(
        "`FOLDER/TITLE.md`: each note as Markdown, with its tags in front matter; attachments where "
            + "their notes link to them",
        [
            ExportKind("notes", tables, files: files, insert: insert),
            ExportKind("saved searches", [ExportTable("notes_search", item: "id")]),
        ])

    private static let tables = [
        ExportTable("notes_note", item: "id"), ExportTable("notes_member", item: "note"),
        ExportTable("notes_tag", item: "note"), ExportTable("notes_attachment", item: "note"),
        ExportTable(
            "notes_text", item: "note",
            omitting: ["size", "change", "title_version", "content_version", "content"]),
    ]

    private static let files: @Sendable (ItemRows, Transaction) throws -> [ExportFile] = { item, transaction in
        let note = try transaction.portableNote(item.id)
        let path = NoteFileName.path(
            stem: note.stem ?? ByteString(NoteFileName.stem(note.title)),
            in: ByteString(NoteFileName.folder(note.folder))
        ) { _ in false }
        let head = NoteFormat.head(of: note, at: path)
        var files = [
            ExportFile("text", path.repairedText, .bytes(head + Array(note.content.utf8), head: head.count))
        ]
        for attachment in try transaction.attachments(of: item.id) {
            files.append(
                ExportFile(
                    "attachment", Attachment.safePath(attachment.path).repairedText, .blob(attachment.blob)))
        }
        return files
    }

    private static let insert: @Sendable (ItemRows, [String: [UInt8]], Transaction) throws -> Void = {
        item, contents, transaction in
        guard let bytes = contents["text"], let content = String(validating: bytes, as: UTF8.self) else {
            throw ExportKind.missing("text", of: item.id)
        }
        guard let title = item.text("notes_text", "title"),
            let revision = item.integer("notes_text", "revision"),
            let changedAt = item.integer("notes_text", "changed_at")
        else { throw ExportKind.missing("title", of: item.id) }
        var rows = item
        rows.tables.removeAll { $0.name == "notes_text" }
        try transaction.insertItem(rows, in: tables)
        try transaction.insertExportedText(
            item.id, title: title, content: content, revision: revision, changedAt: changedAt)
    }
}
