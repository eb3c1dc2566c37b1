import Glibc
import HubKit
import NotesDomain
import Storage

/// What a sync of the mirrored folder did with attachments.
package struct AttachmentMirrorReport: Sendable {
    /// The number of files that were taken in, written, and of attachments that were removed as their files were.
    package fileprivate(set) var taken = 0, written = 0, removed = 0
    /// The number of missing files that may be a mistake, of all that were known; nil if there are none.
    package fileprivate(set) var held: (missing: Int, known: Int)?
}

/// The part of a sync of the folder that follows the notes: the files that they link to.
///
/// A file becomes an attachment when a note links to it; one that no note links to is left alone. Nothing in the folder is removed.
struct AttachmentMirroring {
    /// The most rounds; a folder that others change all the time is left to the next sync.
    private static let maximumRounds = 4
    /// The files that may vanish at once without a question, unless it is more than a quarter of all.
    private static let harmlessCount = MirrorEngine.harmlessCount
    /// A file that was changed within this time before it was listed may change again without a new time.
    private static let grain = Duration.seconds(2)
    /// The most notes, and files, in one transaction.
    private static let batch = 200

    private let notes: NotesPlugin
    private let folder: NoteFolder
    private let allowsMassDeletion: Bool
    private let operation: System.Operation
    private(set) var report = AttachmentMirrorReport()
    /// Files that could not be read or written, with the reason.
    private(set) var problems: [String] = []
    /// Files that are passed over each time, with the reason.
    private(set) var skipped: [String] = []
    /// Whether links in notes were changed, so that their files have to be written.
    private(set) var changedTexts = false
    private var failed: Set<ByteString> = []

    init(notes: NotesPlugin, folder: NoteFolder, operation: System.Operation, allowsMassDeletion: Bool) {
        self.notes = notes
        self.folder = folder
        self.operation = operation
        self.allowsMassDeletion = allowsMassDeletion
    }

    /// Begins with a listing of the folder that was just made.
    mutating func run(after listed: (listing: NoteFolder.Listing, at: Instant)) async throws {
        var known: (listing: NoteFolder.Listing, at: Instant)? = listed
        for _ in 0..<Self.maximumRounds {
            (report.held, skipped) = (nil, [])
            guard var look = try await look(known) else { return }
            known = nil
            let isFollowed = try await follow(&look)
            let isDone = try await settle(look)
            if !isFollowed, !isDone { return }
        }
    }

    // MARK: Looking

    private typealias Recorded = (hash: String, stamp: String)

    /// Both sides, as a round finds them.
    private struct Look: Sendable {
        var entries: [ByteString: NoteFolder.Entry] = [:]
        /// What was passed over, and may still be there.
        var passedOver: [ByteString] = []
        var listedAt: Instant
        var recorded: [ByteString: (hash: String, stamp: String)] = [:]
        var attachments: [ByteString: [(note: String, attachment: StoredAttachment)]] = [:]
        var change = 0
        var followed: Int?

        /// The stamp of a file; empty if it may change once more without a new one.
        func stamp(of path: ByteString) -> String {
            entries[path].map { $0.changedAt + AttachmentMirroring.grain < listedAt ? $0.stamp : "" } ?? ""
        }

        func isMissing(_ path: ByteString) -> Bool {
            entries[path] == nil && !passedOver.contains { path.isWithin($0) }
        }
    }

    private mutating func look(_ known: (listing: NoteFolder.Listing, at: Instant)?) async throws -> Look? {
        var look = Look(listedAt: known?.at ?? notes.clock.now)
        let listing: NoteFolder.Listing
        do {
            listing =
                if let known { known.listing } else {
                    try await BackgroundThread.run { [folder] in try folder.listing { NoteFileName.isNote($0) } }
                }
        } catch let error as SystemError {
            problems.append("attachments are not synced: \(NoteFolder.reason(error))")
            return nil
        }
        look.entries = Dictionary(listing.others.map { ($0.path, $0) }) { first, _ in first }
        look.passedOver = listing.skippedOthers.map(\.path)
        let found = try await notes.store.read { transaction in
            (
                try transaction.mirroredAttachments(), try transaction.attachmentsOfNotes(),
                try transaction.latestChange(), try transaction.followedChange
            )
        }
        look.recorded = found.0
        look.attachments = Dictionary(grouping: found.1) { $0.attachment.path }
        (look.change, look.followed) = (found.2, found.3)
        return look
    }

    // MARK: Links

    /// A file that a note links to.
    private struct Link: Sendable {
        let note: String
        let path: ByteString
    }

    /// Makes attachments of the files that notes link to.
    /// - Returns: whether there was one.
    private mutating func follow(_ look: inout Look) async throws -> Bool {
        let new = look.entries.keys.filter { look.recorded[$0] == nil && look.attachments[$0] == nil }
        let vanished = look.attachments.filter { look.isMissing($0.key) && look.recorded[$0.key] != nil }
        let orphaned = Set(vanished.values.joined().map(\.note))
        let paths = Array(look.entries.keys)
        var links: [Link] = []
        let ids = try await notes.store.read { [followed = look.followed] in
            try $0.notesWithLinks(after: new.isEmpty ? followed : nil)
        }
        let all = Set(ids).union(orphaned).sorted()
        if !paths.isEmpty, !all.isEmpty {
            let (files, gone) = (LinkedFiles(paths), Set(vanished.keys))
            for start in stride(from: 0, to: all.count, by: Self.batch) {
                let part = Array(all[start..<min(start + Self.batch, all.count)])
                links += try await notes.store.read { try Self.links(in: part, to: files, paths, but: gone, $0) }
            }
        }
        var isDone = false
        for start in stride(from: 0, to: links.count, by: Self.batch) {
            isDone = try await attach(links[start..<min(start + Self.batch, links.count)], look) || isDone
        }
        let linked = Set(links.map(\.path))
        let alone = new.filter { !linked.contains($0) }
        if !alone.isEmpty || !all.isEmpty {
            for start in stride(from: 0, to: alone.count, by: Self.batch * 10) {
                let part = alone[start..<min(start + Self.batch * 10, alone.count)].map { ($0, look.stamp(of: $0)) }
                try await store { transaction in
                    for (path, stamp) in part { try transaction.setMirroredAttachment(path, hash: "", stamp: stamp) }
                }
            }
            // Only the speed of the next sync depends on it: a full disk must not make this one fail.
            try? await store { [change = look.change] in try $0.setFollowedChange(change) }
        }
        return isDone
    }

    /// Returns the links of notes to files that are not their attachments yet.
    private static func links(
        in ids: [String], to files: LinkedFiles, _ paths: [ByteString], but gone: Set<ByteString>,
        _ transaction: Transaction
    ) throws -> [Link] {
        var links: [Link] = []
        for id in ids {
            guard let note = try transaction.note(id), note.deletedAt == nil else { continue }
            let folder = try transaction.mirroredFiles(of: id).first?.path.parent ?? ByteString(note.folder)
            let own = try AttachmentLinks(transaction.attachments(of: id).filter { !gone.contains($0.path) })
            var found: Set<ByteString> = []
            for target in MarkdownTargets.targets(in: note.content) {
                guard own.index(of: target.text, in: folder) == nil,
                    let index = files.index(of: target.text, in: folder), found.insert(paths[index]).inserted
                else { continue }
                links.append(Link(note: id, path: paths[index]))
            }
        }
        return links
    }

    /// Stores the content of files, and makes them attachments.
    private mutating func attach(_ links: ArraySlice<Link>, _ look: Look) async throws -> Bool {
        let lock = try await notes.blobs.keep()
        defer { withExtendedLifetime(lock) {} }
        var stored: [ByteString: StoredBlob] = [:]
        for path in Set(links.map(\.path)) where !failed.contains(path) {
            if let blob = try await storeFile(path, look) { stored[path] = blob }
        }
        guard !stored.isEmpty else { return false }
        try await store { [stored] transaction in
            for link in links {
                guard let blob = stored[link.path] else { continue }
                try transaction.attach(
                    StoredAttachment(path: link.path, blob: blob.id, size: blob.size), to: [link.note])
                try transaction.setMirroredAttachment(link.path, hash: blob.id.text, stamp: "")
            }
        }
        report.taken += stored.count
        return true
    }

    /// Stores the content of a file; returns nil if it cannot be taken.
    private mutating func storeFile(_ path: ByteString, _ look: Look) async throws -> StoredBlob? {
        if let entry = look.entries[path], entry.size > NoteLimits.attachment {
            skipped.append("\(path): \(PortableFiles.tooLarge)")
            return nil
        }
        do {
            let bytes = try await BackgroundThread.run { [folder] in
                try folder.read(path, limit: NoteLimits.attachment)
            }
            return try await notes.blobs.store(bytes)
        } catch let error as SystemError {
            fail(path, error)
            return nil
        }
    }

    private mutating func fail(_ path: ByteString, _ error: SystemError) {
        guard failed.insert(path).inserted else { return }
        problems.append("\(path): \(NoteFolder.reason(error))")
    }

    // MARK: Contents

    /// Makes the contents of files and attachments the same.
    /// - Returns: whether there may be more to do.
    private mutating func settle(_ look: Look) async throws -> Bool {
        // What was just attached is looked at in the next round.
        var steps: [(path: ByteString, action: AttachmentMirror.Action)] = []
        for path in Set(look.attachments.keys).union(look.recorded.keys).sorted() where !failed.contains(path) {
            let attachments = look.attachments[path] ?? []
            let recorded = look.recorded[path]
            let common = recorded.flatMap { $0.hash.isEmpty ? nil : $0.hash }
            if attachments.isEmpty {
                if look.isMissing(path) { steps.append((path, .forget)) }
                continue
            }
            let isSame = attachments.allSatisfy { $0.attachment.blob.text == common }
            if isSame, let entry = look.entries[path], entry.stamp == recorded?.stamp { continue }
            let file = try await file(at: path, look, common: common)
            steps += AttachmentMirror.actions(
                common: common, file: file, attachments: attachments.map { ($0.note, $0.attachment.blob.text) }
            ).map { (path, $0) }
        }
        return try await perform(hold(steps, look), look)
    }

    private mutating func file(
        at path: ByteString, _ look: Look, common: String?
    ) async throws -> AttachmentMirror.File {
        guard let entry = look.entries[path] else { return look.isMissing(path) ? .missing : .unreadable }
        if let common, look.recorded[path]?.stamp == entry.stamp { return .content(common) }
        guard entry.size <= NoteLimits.attachment else {
            skipped.append("\(path): \(PortableFiles.tooLarge)")
            return .unreadable
        }
        do {
            return .content(
                try await BackgroundThread.run { [folder] in
                    try BlobStore.id(of: folder.read(path, limit: NoteLimits.attachment)).text
                })
        } catch let error as SystemError {
            fail(path, error)
            return .unreadable
        }
    }

    /// Leaves out removals that may be a mistake.
    private mutating func hold(
        _ steps: [(path: ByteString, action: AttachmentMirror.Action)], _ look: Look
    ) -> [(path: ByteString, action: AttachmentMirror.Action)] {
        let known = look.recorded.values.count { !$0.hash.isEmpty }
        let missing = steps.count { if case .remove = $0.action { true } else { false } }
        guard !allowsMassDeletion, missing > max(Self.harmlessCount, known / 4) || (missing == known && known > 1)
        else { return steps }
        report.held = (missing, known)
        return steps.filter { if case .remove = $0.action { false } else { true } }
    }

    private mutating func perform(
        _ steps: [(path: ByteString, action: AttachmentMirror.Action)], _ look: Look
    ) async throws -> Bool {
        var isDone = false
        var records: [(ByteString, hash: String?, stamp: String)] = []
        for (path, action) in steps {
            switch action {
            case .record(let hash):
                let stamp = look.stamp(of: path)
                guard look.recorded[path].map({ $0.hash != hash || $0.stamp != stamp }) ?? true else { continue }
                records.append((path, hash, stamp))
            case .forget: records.append((path, nil, ""))
            case .take(_, let ids):
                guard let blob = try await storeFile(path, look) else { continue }
                try await store { transaction in
                    try transaction.attach(StoredAttachment(path: path, blob: blob.id, size: blob.size), to: ids)
                    try transaction.setMirroredAttachment(path, hash: blob.id.text, stamp: "")
                }
                withExtendedLifetime(blob) {}
                report.taken += 1
                isDone = true
            case .share(let hash, let ids):
                guard let source = look.attachments[path]?.first(where: { $0.attachment.blob.text == hash }) else {
                    continue
                }
                try await store { try $0.attach(source.attachment, to: ids) }
                isDone = true
            case .write(let hash, let replaced):
                if try await write(hash, to: path, replacing: replaced) { isDone = true }
            case .relocate(let ids):
                let taken = Set(look.entries.keys.map { NoteFileName.key($0) })
                    .union(look.attachments.keys.map { NoteFileName.key($0) })
                let new = Attachment.freePath(path) { taken.contains($0) }
                try await store { transaction in
                    for id in ids { try transaction.relocateAttachment(path, to: new, of: id) }
                }
                problems.append("\(path): another file is there; the attachment of the note is now \(new)")
                (isDone, changedTexts) = (true, true)
            case .remove(let ids):
                try await store { transaction in
                    for id in ids { try transaction.detach(path, from: id) }
                    try transaction.forgetMirroredAttachment(path)
                }
                report.removed += 1
                isDone = true
            }
        }
        for start in stride(from: 0, to: records.count, by: Self.batch * 10) {
            let part = Array(records[start..<min(start + Self.batch * 10, records.count)])
            try await store { transaction in
                for (path, hash, stamp) in part {
                    if let hash {
                        try transaction.setMirroredAttachment(path, hash: hash, stamp: stamp)
                    } else {
                        try transaction.forgetMirroredAttachment(path)
                    }
                }
            }
        }
        return isDone
    }

    /// Writes the file of an attachment. `replaced` is the hash of the content that it must have; nil where there must be none.
    private mutating func write(_ hash: String, to path: ByteString, replacing replaced: String?) async throws -> Bool {
        guard let blob = BlobID(hash) else { return false }
        do {
            let isWritten = try await BackgroundThread.run { [folder, blobs = notes.blobs] in
                _ = try blobs.reader(blob)
                let bytes = try ChunkedFileReader.contents(of: blobs.path(of: blob), limit: NoteLimits.attachment)
                guard let replaced else { return try folder.write(bytes, to: path, replacing: nil) }
                let old = try folder.read(path, limit: NoteLimits.attachment)
                guard try BlobStore.id(of: old).text == replaced else { return false }
                return try folder.write(bytes, to: path, replacing: NoteFolder.hash(old))
            }
            guard isWritten else { return true }
        } catch let error as SystemError {
            fail(path, error)
            return false
        } catch let error as HubError {
            if failed.insert(path).inserted { problems.append("\(path): \(error.message)") }
            return false
        }
        try await store { try $0.setMirroredAttachment(path, hash: hash, stamp: "") }
        report.written += 1
        return true
    }

    private func store(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
        try await notes.store.write(operation, body)
    }
}

extension Transaction {
    /// Adds an attachment to notes, or replaces that with the same path.
    func attach(_ attachment: StoredAttachment, to ids: [String]) throws {
        for id in ids {
            guard try note(id)?.deletedAt == nil else { continue }
            var attachment = attachment
            // A target that leads to it whatever it says stays.
            attachment.link = try attachments(of: id).first { $0.path == attachment.path }?.link
            guard try setAttachment(attachment, of: id) else { continue }
            try reindexNotes([id])
            try emit(NotesEvents.changed, NoteRecord.kind.item(id, in: self).summary)
        }
    }

    /// Takes an attachment away from a note; the links in its text stay.
    func detach(_ path: ByteString, from id: String) throws {
        guard try removeAttachment(path, of: id) else { return }
        try reindexNotes([id])
        try emit(NotesEvents.changed, NoteRecord.kind.item(id, in: self).summary)
    }

    /// Gives an attachment of a note another path, with the links in its text.
    func relocateAttachment(_ path: ByteString, to new: ByteString, of id: String) throws {
        guard let note = try note(id), let old = try attachments(of: id).first(where: { $0.path == path }) else {
            return
        }
        let folder = try mirroredFiles(of: id).first?.path.parent ?? ByteString(note.folder)
        let all = try attachments(of: id)
        let links = AttachmentLinks(all)
        try changed(id) {
            try removeAttachment(path, of: id)
            try setAttachment(StoredAttachment(path: new, blob: old.blob, size: old.size, link: old.link), of: id)
            let text = MarkdownTargets.replacing(in: note.content) { target in
                guard old.link == nil, links.index(of: target, in: folder).map({ all[$0].path == path }) == true
                else { return nil }
                return MarkdownTargets.NewTarget(new, from: folder)
            }
            try changeTexts(of: id) { try $0.set(content: text, by: $1) }
        }
    }
}
