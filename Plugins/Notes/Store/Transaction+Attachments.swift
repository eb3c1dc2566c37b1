import NotesDomain
import SQLite
package import Storage

/// A file that belongs to a note, such as a picture, as it is stored.
package struct StoredAttachment: Hashable, Sendable {
    /// The path from the top folder of all notes.
    package let path: ByteString
    /// The content.
    package let blob: BlobID
    /// The size in bytes.
    package let size: Int
    /// The target in the note's text that leads to it, where its path does not say so; otherwise nil.
    package var link: String?

    package init(path: ByteString, blob: BlobID, size: Int, link: String? = nil) {
        self.path = path
        self.blob = blob
        self.size = size
        self.link = link
    }

    /// The name without a folder.
    package var name: String { path.lastName.repairedText }
    /// The media type.
    package var type: String { MediaType.of(path) }
}

extension AttachmentLinks {
    init(_ attachments: [StoredAttachment]) { self.init(attachments.map { ($0.path, $0.link) }) }
}

/// The files of notes.
extension Transaction {
    /// Returns the attachments of a note by their paths.
    func attachments(of id: String) throws -> [StoredAttachment] {
        try attachments("note = ? ORDER BY path", id).map(\.attachment)
    }

    /// Returns the attachments of all live notes by their paths.
    func attachmentsOfNotes() throws -> [(note: String, attachment: StoredAttachment)] {
        try attachments(
            "EXISTS (SELECT 1 FROM notes_note n WHERE n.id = note AND n.deleted_at IS NULL) ORDER BY path, note")
    }

    /// Returns the attachments of live notes with this path.
    func attachments(at path: ByteString) throws -> [(note: String, attachment: StoredAttachment)] {
        try attachments(
            "path = ? AND EXISTS (SELECT 1 FROM notes_note n WHERE n.id = note AND n.deleted_at IS NULL) ORDER BY note",
            path.bytes)
    }

    /// Returns the attachments of all notes, live or in the trash, directly in a folder, in whatever case.
    func attachments(inFolder folder: ByteString) throws -> [StoredAttachment] {
        let key = NoteFileName.key(folder)
        return try attachments("true").map(\.attachment).filter { NoteFileName.key($0.path.parent) == key }
    }

    /// Returns the servers of NoteApp that have a note.
    func noteAppServers(of note: String) throws -> [String] {
        try rows(
            "SELECT server FROM notes_remote WHERE note = ? AND length(remote) = 24 AND state <> 'left'", note
        ) { $0.text(0) }
    }

    private func attachments(
        _ condition: String, _ arguments: any Bindable...
    ) throws -> [(note: String, attachment: StoredAttachment)] {
        try rows("SELECT note, path, size, link, blob FROM notes_attachment WHERE \(condition)", arguments: arguments) {
            row -> (note: String, attachment: StoredAttachment)? in
            guard let blob = BlobID(row.text(4)) else { return nil }
            return (
                row.text(0),
                StoredAttachment(
                    path: ByteString(row.blob(1)), blob: blob, size: row.int(2), link: row.optionalText(3))
            )
        }.compactMap(\.self)
    }

    /// Returns the notes, live or in the trash, that have this content.
    func notes(with blob: BlobID) throws -> [String] {
        try rows("SELECT DISTINCT note FROM notes_attachment WHERE blob = ?", blob.text) { $0.text(0) }
    }

    /// Stores an attachment, in the place of another one with the same path.
    /// - Returns: whether it is new or has changed.
    @discardableResult
    func setAttachment(_ attachment: StoredAttachment, of id: String) throws -> Bool {
        let isNew =
            try row(
                "SELECT 1 FROM notes_attachment WHERE note = ? AND path = ?", id, attachment.path.bytes
            ) { $0.int(0) } == nil
        let count = try row("SELECT count(*) FROM notes_attachment WHERE note = ?", id) { $0.int(0) } ?? 0
        guard !isNew || count < NoteLimits.attachments else {
            throw HubError(
                .invalid, code: "too-many-attachments",
                "a note can have \(NumberFormat.grouped(NoteLimits.attachments)) attachments")
        }
        return try run(
            """
            INSERT INTO notes_attachment (note, path, size, link, blob) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET size = excluded.size, link = excluded.link, blob = excluded.blob
            WHERE blob <> excluded.blob OR link IS NOT excluded.link
            """, id, attachment.path.bytes, attachment.size, attachment.link, attachment.blob.text) > 0
    }

    /// Takes an attachment away from a note.
    /// - Returns: whether there was one.
    @discardableResult
    func removeAttachment(_ path: ByteString, of id: String) throws -> Bool {
        try run("DELETE FROM notes_attachment WHERE note = ? AND path = ?", id, path.bytes) > 0
    }

    // MARK: Files of the mirrored folder

    /// Returns the recorded files of the mirrored folder that are not notes: the hash of what an attachment and its file last had
    /// in common, and what tells whether the file has changed.
    func mirroredAttachments() throws -> [ByteString: (hash: String, stamp: String)] {
        Dictionary(
            try rows("SELECT path, hash, stamp FROM notes_mirror_file") {
                (ByteString($0.blob(0)), (hash: $0.text(1), stamp: $0.text(2)))
            }
        ) { first, _ in first }
    }

    /// Records a file of the mirrored folder.
    func setMirroredAttachment(_ path: ByteString, hash: String, stamp: String) throws {
        try run(
            """
            INSERT INTO notes_mirror_file (path, hash, stamp) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET hash = excluded.hash, stamp = excluded.stamp
            """, path.bytes, hash, stamp)
    }

    /// Forgets a file of the mirrored folder.
    func forgetMirroredAttachment(_ path: ByteString) throws {
        try run("DELETE FROM notes_mirror_file WHERE path = ?", path.bytes)
    }

    /// The number of the last change of notes after whose links to files were followed; nil before the first time.
    var followedChange: Int? {
        get throws {
            try row("SELECT value FROM notes_setting WHERE key = 'mirror-links'") { Int($0.text(0)) } ?? nil
        }
    }

    /// Records that the links of all notes up to `change` were followed.
    func setFollowedChange(_ change: Int) throws { try setMirrorSetting("mirror-links", String(change)) }

    /// Returns the ids of live notes whose texts may have links to files: all, or those that changed after `change`.
    func notesWithLinks(after change: Int?) throws -> [String] {
        try rows(
            """
            SELECT n.id FROM notes_note n JOIN notes_text t ON t.note = n.id
            WHERE n.deleted_at IS NULL AND t.change > ? AND (instr(t.content, '](') OR instr(t.content, '[[')
                OR instr(t.content, ']:') OR t.content LIKE '%<img%')
            ORDER BY n.id
            """, change ?? -1
        ) { $0.text(0) }
    }

    /// Returns the ids of live notes whose texts may have links to a file whose name has the letters and digits `word`.
    func notesWithLinks(to word: String) throws -> [String] {
        try rows(
            """
            SELECT n.id FROM notes_note n JOIN notes_text t ON t.note = n.id
            WHERE n.deleted_at IS NULL AND t.content LIKE '%' || ? || '%' ORDER BY n.id
            """, word
        ) { $0.text(0) }
    }

    // MARK: Other machines

    /// Returns the attachments of a note as the protocol names them.
    func attachmentReferences(of id: String) throws -> [AttachmentReference] {
        try attachments(of: id).map {
            AttachmentReference(path: $0.path, hash: $0.blob.text, size: $0.size, link: $0.link)
        }
    }

    /// Records content that an account has sent, and forgets what no note came to have within a day.
    func addUpload(_ blob: BlobID, size: Int, by person: String) throws {
        try run("DELETE FROM notes_upload WHERE at < ?", (now - .seconds(86_400)).milliseconds)
        try run(
            """
            INSERT INTO notes_upload (person, blob, size, at) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET at = excluded.at
            """, person, blob.text, size, now.milliseconds)
    }

    /// The number of bytes that an account has sent and that no note of it has yet.
    func uploadedBytes(by person: String) throws -> Int {
        try row("SELECT ifnull(sum(size), 0) FROM notes_upload WHERE person = ?", person) { $0.int(0) } ?? 0
    }

    /// Returns the size of content that an account has sent; nil if it has not.
    func uploadedSize(of blob: BlobID, by person: String) throws -> Int? {
        try row("SELECT size FROM notes_upload WHERE person = ? AND blob = ?", person, blob.text) { $0.int(0) }
    }

    /// Forgets what an account has sent.
    func forgetUpload(_ blob: BlobID, by person: String) throws {
        try run("DELETE FROM notes_upload WHERE person = ? AND blob = ?", person, blob.text)
    }

    /// Returns the size of content in a note that `isReadable` allows; nil if there is none.
    func size(of blob: BlobID, inNotes isReadable: (NoteRecord) -> Bool) throws -> Int? {
        for id in try notes(with: blob) {
            guard let note = try note(id), isReadable(note) else { continue }
            return try attachments(of: id).first { $0.blob == blob }?.size
        }
        return nil
    }

    /// An attachment of a note on a server whose content is not here.
    struct Wanted: Hashable, Sendable {
        let note: String
        let reference: AttachmentReference
    }

    /// Returns the attachments whose content has to be fetched from a server.
    func wantedAttachments(from server: String) throws -> [Wanted] {
        try rows(
            "SELECT note, path, hash, size, link FROM notes_wanted WHERE server = ? ORDER BY size, hash", server
        ) { row in
            Wanted(
                note: row.text(0),
                reference: AttachmentReference(
                    path: ByteString(row.blob(1)), hash: row.text(2), size: row.int(3), link: row.optionalText(4)))
        }
    }

    /// Records that the content of an attachment has to be fetched.
    func want(_ reference: AttachmentReference, for note: String, from server: String) throws {
        try run(
            """
            INSERT INTO notes_wanted (note, path, server, hash, size, link) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET server = excluded.server, hash = excluded.hash, size = excluded.size,
                link = excluded.link
            """, note, reference.path.bytes, server, reference.hash, reference.size, reference.link)
    }

    /// Records that an attachment is no longer to be fetched.
    func forgetWanted(_ path: ByteString, for note: String) throws {
        try run("DELETE FROM notes_wanted WHERE note = ? AND path = ?", note, path.bytes)
    }
}
