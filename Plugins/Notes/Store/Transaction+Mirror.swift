import NotesDomain
import SQLite
import Storage
import TextCRDT

/// The files of the mirrored folder as they were when they and their notes were last the same. Paths are bytes, also where they
/// are not UTF-8.
extension Transaction {
    /// Returns all files.
    func mirroredFiles() throws -> [MirroredFile] { try mirroredFiles("notes_mirror ORDER BY path") }

    /// Returns the file at a path, if it is recorded.
    func mirroredFile(at path: ByteString) throws -> MirroredFile? {
        try mirroredFiles("notes_mirror WHERE path = CAST(? AS TEXT)", path.bytes).first
    }

    /// Returns the files of a note.
    func mirroredFiles(of note: String) throws -> [MirroredFile] {
        try mirroredFiles("notes_mirror WHERE note = ?", note)
    }

    private func mirroredFiles(_ source: String, _ arguments: any Bindable...) throws -> [MirroredFile] {
        try rows(
            """
            SELECT path, hash, note, title_version, content_version, title, folder, tags, pinned, stated_id
            FROM \(source)
            """, arguments: arguments
        ) { row in
            MirroredFile(
                path: ByteString(row.blob(0)), hash: row.text(1), note: row.text(2),
                version: NoteVersion(title: Version(column: row.text(3)), content: Version(column: row.text(4))),
                title: row.text(5), folder: row.text(6),
                tags: row.text(7).split(separator: "\n").map(String.init), isPinned: row.bool(8),
                statedID: row.optionalText(9))
        }
    }

    /// Lends the path of each file, in the order of its bytes, and the stamp that tells whether it has changed.
    func scanMirrorStamps(
        _ body: (_ path: UnsafeRawBufferPointer, _ stamp: UnsafeRawBufferPointer) -> Void
    ) throws {
        try scan("SELECT path, stamp FROM notes_mirror ORDER BY path") { row in
            row.withBytes(0) { path in row.withBytes(1) { body(path, $0) } }
            return true
        }
    }

    /// Records a file; an empty stamp lets the next scan read it.
    func setMirroredFile(_ file: MirroredFile, stamp: String) throws {
        try setMirroredFile(file, stamp: stamp, in: "notes_mirror")
    }

    private func setMirroredFile(_ file: MirroredFile, stamp: String, in table: String) throws {
        try run(
            """
            INSERT INTO \(table) (path, hash, note, title_version, content_version, title, folder, tags, pinned,
                stated_id, stamp)
            VALUES (CAST(? AS TEXT), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET hash = excluded.hash, note = excluded.note,
                title_version = excluded.title_version, content_version = excluded.content_version,
                title = excluded.title, folder = excluded.folder, tags = excluded.tags, pinned = excluded.pinned,
                stated_id = excluded.stated_id, stamp = excluded.stamp
            """, file.path.bytes, file.hash, file.note, file.version.title.column, file.version.content.column,
            file.title,
            file.folder, file.tags.joined(separator: "\n"), file.isPinned, file.statedID, stamp)
    }

    /// Returns the files that were about to be written when a process ended.
    func startedWrites() throws -> [MirroredFile] {
        try mirroredFiles("notes_mirror_write ORDER BY path")
    }

    /// Records files that are about to be written.
    func startWrites(_ files: [MirroredFile]) throws {
        for file in files { try setMirroredFile(file, stamp: "", in: "notes_mirror_write") }
    }

    /// Records that files were written, or will not be.
    func endWrites(of paths: [ByteString]) throws {
        for path in paths { try run("DELETE FROM notes_mirror_write WHERE path = CAST(? AS TEXT)", path.bytes) }
    }

    /// Records the stamp of a file that is as it was.
    func setMirrorStamp(_ stamp: String, of path: ByteString) throws {
        try run("UPDATE notes_mirror SET stamp = ? WHERE path = CAST(? AS TEXT)", stamp, path.bytes)
    }

    /// Forgets a file.
    func forgetMirroredFile(_ path: ByteString) throws {
        try run("DELETE FROM notes_mirror WHERE path = CAST(? AS TEXT)", path.bytes)
    }

    // MARK: Files of notes in the trash

    /// Records the file of a note that the mirror has just moved to the trash.
    func setTrashedFile(_ file: MirroredFile) throws {
        try forgetTrashedFile(of: file.note)
        try setMirroredFile(file, stamp: String(now.milliseconds), in: "notes_mirror_trash")
    }

    /// Forgets the file of a note that is taken out of the trash.
    func forgetTrashedFile(of note: String) throws { try run("DELETE FROM notes_mirror_trash WHERE note = ?", note) }

    /// Returns the files of the notes that are in the trash since the mirror moved them there.
    func trashedFiles(recentSince: Instant) throws -> [TrashedFile] {
        try mirroredFiles(
            """
            notes_mirror_trash
            WHERE CAST(stamp AS INTEGER) = (SELECT deleted_at FROM notes_note WHERE id = note) ORDER BY path
            """
        ).map { file in
            let at =
                try row("SELECT stamp FROM notes_mirror_trash WHERE note = ?", file.note) { Int64($0.text(0)) } ?? nil
            return TrashedFile(file, isRecent: Instant(milliseconds: at ?? 0) >= recentSince)
        }
    }

    // MARK: What is only in files

    /// Returns what the file of a note had besides the note when it was last read here or on another machine: its name without the
    /// end, the title in it, and all that was before the text. `written` is what the file here has instead, if it is to be
    /// written.
    func noteFile(of id: String) throws -> (stem: ByteString, title: String?, head: String, written: String?)? {
        try row("SELECT stem, title, head, written FROM notes_file WHERE note = ?", id) {
            (ByteString($0.blob(0)), $0.optionalText(1), $0.text(2), $0.optionalText(3))
        }
    }

    /// Records what the file of a note has besides the note; `written` is what it has here instead, if it is to be written.
    func setNoteFile(of id: String, stem: ByteString, head: String, written: String? = nil) throws {
        let changed = try run(
            """
            INSERT INTO notes_file (note, stem, title, head, written) VALUES (?, CAST(? AS TEXT), ?, ?, ?)
            ON CONFLICT DO UPDATE SET stem = excluded.stem, title = excluded.title, head = excluded.head,
                written = excluded.written
            WHERE (stem, title, head, written) IS NOT (excluded.stem, excluded.title, excluded.head, excluded.written)
            """, id, stem.bytes, MarkdownFile(text: head).frontMatter?[.title], head, written)
        if changed > 0, let note = try note(id), note.deletedAt == nil { try replaceNames(of: note) }
    }

    /// Records that a file has now what was to be written before its text, unless that has changed again since.
    func endHead(of id: String, written: String, from head: String) throws {
        try run(
            "UPDATE notes_file SET head = ?, written = NULL WHERE note = ? AND written IS NOT NULL AND head = ?",
            written,
            id, head)
    }

    /// Brings what a changed file has before its text together with what other machines have changed there since it was written.
    /// `isKnown` says that it is a file of which that is known.
    func takeHead(_ head: FileHead, path: ByteString, of id: String, isKnown: Bool) throws {
        let stem = NoteFileName.stem(of: path)
        guard let known = try noteFile(of: id) else { return try setNoteFile(of: id, stem: stem, head: head.text) }
        let merged = FileHead.merged(
            base: isKnown ? FileHead(known.written ?? known.head) : nil, current: FileHead(known.head), change: head)
        if merged.isSame(as: head) { return try setNoteFile(of: id, stem: stem, head: head.text) }
        try setNoteFile(of: id, stem: stem, head: merged.with(id: head.hasID ? id : nil).text, written: head.text)
    }

    /// Stores what another machine has before the text in the file of a note, which the file here gets with the next sync of the
    /// folder. `stem` is the name of that file without its end, for a note whose file is not known.
    /// - Returns: whether it has changed.
    func setHead(_ head: FileHead, stem: ByteString?, of id: String) throws -> Bool {
        let known = try noteFile(of: id)
        let old = try frontMatter(of: id).map { FileHead($0) }
        if let old, old.isSame(as: head) { return false }
        // Only its own file says whether the id belongs in it.
        let new = old.map { head.with(id: $0.hasID ? id : nil) } ?? head.naming(id)
        let title = try row("SELECT title FROM notes_text WHERE note = ?", id) { $0.text(0) } ?? ""
        let written = try mirroredFiles(of: id).isEmpty ? nil : known?.written ?? old?.text ?? ""
        try setNoteFile(
            of: id, stem: known?.stem ?? stem ?? ByteString(NoteFileName.stem(title)), head: new.text, written: written)
        return true
    }

    /// Returns what the file of a note has besides the note, as other machines get it; nil if that is not known, or too large.
    func sharedFile(of id: String) throws -> NoteFile? {
        let file = try row(
            """
            SELECT ifnull(f.head, n.front_matter), CASE WHEN f.title = t.title THEN f.stem END
            FROM notes_note n JOIN notes_text t ON t.note = n.id LEFT JOIN notes_file f ON f.note = n.id WHERE n.id = ?
            """, id
        ) { (head: $0.optionalText(0), stem: $0.isNull(1) ? nil : ByteString($0.blob(1))) }
        guard let file, let head = file.head, head.utf8.count <= FileHead.maximumSize else { return nil }
        return NoteFile(head: FileHead(head).naming(id), stem: file.stem)
    }

    /// The folder of which files are recorded; nil before the first.
    var mirror: String? {
        get throws { try row("SELECT value FROM notes_setting WHERE key = 'mirror'") { $0.text(0) } }
    }

    /// Forgets all files, and records those of the folder `root` from now on.
    func useMirror(_ root: String) throws {
        try run("DELETE FROM notes_mirror")
        try run("DELETE FROM notes_mirror_write")
        try run("DELETE FROM notes_mirror_trash")
        try run("DELETE FROM notes_mirror_file")
        try run("DELETE FROM notes_setting WHERE key = 'mirror-links'")
        try run("UPDATE notes_file SET written = NULL WHERE written IS NOT NULL")
        try forgetMirroredChange()
        try setMirrorSetting("mirror", root)
    }

    /// The number of a change of notes: each note that has not changed since is as its file is recorded, or is in the
    /// trash and has no file. Nil when that is not known.
    var mirroredChange: Int? {
        get throws {
            try row("SELECT value FROM notes_setting WHERE key = 'mirror-change'") { Int($0.text(0)) } ?? nil
        }
    }

    /// Records that all notes were as their files when `change` was the last change.
    func setMirroredChange(_ change: Int) throws { try setMirrorSetting("mirror-change", String(change)) }

    /// Lets the next sync compare all notes with their files.
    func forgetMirroredChange() throws { try run("DELETE FROM notes_setting WHERE key = 'mirror-change'") }

    func setMirrorSetting(_ key: String, _ value: String) throws {
        try run(
            """
            INSERT INTO notes_setting (key, value) VALUES (?, ?)
            ON CONFLICT DO UPDATE SET value = excluded.value
            """, key, value)
    }

    /// Returns the notes as the mirror compares them: live ones, and those in the trash.
    func mirroredNotes() throws -> [MirroredNote] {
        var tags: [String: [String]] = [:]
        try scan("SELECT note, tag FROM notes_tag ORDER BY note, place") { row in
            tags[row.text(0), default: []].append(row.text(1))
            return true
        }
        return try mirroredNotes("") { tags[$0] ?? [] }
    }

    /// Returns those of some notes that there are, live or in the trash, as the mirror compares them.
    func mirroredNotes(_ ids: some Sequence<String>) throws -> [MirroredNote] {
        try ids.flatMap { id in
            let tags = try tags(of: id)
            return try mirroredNotes("WHERE n.id = ?", id) { _ in tags }
        }
    }

    private func mirroredNotes(
        _ condition: String, _ arguments: any Bindable..., tags: (String) -> [String]
    ) throws -> [MirroredNote] {
        try rows(
            """
            SELECT n.id, t.title_version, t.content_version, t.title, n.folder, n.pinned, n.deleted_at IS NOT NULL,
                CASE WHEN f.title = t.title THEN f.stem END, f.written IS NOT NULL
            FROM notes_note n JOIN notes_text t ON t.note = n.id LEFT JOIN notes_file f ON f.note = n.id \(condition)
            """, arguments: arguments
        ) { row in
            let id = row.text(0)
            return MirroredNote(
                id: id,
                version: NoteVersion(title: Version(column: row.text(1)), content: Version(column: row.text(2))),
                title: row.text(3), folder: row.text(4), tags: tags(id), isPinned: row.bool(5),
                isDeleted: row.bool(6), stem: row.isNull(7) ? nil : ByteString(row.blob(7)),
                hasNewHead: row.bool(8))
        }
    }

    /// Returns one note as the mirror writes it, with its text and what its file had in its front matter.
    func mirroredNote(_ id: String) throws -> (note: MirroredNote, content: String, frontMatter: String?)? {
        guard let note = try note(id) else { return nil }
        let file = try noteFile(of: id)
        return (
            MirroredNote(
                id: id, version: try version(of: id), title: note.title, folder: note.folder, tags: note.tags,
                isPinned: note.isPinned, isDeleted: note.deletedAt != nil, hasNewHead: file?.written != nil),
            note.content,
            try frontMatter(of: id)
        )
    }
}
