import Glibc
import HubKit
import NotesDomain

/// The result of a sync of the mirrored folder.
package struct MirrorReport: Sendable {
    /// The number of files whose changes came into notes, of files that were written, moved and removed, and of notes that
    /// were moved to the trash.
    package fileprivate(set) var taken = 0, written = 0, moved = 0, removed = 0, trashed = 0
    /// The number of missing files that may be a mistake, of all that were known; nil if there are none.
    package fileprivate(set) var held: (missing: Int, known: Int)?
    /// Files that could not be read or written, with the reason.
    package fileprivate(set) var problems: [String] = []

    /// Whether nothing was changed on either side.
    package var isUnchanged: Bool { taken + written + moved + removed + trashed == 0 }

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
        guard let lock = try locks.tryAcquire("notes/mirror") else { return nil }
        defer { withExtendedLifetime(lock) {} }
        let folder = try NoteFolder(path, isMade: true)
        // A sync that finds nothing to do needs no room on the disk.
        if try await store.read({ try $0.mirrorRoot() }) != path {
            try await store.write(Mirroring.operation) { try $0.useMirror(path) }
        }
        var mirroring = Mirroring(
            notes: self, folder: folder, engine: MirrorEngine(allowsMassDeletion: allowsMassDeletion))
        try await mirroring.run()
        return mirroring.report
    }
}

/// One sync of the folder: the only loop around the engine.
private struct Mirroring {
    /// The most rounds; a folder that others change all the time is left to the next sync.
    private static let maximumRounds = 8
    /// The most files that are taken in within one transaction.
    private static let batch = 200
    /// The largest file that is read.
    private static let maximumFile = NoteLimits.content + FrontMatter.maximumSize

    /// The operation of all changes by the folder; a new one for each sync.
    static var operation: Operation { Operation("notes mirror", who: .service("mirror")) }

    let notes: NotesPlugin
    let folder: NoteFolder
    let engine: MirrorEngine
    private(set) var report = MirrorReport()
    private let operation = Self.operation
    private var failed: Set<String> = []

    init(notes: NotesPlugin, folder: NoteFolder, engine: MirrorEngine) {
        self.notes = notes
        self.folder = folder
        self.engine = engine
    }

    mutating func run() async throws {
        for _ in 0..<Self.maximumRounds {
            let (known, all) = try await notes.store.read { (try $0.mirroredFiles(), try $0.mirroredNotes()) }
            let files: [FolderFile]
            let stamps: [String: String]
            do throws(SystemError) {
                (files, stamps) = try scan(known)
            } catch {
                throw NoteFolder.failure(folder.path, error)
            }
            let actions = engine.actions(known: known.map(\.file), files: files, notes: all).filter {
                !failed.contains($0.path ?? "")
            }
            report.held = nil
            let entries = Dictionary(known.map { ($0.file.path, $0.file) }) { first, _ in first }
            guard try await perform(actions, stamps, entries) else { return }
        }
    }

    /// Lists the files, and reads those that may have changed.
    private mutating func scan(
        _ known: [(file: MirroredFile, stamp: String)]
    ) throws(SystemError) -> ([FolderFile], [String: String]) {
        let old = Dictionary(known.map { ($0.file.path, $0.stamp) }) { first, _ in first }
        var files: [FolderFile] = []
        var stamps: [String: String] = [:]
        for entry in try folder.entries({ NoteFileName.isNote($0) }) {
            stamps[entry.path] = entry.stamp
            if old[entry.path] == entry.stamp {
                files.append(FolderFile(path: entry.path, content: .unchanged))
                continue
            }
            do throws(SystemError) {
                let bytes = try folder.read(entry.path, limit: Self.maximumFile)
                let hash = NoteFolder.hash(bytes)
                let file = MarkdownFile(bytes)
                files.append(
                    FolderFile(path: entry.path, content: file.map { .read(hash: hash, $0) } ?? .binary(hash: hash)))
            } catch {
                fail(entry.path, error)
                files.append(FolderFile(path: entry.path, content: .binary(hash: "")))
            }
        }
        return (files, stamps)
    }

    private mutating func fail(_ path: String, _ error: SystemError) {
        guard failed.insert(path).inserted else { return }
        report.problems.append("\(path): \(String(cString: strerror(error.code)))")
    }

    /// Takes the steps of a round.
    /// - Returns: whether there may be more to do.
    private mutating func perform(
        _ actions: [MirrorAction], _ stamps: [String: String], _ entries: [String: MirroredFile]
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
            guard let action = rest.popFirst() else { break }
            do {
                isDone = try await perform(action, stamps, entries) || isDone
            } catch let error as SystemError {
                fail(action.path ?? "", error)
            }
        }
        return isDone
    }

    private mutating func perform(
        _ action: MirrorAction, _ stamps: [String: String], _ entries: [String: MirroredFile]
    ) async throws -> Bool {
        switch action {
        case .take, .moved: break
        case .touch(let path):
            try await store { try $0.setMirrorStamp(stamps[path] ?? "", of: path) }
            return false
        case .forget(let path): try await store { try $0.forgetMirroredFile(path) }
        case .hold(let missing, let known):
            report.held = (missing, known)
            return false
        case .write(let path, let id, let expected): return try await write(id, to: path, replacing: expected)
        case .move(let path, let new, let id, let expected):
            guard var entry = entries[path], try folder.move(path, to: new, expecting: expected) else { return false }
            report.moved += 1
            entry.path = new
            if let note = try await notes.store.read({ try $0.mirroredNote(id)?.note }) { entry.folder = note.folder }
            let (moved, stamp) = (entry, folder.stamp(of: new) ?? "")
            try await store { transaction in
                try transaction.forgetMirroredFile(path)
                try transaction.setMirroredFile(moved, stamp: stamp)
            }
        case .trash(let id, let path):
            try await store { transaction in
                if let note = try transaction.note(id), note.deletedAt == nil {
                    try NoteRecord.kind.setDeleted(id, at: transaction.now, in: transaction)
                    try transaction.reindexNotes([id])
                    try transaction.emit(NotesEvents.deleted, note.summary)
                }
                try transaction.forgetMirroredFile(path)
            }
            report.trashed += 1
        case .remove(let path, let id, let expected):
            let isKnown = try await notes.store.read { try $0.note(id) != nil }
            // The file of a note that an undo took back is not hub's to remove, unless hub made it.
            if isKnown || entries[path]?.statedID == id {
                guard try folder.remove(path, expecting: expected) else { return false }
                report.removed += 1
            }
            try await store { try $0.forgetMirroredFile(path) }
        }
        return true
    }

    private func store(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
        try await notes.store.write(operation, body)
    }

    private mutating func write(_ id: String, to path: String, replacing expected: String?) async throws -> Bool {
        guard let (note, content, frontMatter) = try await notes.store.read({ try $0.mirroredNote(id) }) else {
            return false
        }
        let existing =
            expected == nil
            ? frontMatter.map { MarkdownFile(text: $0) }
            : MarkdownFile(try folder.read(path, limit: Self.maximumFile))
        let file = MarkdownFile.file(for: note, content: content, at: path, existing: existing)
        let bytes = Array(file.text.utf8)
        guard try folder.write(bytes, to: path, replacing: expected) else { return false }
        report.written += 1
        let written = MirroredFile(
            path: path, hash: NoteFolder.hash(bytes), note: id, version: note.version, title: note.title,
            folder: note.folder, tags: note.tags, isPinned: note.isPinned, statedID: file.frontMatter?[.id])
        let stamp = folder.stamp(of: path) ?? ""
        try await store { try $0.setMirroredFile(written, stamp: stamp) }
        return true
    }

    /// Brings changed files into their notes.
    private mutating func take(_ actions: [MirrorAction], _ stamps: [String: String]) async throws {
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

extension MirrorAction {
    /// What a file says of its note, in a step that takes it in.
    fileprivate var change: FileChange? {
        switch self {
        case .take(let change), .moved(_, let change): change
        default: nil
        }
    }

    /// The path of the file.
    fileprivate var path: String? {
        switch self {
        case .write(let path, _, _), .move(let path, _, _, _), .touch(let path), .trash(_, let path),
            .remove(let path, _, _), .forget(let path):
            path
        case .take(let change), .moved(_, let change): change.path
        case .hold: nil
        }
    }
}

extension Transaction {
    /// Brings a changed file into its note, or makes one of a new file.
    /// - Returns: what to record of the file.
    fileprivate func take(_ change: FileChange) throws -> MirroredFile {
        let person = Operation.Author.person.text
        guard let id = change.note, let note = try note(id) else {
            let id = try insertNote(folder: change.folder ?? "", isPinned: change.isPinned ?? false)
            try setTags(NoteTag.changed([], adding: change.addedTags), of: id)
            try changeTexts(of: id, by: person) { document, agent in
                try document.set(title: change.title ?? "", content: change.content, by: agent)
            }
            try reindexNotes([id])
            try emit(NotesEvents.created, NoteRecord.kind.item(id, in: self).summary)
            return change.recorded(note: id, written: try version(of: id))
        }
        // A change beats a deletion.
        if note.deletedAt != nil { try NoteRecord.kind.setDeleted(id, at: nil, in: self) }
        let base = try change.base ?? version(of: id)
        var written = base
        try changed(id) {
            try changeTexts(of: id, by: person) { document, agent in
                let merge = try document.merge(
                    title: change.title, content: change.content, base: base, by: agent)
                written = merge.written
                return merge.edits
            }
            let tags = NoteTag.changed(note.tags, adding: change.addedTags, removing: change.removedTags)
            try setTags(tags, of: id)
            if let folder = change.folder { try setFolder(NoteFileName.folder(folder), of: id) }
            if let isPinned = change.isPinned { try setPinned(isPinned, of: id) }
        }
        return change.recorded(note: id, written: written)
    }
}

/// Syncs the mirrored folder of the config while `hub serve` runs.
///
/// It looks at intervals; a watch of the folder may wake it earlier.
struct MirrorService: Service {
    /// The time between two looks at the folder.
    private static let interval = Duration.seconds(2)

    let notes: NotesPlugin

    func run() async throws {
        while true {
            if let path = notes.mirrorPath, let report = try await notes.syncMirror(path) {
                for problem in report.problems { notes.log.warning(problem) }
                if let held = report.held {
                    notes.log.warning("\(held.missing) of \(held.known) files are missing; no note was removed")
                }
            }
            try await notes.clock.sleep(for: Self.interval)
        }
    }
}
