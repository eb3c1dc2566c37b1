import Commands
import Glibc
import HubKit
import NotesDomain
import Storage
import TextCRDT

/// The result of a sync of the mirrored folder.
package struct MirrorReport: Sendable {
    /// The number of files whose changes came into notes, of files that were written, moved and removed, and of notes that
    /// were moved to the trash.
    package fileprivate(set) var taken = 0, written = 0, moved = 0, removed = 0, trashed = 0
    /// The number of missing files that may be a mistake, of all that were known; nil if there are none.
    package fileprivate(set) var held: (missing: Int, known: Int)?
    /// Files that could not be read or written, with the reason.
    package fileprivate(set) var problems: [String] = []
    /// What is passed over each time, with the reason, such as links out of the folder.
    package fileprivate(set) var skipped: [String] = []
    /// The number of links that use a former name of a note, if the sync may have renamed one; otherwise 0.
    package fileprivate(set) var staleLinks = 0
    /// What was done with attachments.
    package fileprivate(set) var attachments = AttachmentMirrorReport()

    /// Whether nothing was changed on either side.
    package var isUnchanged: Bool {
        taken + written + moved + removed + trashed + attachments.taken + attachments.written + attachments.removed == 0
    }

    package init() {}
}

extension NotesPlugin {
    /// The mirrored folder of the config, without a slash at the end; nil without one.
    package var mirrorPath: String? {
        config[NotesKeys.mirror].map { path in
            path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        }
    }

    /// Makes the folder at `path` and the notes the same, unless another process is doing so.
    ///
    /// With `allowsMassDeletion`, notes are moved to the trash even if most of the files are gone.
    /// - Returns: nil if another process holds the lock.
    package func syncMirror(_ path: String, allowsMassDeletion: Bool = false) async throws -> MirrorReport? {
        guard let lock = try await locks.tryAcquire("notes/mirror") else { return nil }
        defer { withExtendedLifetime(lock) {} }
        let followsLinks = config[NotesKeys.followLinks]
        let folder = try await BackgroundThread.run { try NoteFolder(path, isMade: true, followsLinks: followsLinks) }
        // A sync that finds nothing to do needs no room on the disk.
        if try await store.read({ try $0.mirror != path }) {
            try await store.write(Mirroring.operation) { try $0.useMirror(path) }
        }
        var mirroring = Mirroring(
            notes: self, folder: folder, engine: MirrorEngine(allowsMassDeletion: allowsMassDeletion))
        try await mirroring.run()
        var attachments = AttachmentMirroring(
            notes: self, folder: folder, operation: Mirroring.operation, allowsMassDeletion: allowsMassDeletion)
        // Where notes are missing, their attachments may be too.
        if mirroring.report.held == nil, let listed = mirroring.listed { try await attachments.run(after: listed) }
        if attachments.changedTexts { try await mirroring.run() }
        var report = mirroring.report(with: attachments)
        if report.taken > 0 { report.staleLinks = try await staleLinkCount() }
        return report
    }
}

/// One sync of the folder: the only loop around the engine.
private struct Mirroring {
    /// The most rounds; a folder that others change all the time is left to the next sync.
    private static let maximumRounds = 8
    /// The most files that are taken in or written within one transaction.
    private static let batch = 200
    /// The changes of notes after which ``Transaction/mirroredChange`` is worth a write; fewer are compared each time.
    private static let manyChanges = 100
    /// The time after which a file that comes back in its place is another one, if its text is.
    private static let recent = Duration.seconds(3600)
    /// The most files that are gone whose texts are compared with those of new files.
    private static let maximumTexts = 1000
    /// The largest file that is read.
    private static let maximumFile = NoteLimits.content + FrontMatter.maximumSize

    /// The operation of all changes by the folder; a new one for each sync.
    static var operation: Operation { Operation("notes mirror", who: .service("mirror")) }

    let notes: NotesPlugin
    let folder: NoteFolder
    let engine: MirrorEngine
    private(set) var report = MirrorReport()
    /// The last listing of the folder, and when it was begun.
    private(set) var listed: (listing: NoteFolder.Listing, at: Instant)?
    private let operation = Self.operation
    private var failed: Set<ByteString> = []
    /// As ``Transaction/mirroredChange``, when a round begins.
    private var compared: Int?
    /// The notes of the steps of the last round, which may not be as that says.
    private var touched: Set<String> = []
    /// What the files that were read in this round have before their texts.
    private var heads: [ByteString: String] = [:]
    /// The keys in files that were reported.
    private var named: Set<String> = []

    init(notes: NotesPlugin, folder: NoteFolder, engine: MirrorEngine) {
        self.notes = notes
        self.folder = folder
        self.engine = engine
    }

    /// Returns the report of the whole sync.
    func report(with attachments: AttachmentMirroring) -> MirrorReport {
        var report = report
        report.attachments = attachments.report
        report.problems += attachments.problems
        report.skipped += attachments.skipped
        return report
    }

    mutating func run() async throws {
        try await finishWrites()
        let recorded = try await notes.store.read { try $0.mirroredChange }
        compared = recorded
        for _ in 0..<Self.maximumRounds {
            let (differences, listing, change) = try await look()
            (report.held, report.skipped) = (nil, listing.skipped.map(\.message))
            guard compared == nil || !differences.isEmpty || !touched.isEmpty || !change.notes.isEmpty else { return }
            let files = try await read(differences.changed)
            let found = try await counterparts(of: files, differences.vanished, change.notes)
            let actions = engine.actions(
                known: found.known, files: files + unchanged(found.known, but: differences), notes: found.notes,
                others: MirrorOthers(
                    knownCount: differences.knownCount - found.known.count, paths: listing.entries.map(\.path),
                    trashed: found.trashed, texts: found.texts))
            let entries = Dictionary(found.known.map { ($0.path, $0) }) { first, _ in first }
            compared = change.last
            touched = Set(actions.compactMap { $0.note ?? $0.path.flatMap { entries[$0]?.note } })
            let isDone = try await perform(
                actions.filter { !($0.path.map { failed.contains($0) } ?? false) }, differences.stamps, entries)
            if isDone { continue }
            if actions.allSatisfy(\.isTouch), recorded.map({ change.last - $0 > Self.manyChanges }) ?? true {
                // Only the speed of the next sync depends on it: a full disk must not make this one fail.
                try? await store { try $0.setMirroredChange(change.last) }
            }
            return
        }
    }

    /// Lists the files, and finds those and the notes that are to be compared.
    private mutating func look() async throws -> (
        differences: FolderDifferences, listing: NoteFolder.Listing, change: (last: Int, notes: [String])
    ) {
        let listedAt = notes.clock.now
        let listing: NoteFolder.Listing
        do throws(SystemError) {
            listing = try await onDisk { folder throws(SystemError) in try folder.listing { NoteFileName.isNote($0) } }
        } catch {
            throw NoteFolder.failure(folder.path, error)
        }
        listed = (listing, listedAt)
        let (differences, change) = try await notes.store.read { [compared] transaction in
            (
                try FolderDifferences(listing, listedAt: listedAt, in: transaction),
                (try transaction.latestChange(), try compared.map { try transaction.changedNotes(after: $0) } ?? [])
            )
        }
        return (differences, listing, change)
    }

    /// Uses the folder on a thread that may wait for the disk.
    private func onDisk<Success: Sendable>(
        _ body: @escaping @Sendable (NoteFolder) throws(SystemError) -> Success
    ) async throws(SystemError) -> Success {
        try await BackgroundThread.run({ [folder] () throws(SystemError) in try body(folder) }, whenRefused: { $0 })
    }

    /// Reads files that may have changed.
    private mutating func read(_ entries: [NoteFolder.Entry]) async throws -> [FolderFile] {
        let read = try await BackgroundThread.run { [folder] in
            try entries.map { entry in
                try BackgroundThread.checkCancellation()
                return Result { () throws(SystemError) in
                    let bytes = try folder.read(entry.path, limit: Self.maximumFile)
                    return (hash: NoteFolder.hash(bytes), file: MarkdownFile(bytes))
                }
            }
        }
        heads = [:]
        return zip(entries, read).map { entry, result in
            switch result {
            case .failure(let error):
                fail(entry.path, error)
                return FolderFile(path: entry.path, content: .binary(hash: ""))
            case .success((let hash, nil)):
                return FolderFile(path: entry.path, content: .binary(hash: hash))
            case .success((let hash, let file?)):
                heads[entry.path] = file.head
                for key in file.frontMatter?.unreadableKeys ?? []
                where named.insert("\(entry.path) \(key.rawValue)").inserted {
                    report.problems.append(
                        "\(entry.path): \(key.rawValue) in the front matter is not understood, and left as it is")
                }
                return FolderFile(path: entry.path, content: .read(hash: hash, file))
            }
        }
    }

    /// What is recorded of files that are to be compared.
    private struct Counterparts: Sendable {
        var known: [MirroredFile] = []
        var notes: [MirroredNote] = []
        var trashed: [TrashedFile] = []
        /// The texts of notes whose files are gone.
        var texts: [String: String] = [:]
    }

    /// Returns what is recorded of files that have changed or are gone, and of files of changed notes, with all their
    /// notes: what is left out is as it was on both sides.
    private func counterparts(
        of files: [FolderFile], _ vanished: [ByteString], _ changed: [String]
    ) async throws -> Counterparts {
        let stated = files.compactMap { file in
            if case .read(_, let content) = file.content { content.frontMatter?[.id] } else { nil }
        }
        let paths = files.map(\.path) + vanished
        return try await notes.store.read { [touched, compared] transaction in
            var found = Counterparts()
            let recorded = try paths.compactMap { try transaction.mirroredFile(at: $0) }
            let hasNew = recorded.count < paths.count
            if hasNew { found.trashed = try transaction.trashedFiles(recentSince: transaction.now - Self.recent) }
            if compared == nil {
                (found.known, found.notes) = (try transaction.mirroredFiles(), try transaction.mirroredNotes())
            } else {
                let ids = touched.union(changed).union(stated).union(recorded.map(\.note))
                found.known = try ids.flatMap { try transaction.mirroredFiles(of: $0) }
                found.notes = try transaction.mirroredNotes(ids.union(found.trashed.map(\.file.note)))
            }
            if hasNew {
                let (gone, here) = (Set(vanished), Set(paths))
                let trashed = found.trashed.filter { $0.isRecent || here.contains($0.file.path) }
                let candidates = recorded.filter { gone.contains($0.path) } + trashed.map(\.file)
                for file in candidates.prefix(Self.maximumTexts) {
                    found.texts[file.note] = try transaction.note(file.note)?.content
                }
            }
            return found
        }
    }

    /// Returns those of the known files that are as they were.
    private func unchanged(_ known: [MirroredFile], but differences: FolderDifferences) -> [FolderFile] {
        let others = Set(differences.changed.map(\.path) + differences.vanished)
        return known.compactMap { others.contains($0.path) ? nil : FolderFile(path: $0.path, content: .unchanged) }
    }

    private mutating func fail(_ path: ByteString, _ error: SystemError) {
        guard failed.insert(path).inserted else { return }
        report.problems.append("\(path): \(NoteFolder.reason(error))")
    }

    /// Takes the steps of a round.
    /// - Returns: whether there may be more to do.
    private mutating func perform(
        _ actions: [MirrorAction], _ stamps: [ByteString: String], _ entries: [ByteString: MirroredFile]
    ) async throws -> Bool {
        var isDone = false
        var rest = actions[...]
        while !rest.isEmpty {
            let changes = Array(rest.prefix(Self.batch).prefix { $0.change != nil })
            if !changes.isEmpty {
                rest = rest.dropFirst(changes.count)
                try await take(changes, stamps)
                isDone = true
                continue
            }
            let writes = rest.prefix(Self.batch).prefix { $0.write != nil }.compactMap(\.write)
            if !writes.isEmpty {
                rest = rest.dropFirst(writes.count)
                isDone = try await write(writes) || isDone
                continue
            }
            let touches = rest.prefix { $0.isTouch }
            if !touches.isEmpty {
                rest = rest.dropFirst(touches.count)
                try await touch(touches.compactMap(\.path), stamps, entries)
                continue
            }
            guard let action = rest.popFirst() else { break }
            do {
                isDone = try await perform(action, stamps, entries) || isDone
            } catch let error as SystemError {
                if let path = action.path { fail(path, error) }
            }
        }
        return isDone
    }

    /// Records the stamps of files that were read and are as they were.
    private func touch(
        _ paths: [ByteString], _ stamps: [ByteString: String], _ entries: [ByteString: MirroredFile]
    ) async throws {
        // Without a stamp, the next sync reads the file again anyway.
        let settled = paths.compactMap { path in stamps[path].flatMap { $0.isEmpty ? nil : (path: path, stamp: $0) } }
        let heads = paths.compactMap { path -> (path: ByteString, note: String, head: String)? in
            guard let head = self.heads[path], let note = entries[path]?.note else { return nil }
            return (path, note, head)
        }
        let unknown = try await notes.store.read { transaction in
            try heads.filter { try transaction.noteFile(of: $0.note) == nil }
        }
        guard !settled.isEmpty || !unknown.isEmpty else { return }
        try await store { transaction in
            for file in unknown {
                try transaction.setNoteFile(of: file.note, stem: NoteFileName.stem(of: file.path), head: file.head)
            }
            for file in settled { try transaction.setMirrorStamp(file.stamp, of: file.path) }
        }
    }

    private mutating func perform(
        _ action: MirrorAction, _ stamps: [ByteString: String], _ entries: [ByteString: MirroredFile]
    ) async throws -> Bool {
        switch action {
        case .take, .moved, .write, .touch: break
        case .forget(let path):
            try await store { transaction in
                // Its note may need a file again, without having changed.
                try transaction.forgetMirroredChange()
                try transaction.forgetMirroredFile(path)
            }
        case .hold(let missing, let known):
            report.held = (missing, known)
            return false
        case .move(let path, let new, let id, let expected):
            guard let entry = entries[path],
                try await onDisk({ folder throws(SystemError) in try folder.move(path, to: new, expecting: expected) })
            else { return false }
            report.moved += 1
            let note = try await notes.store.read { try $0.mirroredNote(id)?.note }
            let moved = entry.moved(to: new, folder: note?.folder ?? entry.folder)
            try await store { transaction in
                try transaction.forgetMirroredFile(path)
                try transaction.setMirroredFile(moved, stamp: "")
            }
        case .trash(let id, let path):
            try await store { transaction in
                if let note = try transaction.note(id), note.deletedAt == nil {
                    try NoteRecord.kind.setDeleted(id, at: transaction.now, in: transaction)
                    try transaction.reindexNotes([id])
                    try transaction.emit(NotesEvents.deleted, note.summary)
                    if let entry = entries[path] { try transaction.setTrashedFile(entry) }
                }
                try transaction.forgetMirroredFile(path)
            }
            report.trashed += 1
        case .remove(let path, let id, let expected):
            let isKnown = try await notes.store.read { try $0.note(id) != nil }
            // The file of a note that an undo took back is not hub's to remove, unless hub made it.
            if isKnown || entries[path]?.statedID == id {
                let isRemoved = try await onDisk { folder throws(SystemError) in
                    try folder.remove(path, expecting: expected)
                }
                guard isRemoved else { return false }
                report.removed += 1
            }
            try await store { try $0.forgetMirroredFile(path) }
        }
        return true
    }

    private func store(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
        try await notes.store.write(operation, body)
    }

    /// Writes files. What is about to be written is recorded first: a file of a process that ended then is not taken for one
    /// that an editor has saved.
    private mutating func write(_ writes: [MirrorWrite]) async throws -> Bool {
        let found = try await notes.store.read { transaction in
            try writes.compactMap { write in try transaction.mirroredNote(write.note).map { (write, $0) } }
        }
        let made = try await BackgroundThread.run { [folder] in
            found.map { write, note in
                Result { () throws(SystemError) in
                    let existing =
                        write.expected == nil || note.note.hasNewHead
                        ? note.frontMatter.map { MarkdownFile(text: $0) }
                        : MarkdownFile(try folder.read(write.path, limit: Self.maximumFile))
                    let (file, written) = Self.file(for: note, at: write.path, existing: existing)
                    return (
                        bytes: Array(file.text.utf8), written: written, expected: write.expected,
                        head: note.note.hasNewHead ? note.frontMatter.map { (new: file.head, source: $0) } : nil
                    )
                }
            }
        }
        var files: [(bytes: [UInt8], written: MirroredFile, expected: String?, head: (new: String, source: String)?)] =
            []
        for ((write, _), result) in zip(found, made) {
            switch result {
            case .success(let file): files.append(file)
            case .failure(let error): fail(write.path, error)
            }
        }
        guard !files.isEmpty else { return false }
        try await store { [files] in try $0.startWrites(files.map(\.written)) }
        let results = try await BackgroundThread.run { [folder, files] in
            let new = files.filter { $0.expected == nil }
            var results = Array(
                zip(new.map(\.written), folder.write(new: new.map { ($0.written.path, $0.bytes) })))
            for file in files {
                guard let expected = file.expected else { continue }
                let result = Result { () throws(SystemError) in
                    try folder.write(file.bytes, to: file.written.path, replacing: expected)
                }
                results.append((file.written, result))
            }
            return results
        }
        var written: [MirroredFile] = []
        var ended: [ByteString] = []
        for (file, result) in results {
            switch result {
            case .success(true): written.append(file)
            case .success(false): ended.append(file.path)
            // The file may have its new content all the same; the next run looks at it.
            case .failure(let error): fail(file.path, error)
            }
        }
        report.written += written.count
        ended += written.map(\.path)
        let heads = files.compactMap { file in
            file.head.map { (note: file.written.note, path: file.written.path, head: $0) }
        }
        try await store { [written, ended] transaction in
            // Another program may change it at once, without a new time: the next sync reads it.
            for file in written { try transaction.setMirroredFile(file, stamp: "") }
            for (note, path, head) in heads where written.contains(where: { $0.path == path }) {
                try transaction.endHead(of: note, written: head.new, from: head.source)
            }
            try transaction.endWrites(of: ended)
        }
        return !written.isEmpty
    }

    /// Records the files that a process had written when it ended, or when the disk failed.
    private mutating func finishWrites() async throws {
        let started = try await notes.store.read { try $0.startedWrites() }
        guard !started.isEmpty else { return }
        let read = try await BackgroundThread.run { [folder] in
            try started.map { file in
                try BackgroundThread.checkCancellation()
                return Result { () throws(SystemError) in
                    let bytes = try folder.read(file.path, limit: Self.maximumFile)
                    return (file: file, hash: NoteFolder.hash(bytes), content: MarkdownFile(bytes))
                }
            }
        }
        var files: [(file: MirroredFile, hash: String, content: MarkdownFile?)] = []
        var ended: [ByteString] = []
        for (file, result) in zip(started, read) {
            switch result {
            case .success(let content):
                files.append(content)
                ended.append(file.path)
            case .failure(let error) where error.code == ENOENT: ended.append(file.path)
            case .failure(let error): fail(file.path, error)
            }
        }
        try await store { [files, ended] transaction in
            for (file, hash, content) in files {
                let known = try transaction.mirroredFile(at: file.path)
                let isWritten = try hash == file.hash || transaction.isBased(content, on: file, ratherThan: known)
                if isWritten { try transaction.setMirroredFile(file, stamp: "") }
            }
            try transaction.endWrites(of: ended)
        }
    }

    /// Returns a note as a file, and what to record of it.
    private static func file(
        for source: (note: MirroredNote, content: String, frontMatter: String?), at path: ByteString,
        existing: MarkdownFile?
    ) -> (file: MarkdownFile, written: MirroredFile) {
        let (note, content) = (source.note, source.content)
        let file = MarkdownFile.file(for: note, content: content, at: path, existing: existing)
        let written = MirroredFile(
            path: path, hash: NoteFolder.hash(Array(file.text.utf8)), note: note.id, version: note.version,
            title: note.title,
            folder: note.folder, tags: note.tags, isPinned: note.isPinned, statedID: file.frontMatter?[.id])
        return (file, written)
    }

    /// Brings changed files into their notes.
    private mutating func take(_ actions: [MirrorAction], _ stamps: [ByteString: String]) async throws {
        try await store { transaction in
            for action in actions {
                guard let change = action.change else { continue }
                let recorded = try transaction.take(change)
                if case .moved(let old, _) = action { try transaction.forgetMirroredFile(old) }
                try transaction.setMirroredFile(recorded, stamp: stamps[change.path] ?? "")
            }
        }
        report.taken += actions.count
    }
}

/// A file that is to be written, the id of its note, and the hash of the file that it replaces; nil for a new one.
private typealias MirrorWrite = (path: ByteString, note: String, expected: String?)

extension MirrorAction {
    /// What a file says of its note, in a step that takes it in.
    fileprivate var change: FileChange? {
        switch self {
        case .take(let change), .moved(_, let change): change
        default: nil
        }
    }

    /// The file and its note, in a step that writes one.
    fileprivate var write: MirrorWrite? {
        if case .write(let path, let note, let expected) = self { (path, note, expected) } else { nil }
    }

    /// Whether the file and its note are as they were.
    fileprivate var isTouch: Bool { if case .touch = self { true } else { false } }

    /// The note, in a step that names it.
    fileprivate var note: String? {
        switch self {
        case .write(_, let note, _), .move(_, _, let note, _), .trash(let note, _), .remove(_, let note, _): note
        case .take(let change), .moved(_, let change): change.note
        case .touch, .forget, .hold: nil
        }
    }

    /// The path of the file.
    fileprivate var path: ByteString? {
        switch self {
        case .write(let path, _, _), .move(let path, _, _, _), .touch(let path), .trash(_, let path),
            .remove(let path, _, _), .forget(let path):
            path
        case .take(let change), .moved(_, let change): change.path
        case .hold: nil
        }
    }
}
