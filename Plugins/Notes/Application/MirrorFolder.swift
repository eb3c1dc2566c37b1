import Glibc
import HubKit
import NotesDomain
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
        if try await store.read({ try $0.mirror != path }) {
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
    /// The most files that are taken in or written within one transaction.
    private static let batch = 200
    /// The changes of notes after which ``Transaction/mirroredChange`` is worth a write; fewer are compared each time.
    private static let manyChanges = 100
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
    /// As ``Transaction/mirroredChange``, when a round begins.
    private var compared: Int?
    /// The notes of the steps of the last round, which may not be as that says.
    private var touched: Set<String> = []

    init(notes: NotesPlugin, folder: NoteFolder, engine: MirrorEngine) {
        self.notes = notes
        self.folder = folder
        self.engine = engine
    }

    mutating func run() async throws {
        try await finishWrites()
        let recorded = try await notes.store.read { try $0.mirroredChange }
        compared = recorded
        for _ in 0..<Self.maximumRounds {
            let (differences, paths, change) = try await look()
            report.held = nil
            guard compared == nil || !differences.isEmpty || !touched.isEmpty || !change.notes.isEmpty else { return }
            let files = read(differences.changed)
            let (known, all) = try await counterparts(of: files, differences.vanished, change.notes)
            let actions = engine.actions(
                known: known, files: files + unchanged(known, but: differences), notes: all,
                others: MirrorOthers(knownCount: differences.knownCount - known.count, paths: paths))
            let entries = Dictionary(known.map { ($0.path, $0) }) { first, _ in first }
            compared = change.last
            touched = Set(actions.compactMap { $0.note ?? entries[$0.path ?? ""]?.note })
            let isDone = try await perform(
                actions.filter { !failed.contains($0.path ?? "") }, differences.stamps, entries)
            if isDone { continue }
            if actions.allSatisfy(\.isTouch), recorded.map({ change.last - $0 > Self.manyChanges }) ?? true {
                // Only the speed of the next sync depends on it: a full disk must not make this one fail.
                try? await store { try $0.setMirroredChange(change.last) }
            }
            return
        }
    }

    /// Lists the files, and finds those and the notes that are to be compared.
    private func look() async throws -> (
        differences: FolderDifferences, paths: [String], change: (last: Int, notes: [String])
    ) {
        let listedAt = notes.clock.now
        let entries: [NoteFolder.Entry]
        do throws(SystemError) {
            entries = try folder.entries { NoteFileName.isNote($0) }
        } catch {
            throw NoteFolder.failure(folder.path, error)
        }
        let (differences, change) = try await notes.store.read { [compared] transaction in
            (
                try FolderDifferences(entries, listedAt: listedAt, in: transaction),
                (try transaction.latestChange(), try compared.map { try transaction.changedNotes(after: $0) } ?? [])
            )
        }
        return (differences, entries.map(\.path), change)
    }

    /// Reads files that may have changed.
    private mutating func read(_ entries: [NoteFolder.Entry]) -> [FolderFile] {
        entries.map { entry in
            do throws(SystemError) {
                let bytes = try folder.read(entry.path, limit: Self.maximumFile)
                let hash = NoteFolder.hash(bytes)
                let content = MarkdownFile(bytes).map { FolderFile.Content.read(hash: hash, $0) }
                return FolderFile(path: entry.path, content: content ?? .binary(hash: hash))
            } catch {
                fail(entry.path, error)
                return FolderFile(path: entry.path, content: .binary(hash: ""))
            }
        }
    }

    /// Returns what is recorded of files that have changed or are gone, and of files of changed notes, with all their
    /// notes: what is left out is as it was on both sides.
    private func counterparts(
        of files: [FolderFile], _ vanished: [String], _ changed: [String]
    ) async throws -> ([MirroredFile], [MirroredNote]) {
        guard compared != nil else {
            return try await notes.store.read { (try $0.mirroredFiles(), try $0.mirroredNotes()) }
        }
        let stated = files.compactMap { file in
            if case .read(_, let content) = file.content { content.frontMatter?[.id] } else { nil }
        }
        let paths = files.map(\.path) + vanished
        return try await notes.store.read { [touched] transaction in
            let files = try paths.compactMap { try transaction.mirroredFile(at: $0) }
            let ids = touched.union(changed).union(stated).union(files.map(\.note))
            let known = try ids.flatMap { try transaction.mirroredFiles(of: $0) }
            return (known, try transaction.mirroredNotes(ids))
        }
    }

    /// Returns those of the known files that are as they were.
    private func unchanged(_ known: [MirroredFile], but differences: FolderDifferences) -> [FolderFile] {
        let others = Set(differences.changed.map(\.path) + differences.vanished)
        return known.compactMap { others.contains($0.path) ? nil : FolderFile(path: $0.path, content: .unchanged) }
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
            let writes = rest.prefix(Self.batch).prefix { $0.write != nil }.compactMap(\.write)
            if !writes.isEmpty {
                rest = rest.dropFirst(writes.count)
                isDone = try await write(writes) || isDone
                continue
            }
            let touches = rest.prefix { $0.isTouch }
            if !touches.isEmpty {
                rest = rest.dropFirst(touches.count)
                try await touch(touches.compactMap(\.path), stamps)
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

    /// Records the stamps of files that were read and are as they were.
    private func touch(_ paths: [String], _ stamps: [String: String]) async throws {
        // Without a stamp, the next sync reads the file again anyway.
        let settled = paths.compactMap { path in stamps[path].flatMap { $0.isEmpty ? nil : (path: path, stamp: $0) } }
        guard !settled.isEmpty else { return }
        try await store { transaction in
            for file in settled { try transaction.setMirrorStamp(file.stamp, of: file.path) }
        }
    }

    private mutating func perform(
        _ action: MirrorAction, _ stamps: [String: String], _ entries: [String: MirroredFile]
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
            guard var entry = entries[path], try folder.move(path, to: new, expecting: expected) else { return false }
            report.moved += 1
            entry.path = new
            if let note = try await notes.store.read({ try $0.mirroredNote(id)?.note }) { entry.folder = note.folder }
            let moved = entry
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

    /// Writes files. What is about to be written is recorded first: a file of a process that ended then is not taken for one
    /// that an editor has saved.
    private mutating func write(_ writes: [MirrorWrite]) async throws -> Bool {
        let found = try await notes.store.read { transaction in
            try writes.compactMap { write in try transaction.mirroredNote(write.note).map { (write, $0) } }
        }
        var files: [(bytes: [UInt8], written: MirroredFile, expected: String?)] = []
        for (write, note) in found {
            do throws(SystemError) {
                let existing =
                    write.expected == nil
                    ? note.frontMatter.map { MarkdownFile(text: $0) }
                    : MarkdownFile(try folder.read(write.path, limit: Self.maximumFile))
                let (bytes, written) = Self.file(for: note, at: write.path, existing: existing)
                files.append((bytes, written, write.expected))
            } catch {
                fail(write.path, error)
            }
        }
        guard !files.isEmpty else { return false }
        try await store { [files] in try $0.startWrites(files.map(\.written)) }
        let new = files.filter { $0.expected == nil }
        var results = Array(zip(new, folder.write(new: new.map { ($0.written.path, $0.bytes) })))
        for file in files {
            guard let expected = file.expected else { continue }
            let result = Result { () throws(SystemError) in
                try folder.write(file.bytes, to: file.written.path, replacing: expected)
            }
            results.append((file, result))
        }
        var written: [MirroredFile] = []
        var ended: [String] = []
        for (file, result) in results {
            switch result {
            case .success(true): written.append(file.written)
            case .success(false): ended.append(file.written.path)
            // The file may have its new content all the same; the next run looks at it.
            case .failure(let error): fail(file.written.path, error)
            }
        }
        report.written += written.count
        ended += written.map(\.path)
        try await store { [written, ended] transaction in
            // Another program may change it at once, without a new time: the next sync reads it.
            for file in written { try transaction.setMirroredFile(file, stamp: "") }
            try transaction.endWrites(of: ended)
        }
        return !written.isEmpty
    }

    /// Records the files that a process had written when it ended, or when the disk failed.
    private mutating func finishWrites() async throws {
        let started = try await notes.store.read { try $0.startedWrites() }
        guard !started.isEmpty else { return }
        var files: [(file: MirroredFile, hash: String, content: MarkdownFile?)] = []
        var ended: [String] = []
        for file in started {
            do throws(SystemError) {
                let bytes = try folder.read(file.path, limit: Self.maximumFile)
                files.append((file, NoteFolder.hash(bytes), MarkdownFile(bytes)))
                ended.append(file.path)
            } catch  where error.code == ENOENT {
                ended.append(file.path)
            } catch {
                fail(file.path, error)
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
        for source: (note: MirroredNote, content: String, frontMatter: String?), at path: String,
        existing: MarkdownFile?
    ) -> (bytes: [UInt8], written: MirroredFile) {
        let (note, content) = (source.note, source.content)
        let file = MarkdownFile.file(for: note, content: content, at: path, existing: existing)
        let bytes = Array(file.text.utf8)
        let written = MirroredFile(
            path: path, hash: NoteFolder.hash(bytes), note: note.id, version: note.version, title: note.title,
            folder: note.folder, tags: note.tags, isPinned: note.isPinned, statedID: file.frontMatter?[.id])
        return (bytes, written)
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

/// A file that is to be written, the id of its note, and the hash of the file that it replaces; nil for a new one.
private typealias MirrorWrite = (path: String, note: String, expected: String?)

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
    /// Whether a file was more likely made of one that was about to be written than of the one before: whether it has more of its
    /// text.
    fileprivate func isBased(
        _ file: MarkdownFile?, on written: MirroredFile, ratherThan known: MirroredFile?
    ) throws -> Bool {
        guard let file, try note(written.note) != nil else { return false }
        // A file that hub makes has the id of its note.
        guard let known else { return written.statedID != nil && file.frontMatter?[.id] == written.statedID }
        guard known.note == written.note else { return false }
        let document = try document(of: written.note)
        func added(since version: NoteVersion) throws -> Int {
            TextDiff.edits(from: try document.content.text(at: version.content), to: file.content)
                .reduce(0) { $0 + $1.inserted.unicodeScalars.count }
        }
        return try added(since: written.version) < added(since: known.version)
    }

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

/// Syncs the mirrored folder of the config while `hub serve` runs: when files or notes have changed.
struct MirrorService: Service {
    /// The time between two looks while nothing is heard: changes by other machines on a network file system are not seen.
    private static let longPause = Duration.seconds(600)
    /// The time after which a change is looked at again where another process syncs.
    private static let shortPause = Duration.seconds(1)
    /// The longest rest after a sync.
    private static let longestRest = Duration.seconds(5)

    let notes: NotesPlugin

    /// Returns the time before the next sync, so that syncs take a tenth of a processor at most while someone types.
    static func rest(after sync: Duration) -> Duration { min(sync * 9, longestRest) }

    func run() async throws {
        guard let path = notes.mirrorPath else { return try await notes.clock.sleep(for: .seconds(86_400)) }
        let (notes, changes) = (notes, AsyncSignal())
        // Other processes tell this one of their changes.
        try? notes.accounts.registry.bus.listen()
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                for await _ in notes.watcher.changes(below: path, notice: { notes.log.warning($0) }) { changes.wake() }
            }
            let events = notes.accounts.registry.bus.changes(of: ["domain.notes/*"])
            group.addTask { for await _ in events { changes.wake() } }
            while true {
                let start = notes.clock.monotonicNow
                let report = try await notes.syncMirror(path)
                let rest = Self.rest(after: notes.clock.monotonicNow - start)
                for problem in report?.problems ?? [] { notes.log.warning(problem) }
                if let held = report?.held {
                    notes.log.warning("\(held.missing) of \(held.known) files are missing; no note was removed")
                }
                if rest > .zero { try await notes.clock.sleep(for: rest) }
                let until = notes.clock.now + (report == nil ? Self.shortPause : Self.longPause)
                guard await changes.wait(until: until, clock: notes.clock) else { throw CancellationError() }
            }
        }
    }
}
