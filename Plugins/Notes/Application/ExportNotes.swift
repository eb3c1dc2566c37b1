import HubKit
import Markdown
package import NotesDomain
import Storage

/// The result of writing a folder.
package struct NoteFolderReport: Sendable {
    /// The number of files that were written, and of those that were there with the same bytes.
    package let written, unchanged: Int
}

extension NotesPlugin {
    /// Returns notes with their attachments in the form of other programs; all live ones without `ids`.
    package func portableNotes(_ ids: [String]?) async throws -> [PortableNote] {
        try await store.read { transaction in
            let ids = try ids ?? transaction.listNotes(NoteFilter()).map(\.id).sorted()
            return try ids.map { try transaction.portableNote($0) }
        }
    }

    /// Returns notes as one file. Throws `pdf-program-missing` if no program is installed that makes a PDF.
    package func export(_ ids: [String]?, as format: NoteExportFormat) async throws -> [UInt8] {
        switch format {
        case .text: return Self.text(of: try await portableNotes(ids))
        case .html: return try await html(of: ids)
        case .pdf: return try await PDFPrinter(folder: directories.cache + "/print").pdf(of: try await html(of: ids))
        case .markdown, .jex, .json:
            return try (format.format ?? .json).write(try await notesWithFiles(ids)).first?.bytes ?? []
        }
    }

    /// Returns notes as HTML. Pictures of more than `pictureLimit` bytes together are only named.
    func html(of ids: [String]?, pictureLimit: Int = .max) async throws -> [UInt8] {
        var size = 0
        let notes = try await notesWithFiles(ids) { [blobs] attachment in
            guard MediaType.isPicture(MediaType.of(attachment.path)) else { return false }
            if case .blob(let hash) = attachment.content { size += BlobID(hash).flatMap { blobs.size(of: $0) } ?? 0 }
            return size <= pictureLimit
        }
        return try await BackgroundThread.run { NoteHTML.document(notes) { MarkdownHTML.text(of: $0) } }
    }

    /// The notes as plain text, one after the other.
    private static func text(of notes: [PortableNote]) -> [UInt8] {
        let texts = notes.map { note in
            let lines = MarkdownText.lines(of: note.content)
            return ((note.title.isEmpty ? [] : [note.title, ""]) + lines).joined(separator: "\n") + "\n"
        }
        return Array(texts.joined(separator: "\n\n").utf8)
    }

    /// Returns notes with the contents of those of their attachments that are wanted.
    private func notesWithFiles(
        _ ids: [String]?, _ isWanted: (Attachment) -> Bool = { _ in true }
    ) async throws -> [PortableNote] {
        var notes = try await portableNotes(ids)
        var total = 0
        for note in notes.indices {
            for (index, attachment) in notes[note].attachments.enumerated() where isWanted(attachment) {
                let bytes = try await bytes(of: attachment.content)
                total += bytes.count
                guard total <= Self.maximumAttachments else {
                    throw HubError(
                        .invalid, code: "too-large", "the attachments have more than 1 GiB together",
                        hint: "export fewer notes, or a folder with -o DIR")
                }
                notes[note].attachments[index].content = .bytes(bytes)
            }
        }
        return notes
    }

    /// The most bytes of attachments in an archive, which is put together in memory.
    private static let maximumAttachments = 1 << 30

    private func bytes(of content: FileContent) async throws -> [UInt8] {
        guard case .blob(let hash) = content, let blob = BlobID(hash) else { return content.bytes }
        return try await blobs.bytes(of: blob, limit: NoteLimits.attachment)
    }

    /// Writes notes as a folder of Markdown files. A file with other bytes is only replaced with `isForced`.
    package func exportFolder(_ ids: [String]?, to path: String, isForced: Bool) async throws -> NoteFolderReport {
        let notes = try await portableNotes(ids)
        return try await BackgroundThread.run { [blobs] in
            do {
                let folder = try NoteFolder(path, isMade: true)
                var (written, unchanged) = (0, 0)
                for file in try NoteFormat.markdown.write(notes) {
                    try BackgroundThread.checkCancellation()
                    if try Self.write(file, to: folder, from: blobs, isForced: isForced) {
                        written += 1
                    } else {
                        unchanged += 1
                    }
                }
                return NoteFolderReport(written: written, unchanged: unchanged)
            } catch let error as SystemError {
                throw NoteFolder.failure(path, error)
            }
        }
    }

    /// Writes a file; returns false if it is there with the same bytes.
    private static func write(
        _ file: PortableFile, to folder: NoteFolder, from blobs: BlobStore, isForced: Bool
    ) throws -> Bool {
        let bytes: [UInt8]
        if case .blob(let hash) = file.content, let blob = BlobID(hash) {
            _ = try blobs.reader(blob)
            bytes = try ChunkedFileReader.contents(of: blobs.path(of: blob), limit: NoteLimits.attachment)
        } else {
            bytes = file.bytes
        }
        guard let old = try? folder.read(file.path, limit: max(NoteFormat.maximumFile, NoteLimits.attachment)) else {
            guard try folder.write(bytes, to: file.path, replacing: nil) else { throw exists(folder.path, file.path) }
            return true
        }
        if old == bytes { return false }
        guard isForced else { throw exists(folder.path, file.path) }
        _ = try folder.write(bytes, to: file.path, replacing: NoteFolder.hash(old))
        return true
    }

    private static func exists(_ folder: String, _ file: ByteString) -> HubError {
        HubError(
            .conflict, code: "file-exists",
            "\(TerminalSanitizer.line("\(folder)/\(file)")) already exists with different text",
            details: ["files before it were written"], hint: "use another folder, or --force to replace files")
    }
}

extension Transaction {
    /// Returns a note, live or in the trash, with its attachments in the form of other programs.
    func portableNote(_ id: String) throws -> PortableNote {
        let note = try NoteRecord.kind.item(id, in: self)
        let source = try source(of: id)
        let file = try noteFile(of: id)
        return PortableNote(
            source: source.flatMap { $0.hasPrefix("joplin:") ? $0 : nil } ?? id, title: note.title,
            content: note.content, folder: note.folder, tags: note.tags, isPinned: note.isPinned,
            createdAt: note.createdAt, changedAt: note.changedAt,
            attachments: try attachments(of: id).map {
                Attachment(path: $0.path, content: .blob($0.blob.text), link: $0.link)
            },
            frontMatter: try frontMatter(of: id),
            stem: file?.title?.hasSameBytes(as: note.title) == true ? file?.stem : nil)
    }
}
