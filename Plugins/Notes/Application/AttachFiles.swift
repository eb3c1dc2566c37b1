package import Commands
import HubKit
import NotesDomain
package import Storage
package import Text

/// A file that was attached, with the link to it in Markdown.
package typealias AttachedFile = (attachment: StoredAttachment, link: String)

/// An attachment of a note as lists show it.
package struct NoteAttachment: Sendable {
    /// The attachment.
    package let stored: StoredAttachment
    /// Whether the text of the note links to it.
    package let isLinked: Bool
    /// The targets in the text that lead to it.
    package let targets: [String]
}

/// A file that becomes an attachment.
package struct NewAttachment: Sendable {
    /// The name; its folder does not count.
    package let name: ByteString
    /// The content, which is kept until a note names it.
    package let content: StoredBlob

    package init(name: ByteString, content: StoredBlob) {
        self.name = name
        self.content = content
    }
}

extension NotesPlugin {
    /// Stores files that are to be attached. Throws `not-found`, `denied`, or `invalid` for one that is too large or no file.
    package func attachable(_ paths: [String]) async throws -> [NewAttachment] {
        // All are looked at before the first is stored.
        for path in paths {
            let size = try await BackgroundThread.run { try ChunkedFileReader(path: path, isRegular: true).fileSize }
            guard size <= NoteLimits.attachment else { throw Self.tooLarge(path) }
        }
        var files: [NewAttachment] = []
        for path in paths {
            files.append(
                NewAttachment(name: ByteString(path: path).lastName, content: try await blobs.store(fileAt: path)))
        }
        return files
    }

    private static func tooLarge(_ name: String) -> HubError {
        HubError(
            .invalid, code: "attachment-too-large",
            "\(TerminalSanitizer.line(name)) is \(PortableFiles.tooLarge)")
    }

    /// Attaches files to a note; with `isLinked`, its text gets links to them at the end.
    ///
    /// A file that the note has already is not attached again.
    /// - Returns: for each file the attachment and the link to it in Markdown.
    @discardableResult
    package func attach(
        _ files: [NewAttachment], to id: String, isLinked: Bool = true, operation: System.Operation
    ) async throws -> [AttachedFile] {
        let attached = try await store.write(operation) { transaction in
            let note = try NoteRecord.kind.live(id, in: transaction)
            var attached: [AttachedFile] = []
            try transaction.changed(id) {
                for file in files {
                    let wanted = Attachment.folder.appending(Attachment.safePath(file.name.lastName))
                    let attachment = StoredAttachment(
                        path: try transaction.freeAttachmentPath(wanted, for: file.content.id),
                        blob: file.content.id, size: file.content.size)
                    try transaction.setAttachment(attachment, of: id)
                    attached.append((attachment, attachment.markdown(from: ByteString(note.folder))))
                }
                guard isLinked else { return }
                let (links, folder) = (AttachmentLinks(try transaction.attachments(of: id)), ByteString(note.folder))
                let all = try transaction.attachments(of: id).map(\.path)
                let known = Set(links.linked(in: note.content, of: folder).map { all[$0] })
                let new = attached.filter { !known.contains($0.attachment.path) }.map(\.link).joined(separator: "\n")
                if !new.isEmpty { try transaction.append(new, to: note) }
            }
            return attached
        }
        withExtendedLifetime(files) {}
        return attached
    }

    /// Returns the attachments of a note, those in its text first.
    package func attachments(of id: String) async throws -> [NoteAttachment] {
        try await store.read { transaction in
            let note = try NoteRecord.kind.item(id, in: transaction)
            let attachments = try transaction.attachments(of: id)
            let (links, folder) = (AttachmentLinks(attachments), ByteString(note.folder))
            var targets: [Int: [String]] = [:]
            for target in MarkdownTargets.targets(in: note.content) {
                if let index = links.index(of: target.text, in: folder) {
                    targets[index, default: []].append(target.text)
                }
            }
            return attachments.enumerated().map { index, attachment in
                NoteAttachment(
                    stored: attachment, isLinked: targets[index] != nil, targets: targets[index] ?? [])
            }
        }
    }

    /// Returns the attachments of a note with these names, each a path, the end of one, or a target in its text. Throws `not-found`
    /// for a name that is none, and `conflict` for one of several.
    package func attachments(named names: [String], of id: String) async throws -> [StoredAttachment] {
        let all = try await attachments(of: id).map(\.stored)
        return try names.map { name in
            let wanted = ByteString(path: name)
            if let exact = all.first(where: { $0.path == wanted || $0.path.description == name }) { return exact }
            let found = all.filter {
                $0.path.lastName == wanted || NoteFileName.key($0.path.lastName) == NoteFileName.key(wanted)
            }
            guard let first = found.first else {
                throw HubError(
                    .notFound, code: "attachment-not-found",
                    "the note has no attachment \"\(TerminalSanitizer.line(name))\"",
                    hint: "hub notes attachments NOTE lists them")
            }
            guard found.count == 1 else {
                throw HubError(
                    .usage, code: "attachment-ambiguous",
                    "several attachments are named \"\(TerminalSanitizer.line(name))\"",
                    details: found.map { $0.path.description }, hint: "use the path of one")
            }
            return first
        }
    }

    /// Takes attachments away from a note, with the links to them in its text. The file in a mirrored folder stays.
    package func detach(_ attachments: [StoredAttachment], from id: String, operation: System.Operation) async throws {
        let paths = Set(attachments.map(\.path))
        try await store.write(operation) { transaction in
            let note = try NoteRecord.kind.live(id, in: transaction)
            let all = try transaction.attachments(of: id)
            let links = AttachmentLinks(all)
            let text = AttachmentRemoval.text(note.content) { target in
                links.index(of: target, in: ByteString(note.folder)).map { paths.contains(all[$0].path) } ?? false
            }
            try transaction.changed(id) {
                for path in paths { try transaction.removeAttachment(path, of: id) }
                try transaction.changeTexts(of: id) { try $0.set(content: text, by: $1) }
            }
        }
    }

    /// Returns the content of an attachment, in pieces.
    package func content(of attachment: StoredAttachment) async throws -> Output.ByteStream {
        let reader = try await blobs.reader(attachment.blob)
        return AsyncThrowingStream<[UInt8], any Error> { try await reader.next() }
    }

    /// Returns the file of an attachment that a note has, live or in the trash. Throws `not-found`.
    package func attachmentFile(_ path: ByteString, of id: String) async throws -> (path: String, StoredAttachment) {
        let found = try await store.read { transaction in
            _ = try NoteRecord.kind.item(id, in: transaction)
            return try transaction.attachments(of: id).first { $0.path == path }
        }
        guard let found else {
            throw HubError(.notFound, code: "attachment-not-found", "attachment not found in this note")
        }
        _ = try await blobs.reader(found.blob)
        return (blobs.path(of: found.blob), found)
    }

    /// Takes a piece of a file that a page attaches to a note, from `offset` on; the last one attaches it.
    /// - Returns: the attachment and the link to it; nil before the last piece.
    package func attachUpload(
        _ upload: String, name: String, offset: Int, _ bytes: [UInt8], isLast: Bool, to id: String,
        operation: System.Operation
    ) async throws -> AttachedFile? {
        let uploads = UploadFolder(directories.cache + "/uploads/page", clock: clock, limit: NoteLimits.attachment)
        _ = try await BackgroundThread.run { try uploads.add(bytes, to: upload, at: offset) }
        guard isLast else { return nil }
        defer { uploads.remove(upload) }
        return try await store.database.discardingBlobs { kept in
            let content = try await blobs.store(fileAt: uploads.path(of: upload))
            kept = [content.id]
            let file = NewAttachment(name: ByteString(name), content: content)
            return try await attach([file], to: id, isLinked: false, operation: operation).first
        }
    }

    /// The names of the servers of a note that cannot hold attachments, since they run NoteApp.
    package func serversWithoutAttachments(of id: String) async throws -> [String] {
        try await store.read { try $0.noteAppServers(of: id) }
    }
}

extension StoredAttachment {
    /// The link to it in the text of a note in `folder`; a picture is shown.
    package func markdown(from folder: ByteString) -> String {
        let label = name.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
            .replacing("\n", with: " ")
        let target = MarkdownTargets.target(MarkdownTargets.relative(path, from: folder))
        return "\(type.hasPrefix("image/") ? "!" : "")[\(label)](\(target))"
    }
}

extension Transaction {
    /// Returns a path that no other content has in any note.
    fileprivate func freeAttachmentPath(_ wanted: ByteString, for blob: BlobID) throws -> ByteString {
        var found: (any Error)?
        let path = Attachment.freePath(wanted) { key in
            do {
                return try attachments(inFolder: wanted.parent).contains {
                    NoteFileName.key($0.path) == key && $0.blob != blob
                }
            } catch {
                found = error
                return false
            }
        }
        if let found { throw found }
        return path
    }
}
