package import Commands
import Glibc
import HubKit
package import NotesDomain
import Storage

/// The results of the notes of an import.
package typealias NoteImportReport = ImportReport<NoteImportItem, NoteImportIssue>

/// One note of an import.
package struct NoteImportItem: ImportedItem {
    /// The outcome.
    package let outcome: ImportOutcome
    /// The id; empty for a new note of a plan.
    package let id: String
    /// The name here.
    package let name: String
    /// What was imported besides the text.
    package let words: [String]
}

/// A file, or an item of an archive, that could not be imported.
package struct NoteImportIssue: ImportIssue {
    /// The file.
    package let file: String?
    /// The message, in one sentence without a full stop.
    package let message: String

    /// The file as a whole is meant.
    package var line: Int { 0 }
    /// No column is meant.
    package var column: Int { 1 }
    /// No note is known.
    package var subject: String? { nil }
    /// There is nothing to show.
    package var excerptLines: [String] { [] }
}

/// A file or folder of an import, which is opened when it is read.
package struct NoteImportSource: Sendable {
    /// The display name.
    package let name: String
    /// Opens the source; throws if it cannot be read.
    let open: @Sendable (_ followsLinks: Bool) async throws -> PortableFiles

    /// Names the file or folder at `path`.
    package init(path: String) {
        name = path.split(separator: "/").last.map(String.init) ?? path
        open = { followsLinks in
            try await BackgroundThread.run { try PortableFiles(path: path, followsLinks: followsLinks) }
        }
    }

    /// Names bytes that are not on the disk, such as stdin, which `read` returns.
    package init(_ name: String, read: @escaping @Sendable () async throws -> [UInt8]) {
        self.name = name
        open = { _ in PortableFiles(name, try await read()) }
    }
}

/// Imports notes of other programs, with their attachments. An invalid item does not stop the import.
///
/// A note is recognized by where it came from. A known note is merged with what its file has changed since the last
/// import, so edits made here stay, and the same file imported again changes nothing. Everything is one operation.
extension NotesPlugin {
    /// Imports all notes of `sources`, or with `isDryRun` only returns the plan; one report for each source.
    ///
    /// `keepsAll` includes every changed note in the reports. Throws if nothing could be read. `progress` gets the name
    /// of a source and the number of its notes.
    package func importNotes(
        _ sources: [NoteImportSource], as format: NoteFormat? = nil, operation: Operation, isDryRun: Bool = false,
        keepsAll: Bool = false, progress: @Sendable (_ source: String, _ notes: Int) -> Void = { _, _ in }
    ) async throws -> [NoteImportReport] {
        // What is stored here must not be collected before a note names it.
        let lock = isDryRun ? nil : try await blobs.keep()
        defer { withExtendedLifetime(lock) {} }
        func read(
            _ store: (PortableNote, [StoredAttachment], String) async throws -> NoteImportItem
        ) async throws -> [NoteImportReport] {
            var reports: [NoteImportReport] = []
            for source in sources {
                do {
                    let files = try await source.open(config[NotesKeys.followLinks])
                    let found = try await found(in: files, as: format)
                    var report = NoteImportReport(keepsAll: keepsAll)
                    report.notes = files.skipped + found.remarks
                    report.skip(found.problems.map { NoteImportIssue(file: $0.file, message: $0.message) })
                    var attachments = AttachmentReader(blobs, files, isDryRun: isDryRun)
                    for note in found.notes {
                        let (stored, failed) = try await attachments.attachments(of: note)
                        report.skip(failed)
                        do {
                            report.add(try await store(note, stored, files.origin))
                        } catch let error as HubError where error.kind == .invalid {
                            report.skip([NoteImportIssue(file: note.source, message: error.message)])
                        }
                        progress(source.name, report.total)
                    }
                    reports.append(report)
                } catch let error as HubError where error.isAboutFile {
                    reports.append(NoteImportReport(failure: error))
                }
            }
            return reports
        }
        let reports: [NoteImportReport]
        if isDryRun {
            reports = try await read { note, attachments, origin in
                try await self.store.read { try $0.plannedImport(of: note, attachments, from: origin) }
            }
        } else {
            reports = try await store.bulk(operation) { bulk in
                let reports = try await read { note, attachments, origin in
                    try await bulk.chunk { try $0.importNote(note, attachments, from: origin) }
                }
                let count = reports.reduce(0) { $0 + $1.changedCount }
                if count > 0 { try await bulk.chunk { try $0.emit(NotesEvents.bulk, count: count) } }
                return reports
            }
        }
        if let error = HubError(unread: reports) { throw error }
        return reports
    }

    @concurrent private func found(
        in files: PortableFiles, as format: NoteFormat?
    ) async throws(HubError) -> ImportedNotes {
        let unpacked: [PortableFile]
        do throws(ImportProblem) {
            unpacked = try NoteArchive.unpacked(files.files)
        } catch {
            throw HubError(
                .invalid, code: "archive-unreadable", "\(TerminalSanitizer.line(error.file)) \(error.message)")
        }
        guard let format = format ?? NoteFormat(sniffing: unpacked) else {
            throw HubError(
                .invalid, code: "format-unknown",
                "\(TerminalSanitizer.line(files.name)) has no format that can be imported",
                hint: Self.formatHint)
        }
        let found = format.read(unpacked)
        guard !found.notes.isEmpty || !found.problems.isEmpty else {
            throw HubError(
                .invalid, code: "no-notes", "\(TerminalSanitizer.line(files.name)) contains no notes",
                hint: Self.formatHint)
        }
        return found
    }

    private static let formatHint =
        "supported are Markdown files, folders and vaults, the exports of Joplin (JEX), Evernote (ENEX), Simplenote, "
        + "Standard Notes and Notion, and hub's own JSON; --as markdown takes any text"
}

/// Stores the attachments of imported notes, each file once.
private struct AttachmentReader {
    private let blobs: BlobStore
    private let files: PortableFiles
    private let isDryRun: Bool
    private var known: [ByteString: (blob: BlobID, size: Int)] = [:]

    init(_ blobs: BlobStore, _ files: PortableFiles, isDryRun: Bool) {
        (self.blobs, self.files, self.isDryRun) = (blobs, files, isDryRun)
    }

    /// Returns the attachments of a note, whose content is stored unless this is a dry run, and those that cannot be read.
    mutating func attachments(of note: PortableNote) async throws -> ([StoredAttachment], [NoteImportIssue]) {
        var stored: [StoredAttachment] = []
        var issues: [NoteImportIssue] = []
        for attachment in note.attachments {
            do {
                guard let (blob, size) = try await content(of: attachment) else { continue }
                stored.append(
                    StoredAttachment(path: attachment.path, blob: blob, size: size, link: attachment.link))
            } catch let error as SystemError {
                issues.append(
                    NoteImportIssue(file: attachment.path.description, message: NoteFolder.reason(error)))
            }
        }
        return (stored, issues)
    }

    private mutating func content(of attachment: Attachment) async throws -> (blob: BlobID, size: Int)? {
        switch attachment.content {
        case .blob: return nil
        case .bytes(let bytes): return try await store { bytes }
        case .file(let path):
            if let known = known[path] { return known }
            let found = try await store { [files] in try files.read(path) }
            known[path] = found
            return found
        }
    }

    private func store(_ read: @escaping @Sendable () throws -> [UInt8]) async throws -> (blob: BlobID, size: Int) {
        let (bytes, id) = try await BackgroundThread.run { [isDryRun] in
            let bytes = try read()
            return (bytes, isDryRun ? try BlobStore.id(of: bytes) : nil)
        }
        guard bytes.count <= NoteLimits.attachment else { throw SystemError("read", code: EFBIG) }
        if let id { return (id, bytes.count) }
        return (try await blobs.store(bytes).id, bytes.count)
    }
}

extension Transaction {
    /// Returns what the import of a note would do.
    fileprivate func plannedImport(
        of portable: PortableNote, _ attachments: [StoredAttachment], from origin: String
    ) throws -> NoteImportItem {
        let name = NoteRecord.displayName(title: portable.title, content: portable.content)
        guard let known = try known(portable, from: origin) else {
            return NoteImportItem(outcome: .new, id: "", name: name, words: [])
        }
        guard known.deletedAt == nil else { return NoteImportItem(outcome: .new, id: known.id, name: name, words: []) }
        var document = try document(of: known.id)
        let edits = try merge(portable, into: &document, of: known.id, by: "plan").edits
        let isTagged = NoteTag.changed(known.tags, adding: portable.tags) != known.tags
        let here = Set(try self.attachments(of: known.id))
        let isSame = edits.isEmpty && !isTagged && attachments.allSatisfy { here.contains($0) }
        return NoteImportItem(
            outcome: isSame ? .unchanged : .updated, id: known.id, name: known.displayName,
            words: [])
    }

    /// Stores a note of an import.
    func importNote(
        _ portable: PortableNote, _ attachments: [StoredAttachment], from origin: String
    ) throws -> NoteImportItem {
        if let known = try known(portable, from: origin) { return try update(known, portable, attachments) }
        let id = try insertNote(
            folder: NoteFileName.folder(portable.folder), isPinned: portable.isPinned, source: source(portable, origin),
            frontMatter: portable.frontMatter, createdAt: portable.createdAt)
        try setTags(portable.tags, of: id)
        try changeTexts(of: id) { document, agent in
            try document.set(title: portable.title, content: portable.content, by: agent)
        }
        for attachment in attachments { try setAttachment(attachment, of: id) }
        try setImportedVersion(try version(of: id), of: id)
        // It stays in the trash from now on, as long as what is moved there here.
        if portable.deletedAt != nil { try NoteRecord.kind.setDeleted(id, at: now, in: self) }
        try reindexNotes([id])
        if let changedAt = portable.changedAt { try setChangedAt(min(changedAt, now), of: id) }
        return item(
            .new, try NoteRecord.kind.item(id, in: self), attachments.count, isInTrash: portable.deletedAt != nil)
    }

    private func update(
        _ known: NoteRecord, _ portable: PortableNote, _ attachments: [StoredAttachment]
    ) throws -> NoteImportItem {
        let id = known.id
        if portable.deletedAt != nil, known.deletedAt != nil {
            return NoteImportItem(outcome: .unchanged, id: id, name: known.displayName, words: [])
        }
        if known.deletedAt != nil { try NoteRecord.kind.setDeleted(id, at: nil, in: self) }
        var written: NoteVersion?
        var isChanged = try changeTexts(of: id) { document, agent in
            let merge = try merge(portable, into: &document, of: id, by: agent)
            written = merge.written
            return merge.edits
        }
        if let written { try setImportedVersion(written, of: id) }
        let tags = NoteTag.changed(known.tags, adding: portable.tags)
        if tags != known.tags {
            try setTags(tags, of: id)
            isChanged = true
        }
        for attachment in attachments where try setAttachment(attachment, of: id) { isChanged = true }
        guard isChanged || known.deletedAt != nil else {
            return NoteImportItem(outcome: .unchanged, id: id, name: known.displayName, words: [])
        }
        try reindexNotes([id])
        return item(known.deletedAt == nil ? .updated : .new, try NoteRecord.kind.item(id, in: self), attachments.count)
    }

    private func item(
        _ outcome: ImportOutcome, _ note: NoteRecord, _ count: Int, isInTrash: Bool = false
    ) -> NoteImportItem {
        NoteImportItem(
            outcome: outcome, id: note.id, name: note.displayName,
            words: (isInTrash ? ["in the trash"] : []) + (count == 0 ? [] : [NumberFormat.counted(count, "attachment")])
        )
    }

    /// Merges the texts of a file over those of its last import; of a note that was not imported, over the current ones.
    private func merge(
        _ portable: PortableNote, into document: inout NoteDocument, of id: String, by agent: String
    ) throws -> TextMerge {
        try document.merge(
            title: portable.title, content: portable.content, base: try importedVersion(of: id) ?? document.version,
            by: agent)
    }

    private func known(_ portable: PortableNote, from origin: String) throws -> NoteRecord? {
        guard let source = source(portable, origin) else { return nil }
        // hub's own JSON names the note itself.
        return try note(source) ?? note(madeFrom: source)
    }

    /// The identity of a note across imports; a file is known by its path.
    private func source(_ portable: PortableNote, _ origin: String) -> String? {
        guard portable.source.hasPrefix("file:") else { return portable.source.isEmpty ? nil : portable.source }
        return origin.isEmpty ? nil : "file:" + origin + portable.source.dropFirst(5)
    }
}
