import HubKit
import NotesDomain
import Storage
package import Sync

/// The notes as Markdown files for devices, with their attachments.
///
/// What a device writes is a message: it is merged over the version that the device was last given.
package struct NoteDocuments: ServedDocuments {
    let notes: NotesPlugin
    let names = ServedNames()

    /// The documents that the plugin offers.
    static let declaration = FolderDeclaration(.notes) { (plugin: NotesPlugin) in NoteDocuments(notes: plugin) }

    /// A note that is put aside and written again within this time is the same one: many editors save so.
    private static let recent = Duration.seconds(3600)

    /// Notes are merged.
    package var merges: Bool { true }

    /// Whether a name is that of a Markdown file, not hidden.
    package func takes(_ name: String, size: Int) -> Bool { NoteFileName.isNote(ByteString(name)) }

    /// Returns the identity of the store and the last change of notes.
    package func state() async throws -> ServedState {
        try await notes.store.read {
            ServedState(epoch: String(try $0.replica().prefix(16)), number: try $0.latestChange())
        }
    }

    /// Returns the notes and attachments of a folder.
    package func documents(in folder: [String]) async throws -> (files: [ServedFile], folders: [String]) {
        let place = folder.joined(separator: "/")
        return try await notes.store.read { transaction in
            var files = try names.files(in: place, transaction) { try transaction.servedNote($0, in: place)?.file }
            var folders = try names.folders(transaction)
            var taken = Set(files.map { ByteString($0.name) })
            for (note, attachment) in try transaction.attachmentsOfNotes() {
                let parent = attachment.path.parent.repairedText
                if parent != place {
                    folders.append(parent)
                } else if taken.insert(ByteString(attachment.name)).inserted {
                    files.append(ServedFile(attachment, of: note))
                }
            }
            let start = place.isEmpty ? "" : place + "/"
            let inside = folders.filter { $0.hasPrefix(start) && $0.utf8.count > start.utf8.count }
                .map { String($0.dropFirst(start.count).prefix { $0 != "/" }) }
            return (files, Set(inside).sorted())
        }
    }

    /// Whether there are notes or attachments in a folder, or in one within it.
    package func hasDocuments(in folder: [String]) async throws -> Bool {
        let place = folder.joined(separator: "/")
        return try await notes.store.read { transaction in
            if try names.hasNotes(in: place, transaction) { return true }
            let start = ByteString(place.isEmpty ? "" : place + "/")
            return try transaction.attachmentsOfNotes().contains { $0.attachment.path.hasPrefix(start) }
        }
    }

    /// Returns the note or attachment at a path.
    package func document(at path: [String]) async throws -> ServedFile? { try await content(at: path)?.file }

    /// Returns it with its content.
    package func content(at path: [String]) async throws -> ServedContent? {
        let place = Array(path.dropLast()).joined(separator: "/")
        let blobs = notes.blobs
        return try await notes.store.read { transaction in
            if let note = try names.place(at: path, transaction),
                let found = try transaction.servedNote(note, in: place)
            {
                return ServedContent(found.file, found.bytes)
            }
            let full = ByteString(path.joined(separator: "/"))
            guard let (note, attachment) = try transaction.attachments(at: full).first else { return nil }
            return ServedContent(ServedFile(attachment, of: note)) { range in
                try await BackgroundThread.run { try blobs.bytes(of: attachment.blob, in: range) }
            }
        }
    }

    /// Stores a note, or the content of an attachment that is there.
    package func write(_ write: ServedWrite) async throws -> ServedFileResult {
        guard takes(write.path.last ?? "", size: write.content.size) else { return try await writeAttachment(write) }
        guard case .bytes(let bytes) = write.content, bytes.count <= NoteLimits.content + FrontMatter.maximumSize,
            let file = MarkdownFile(bytes), file.content.utf8.count <= NoteLimits.content
        else { return .forbidden("a note is a text in UTF-8 of at most 4 MB") }
        let since = notes.clock.now - Self.recent
        return try await notes.store.write(Operation(write.author)) { transaction in
            try transaction.take(write, bytes, file, names, sinceTrashed: since)
        }
    }

    private func writeAttachment(_ write: ServedWrite) async throws -> ServedFileResult {
        let path = ByteString(write.path.joined(separator: "/"))
        guard write.content.size <= NoteLimits.attachment else { return .forbidden("it is too large") }
        let stored =
            switch write.content {
            case .bytes(let bytes): try await notes.blobs.store(bytes)
            case .file(let path, _): try await notes.blobs.store(fileAt: path)
            }
        return try await stored.whileKept {
            try await notes.store.write(Operation(write.author)) { transaction in
                let found = try transaction.attachments(at: path)
                guard let first = found.first else { return .missing }
                let old = ServedFile(first.attachment, of: first.note)
                guard write.condition.holds(for: ServedEntry(old)) else { return .refused(old.etag) }
                for (note, attachment) in found {
                    try transaction.changed(note) {
                        let new = StoredAttachment(
                            path: attachment.path, blob: stored.id, size: stored.size, link: attachment.link)
                        try transaction.setAttachment(new, of: note)
                    }
                }
                return .done(isNew: false, etag: String(stored.id.text.prefix(32)))
            }
        }
    }

    /// Moves a note to the trash, or takes an attachment away.
    package func remove(
        _ path: [String], if condition: ServedCondition, by author: ServedAuthor
    ) async throws -> ServedFileResult {
        guard let file = try await document(at: path) else { return .missing }
        guard condition.holds(for: ServedEntry(file)) else { return .refused(file.etag) }
        let full = ByteString(path.joined(separator: "/"))
        if try await notes.store.read({ try names.place(at: path, $0) }) != nil {
            try await notes.notes.delete([file.id], operation: Operation(author))
        } else {
            try await notes.store.write(Operation(author)) { transaction in
                for (note, _) in try transaction.attachments(at: full) {
                    try transaction.changed(note) { try transaction.removeAttachment(full, of: note) }
                }
            }
        }
        return .done(isNew: false, etag: "")
    }

    /// Gives a note another title or folder. Links to it follow.
    package func move(
        _ path: [String], to target: [String], by author: ServedAuthor
    ) async throws -> ServedFileResult {
        guard let note = try await notes.store.read({ try names.place(at: path, $0) }), let name = target.last else {
            return .forbidden("an attachment stays with its note")
        }
        let folder = NoteFileName.folder(target.dropLast().joined(separator: "/"))
        let operation = Operation(author)
        if folder != path.dropLast().joined(separator: "/") {
            _ = try await notes.move([note.id], to: folder, operation: operation)
        }
        let stem = NoteFileName.stem(of: ByteString(name))
        if !name.hasSameBytes(as: path.last ?? "") {
            // A title that stands in the file is not its name.
            let isTitled = try await notes.store.read { transaction in
                let file = try transaction.noteFile(of: note.id)
                return file?.title.map { $0.hasSameBytes(as: note.title) } ?? false
            }
            if isTitled {
                try await notes.store.write(operation) { transaction in
                    guard let file = try transaction.noteFile(of: note.id) else { return }
                    try transaction.changed(note.id) {
                        try transaction.setNoteFile(of: note.id, stem: stem, head: file.head, written: file.written)
                    }
                }
            } else {
                _ = try await notes.rename(note.id, to: stem.repairedText, operation: operation)
            }
        }
        return .done(isNew: true, etag: "")
    }
}

extension Operation {
    /// The operation of a device, named after it.
    init(_ author: ServedAuthor) {
        let program = author.program.isEmpty ? "" : " (\(author.program))"
        self.init(
            id: author.operation, "notes device", who: .service(author.device),
            commandLine: "\(author.device)\(program): change notes")
    }
}

extension ServedEntry {
    fileprivate init(_ file: ServedFile) {
        self.init(name: file.name, id: file.id, etag: file.etag, length: file.length, changedAt: file.changedAt)
    }
}

extension ServedFile {
    fileprivate init(_ attachment: StoredAttachment, of note: String) {
        self.init(attachment.name, id: note, isFolder: false, etag: String(attachment.blob.text.prefix(32)))
        length = attachment.size
        mediaType =
            attachment.type.hasPrefix("text/html") || attachment.type.contains("svg")
            ? "application/octet-stream" : attachment.type
    }
}

extension Transaction {
    /// A note as a file.
    fileprivate func servedNote(
        _ place: ServedNames.Place, in folder: String
    ) throws -> (file: ServedFile, bytes: [UInt8])? {
        let (id, name) = (place.id, place.name)
        guard let note = try note(id), let found = try mirroredNote(id) else { return nil }
        let text = MarkdownFile.file(
            for: found.note, content: found.content, at: ByteString(folder).appending(ByteString(name)),
            existing: MarkdownFile(text: found.frontMatter ?? "")
        ).text
        let bytes = Array(text.utf8)
        var file = ServedFile(name, id: id, isFolder: false, etag: String(try BlobStore.id(of: bytes).text.prefix(32)))
        (file.length, file.mediaType) = (bytes.count, "text/markdown; charset=utf-8")
        (file.changedAt, file.createdAt) = (note.changedAt.milliseconds, note.createdAt.milliseconds)
        return (file, bytes)
    }

    /// Merges what a device writes into its note, or makes one.
    fileprivate func take(
        _ write: ServedWrite, _ bytes: [UInt8], _ file: MarkdownFile, _ names: ServedNames, sinceTrashed: Instant
    ) throws -> ServedFileResult {
        let place = write.path.dropLast().joined(separator: "/")
        let path = ByteString(write.path.joined(separator: "/"))
        let found = try names.place(at: write.path, self)
        let current = try found.flatMap { try servedNote($0, in: place) }
        guard write.condition.holds(for: current.map { ServedEntry($0.file) }) else {
            return .refused(current?.file.etag)
        }
        func result(_ id: String, _ name: String) throws -> ServedFileResult {
            let stored = try servedNote(ServedNames.Place(id: id, title: "", name: name), in: place)
            return .done(isNew: found == nil, etag: stored?.bytes == bytes ? stored?.file.etag ?? "" : "")
        }
        guard let id = try found?.id ?? trashedID(write.path, file, since: sinceTrashed) else {
            let made = try take(FileChange(path, hash: "", file, base: nil, note: nil))
            return try result(made.note, try names.name(of: made.note, self) ?? write.path.last ?? "")
        }
        // Some programs write an empty file before they write what is in it.
        if bytes.isEmpty, let current, !current.bytes.isEmpty { return .done(isNew: false, etag: "") }
        if current?.bytes == bytes { return try result(id, found?.name ?? "") }
        var base: (file: MarkdownFile, entry: MirroredFile)?
        if let known = (write.base ?? (found == nil ? bytes : nil)).flatMap({ MarkdownFile($0) }), found != nil {
            base = (known, try entry(known, path, of: id))
        }
        guard let note = try mirroredNote(id)?.note else { return .missing }
        let change = FileChange(path, hash: "", file, base: base?.entry, note: note)
        try takeFromDevice(change, base?.file, isTrashed: found == nil)
        return try result(id, found?.name ?? write.path.last ?? "")
    }

    /// The note that an editor has put aside a moment ago.
    private func trashedID(_ path: [String], _ file: MarkdownFile, since moment: Instant) throws -> String? {
        let name = NoteFileName.stem(of: ByteString(path.last ?? "")).repairedText
        return try trashedNote(
            titled: file.frontMatter?[.title] ?? name, in: path.dropLast().joined(separator: "/"), since: moment)
    }

    /// What is known of a note when a device had `file` of it.
    private func entry(_ file: MarkdownFile, _ path: ByteString, of id: String) throws -> MirroredFile {
        let (name, folder) = NoteFileName.parts(path)
        let title = file.frontMatter?[.title] ?? name
        let tags = NoteTag.changed([], adding: file.frontMatter?.list(.tags)?.compactMap { NoteTag.cleaned($0) } ?? [])
        var version = try self.version(of: id)
        if let note = try note(id), !note.content.hasSameBytes(as: file.content) || !note.title.hasSameBytes(as: title)
        {
            let recent = try recentVersions(of: id, limit: MergeBase.candidateCount)
            let exact =
                recent.first { $0.content.hasSameBytes(as: file.content) && $0.title.hasSameBytes(as: title) }
                ?? recent.first { $0.content.hasSameBytes(as: file.content) }
            if let exact {
                version = exact.version
            } else if case .similar(let similar) = MergeBase.choose(
                lastRead: nil, recent: recent, title: title, content: file.content)
            {
                version = similar
            }
        }
        return MirroredFile(
            path: path, hash: "", note: id, version: version, title: title, folder: folder, tags: tags,
            isPinned: file.frontMatter?.isPinned ?? false)
    }

    private func takeFromDevice(_ change: FileChange, _ base: MarkdownFile?, isTrashed: Bool) throws {
        guard let id = change.note, let note = try note(id) else { return }
        if isTrashed { try NoteRecord.kind.setDeleted(id, at: nil, in: self) }
        let current = FileHead(try frontMatter(of: id) ?? "")
        let head = FileHead.merged(
            base: base.map { FileHead($0.head) }, current: current, change: FileHead(change.head))
        if !head.isSame(as: current) { _ = try setHead(head, stem: NoteFileName.stem(of: change.path), of: id) }
        let version = try change.base ?? self.version(of: id)
        try changed(id) {
            try changeTexts(of: id) { document, agent in
                try document.merge(title: change.title, content: change.content, base: version, by: agent).edits
            }
            let removed = base == nil ? [] : change.removedTags
            try setTags(NoteTag.changed(note.tags, adding: change.addedTags, removing: removed), of: id)
            if let isPinned = change.isPinned, base != nil { try setPinned(isPinned, of: id) }
        }
    }
}
