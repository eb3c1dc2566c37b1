import HubKit
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
            return try ids.map { id in
                let note = try NoteRecord.kind.item(id, in: transaction)
                let source = try transaction.source(of: id)
                let file = try transaction.noteFile(of: id)
                return PortableNote(
                    source: source.flatMap { $0.hasPrefix("joplin:") ? $0 : nil } ?? id, title: note.title,
                    content: note.content, folder: note.folder, tags: note.tags, isPinned: note.isPinned,
                    createdAt: note.createdAt, changedAt: note.changedAt,
                    attachments: try transaction.attachments(of: id),
                    frontMatter: try transaction.frontMatter(of: id),
                    stem: file?.title?.hasSameBytes(as: note.title) == true ? file?.stem : nil)
            }
        }
    }

    /// Returns notes as one file of a format for archives.
    package func export(_ ids: [String]?, as format: NoteFormat) async throws -> [UInt8] {
        try format.write(try await portableNotes(ids)).first?.bytes ?? []
    }

    /// Writes notes as a folder of Markdown files. A file with other bytes is only replaced with `isForced`.
    package func exportFolder(_ ids: [String]?, to path: String, isForced: Bool) async throws -> NoteFolderReport {
        let notes = try await portableNotes(ids)
        return try await BackgroundThread.run {
            do {
                return try Self.write(
                    NoteFormat.markdown.write(notes), to: NoteFolder(path, isMade: true), isForced: isForced)
            } catch let error as SystemError {
                throw NoteFolder.failure(path, error)
            }
        }
    }

    private static func write(
        _ files: [PortableFile], to folder: NoteFolder, isForced: Bool
    ) throws -> NoteFolderReport {
        var (written, unchanged) = (0, 0)
        for file in files {
            try BackgroundThread.checkCancellation()
            let old = try? folder.read(file.path, limit: NoteFormat.maximumFile)
            if old == file.bytes {
                unchanged += 1
                continue
            }
            if let old {
                guard isForced else { throw exists(folder.path, file.path) }
                _ = try folder.write(file.bytes, to: file.path, replacing: NoteFolder.hash(old))
            } else if try !folder.write(file.bytes, to: file.path, replacing: nil) {
                throw exists(folder.path, file.path)
            }
            written += 1
        }
        return NoteFolderReport(written: written, unchanged: unchanged)
    }

    private static func exists(_ folder: String, _ file: ByteString) -> HubError {
        HubError(
            .conflict, code: "file-exists",
            "\(TerminalSanitizer.line("\(folder)/\(file)")) already exists with different text",
            details: ["files before it were written"], hint: "use another folder, or --force to replace files")
    }
}
