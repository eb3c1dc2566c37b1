package import Text

/// Decides how a folder of Markdown files and the notes become the same: known files, files now and notes now in, actions out.
///
/// A file that was changed is merged at the version that it was made of, so a change on both sides needs no decision and
/// leaves no copy. One round takes files in before it writes; rounds are repeated until there is nothing to do.
package struct MirrorEngine: Sendable {
    /// The files that may vanish at once without a question, unless it is more than a quarter of all.
    package static let harmlessCount = 10

    /// Whether the user has said that many missing files are meant.
    package var allowsMassDeletion: Bool

    package init(allowsMassDeletion: Bool = false) { self.allowsMassDeletion = allowsMassDeletion }

    /// Returns the actions of a round; empty when folder and notes are the same.
    ///
    /// Files and notes that are as they were may be left out, with what is known of them; `others` counts them. The note
    /// whose id is in a file that was read, and its own file, must not be left out.
    package func actions(
        known: [MirroredFile], files: [FolderFile], notes: [MirroredNote], others: MirrorOthers = MirrorOthers()
    ) -> [MirrorAction] {
        var round = Round(known: known, files: files, notes: notes, others: others)
        round.compareKnown()
        round.pairNew()
        round.handleVanished(allowsMassDeletion)
        round.writeMissing()
        return round.actions
    }

    private struct Round {
        private let files: [ByteString: FolderFile]
        private let notes: [String: MirroredNote]
        private let known: [MirroredFile]
        private let others: MirrorOthers
        /// How many files use a path, as ``NoteFileName/key(_:)`` gives it.
        private lazy var taken: [String: Int] = {
            let paths = Array(files.keys) + others.paths.filter { files[$0] == nil }
            return paths.reduce(into: [:]) { $0[NoteFileName.key($1), default: 0] += 1 }
        }()
        private var vanished: [MirroredFile] = []
        private var new: [FolderFile] = []
        /// Notes that have a file, or get one in this round.
        private var placed: Set<String> = []
        private(set) var actions: [MirrorAction] = []
        private var writes: [MirrorAction] = []

        init(known: [MirroredFile], files: [FolderFile], notes: [MirroredNote], others: MirrorOthers) {
            self.others = others
            self.known = known.sorted { $0.path < $1.path }
            self.files = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
            self.notes = Dictionary(notes.map { ($0.id, $0) }) { first, _ in first }
            let paths = Set(known.map(\.path))
            new = files.filter { !paths.contains($0.path) }.sorted { $0.path < $1.path }
        }

        // MARK: Files that are where they were

        mutating func compareKnown() {
            for entry in known {
                guard let file = files[entry.path] else {
                    vanished.append(entry)
                    continue
                }
                placed.insert(entry.note)
                guard let note = notes[entry.note] else {
                    // The note was deleted for good; a changed file is a new one.
                    if case .read(let hash, let content) = file.content, hash != entry.hash {
                        take(file.path, hash, content, nil, nil)
                    } else {
                        actions.append(.remove(path: entry.path, note: entry.note, expected: entry.hash))
                    }
                    continue
                }
                switch file.content {
                case .read(let hash, let content) where hash != entry.hash:
                    // A change beats a deletion.
                    take(file.path, hash, content, entry, note)
                case .binary(let hash) where hash != entry.hash: break
                case .read, .binary:
                    actions.append(.touch(path: entry.path))
                    update(entry, note)
                case .unchanged: update(entry, note)
                }
            }
        }

        /// The file is as it was; the note may not be.
        private mutating func update(_ entry: MirroredFile, _ note: MirroredNote) {
            if note.isDeleted {
                actions.append(.remove(path: entry.path, note: note.id, expected: entry.hash))
                return
            }
            if let path = newPath(of: entry, note) {
                taken[NoteFileName.key(path), default: 0] += 1
                actions.append(.move(from: entry.path, to: path, note: note.id, expected: entry.hash))
                return
            }
            if note.version.content != entry.version.content || !note.title.hasSameBytes(as: entry.title)
                || note.tags != entry.tags || note.isPinned != entry.isPinned || entry.statedID ?? note.id != note.id
                || note.hasNewHead
            {
                writes.append(.write(path: entry.path, note: note.id, expected: entry.hash))
            }
        }

        /// Returns where the file of a note goes whose title or folder has changed; nil if it stays.
        private mutating func newPath(of entry: MirroredFile, _ note: MirroredNote) -> ByteString? {
            let isMoved = !note.folder.hasSameBytes(as: entry.folder)
            let isRenamed = !NoteFileName.stem(note.title).hasSameBytes(as: NoteFileName.stem(entry.title))
            guard isMoved || isRenamed else { return nil }
            // A name that another program has given stays with a title that stays.
            let old = NoteFileName.stem(of: entry.path)
            let stem =
                isRenamed || NoteFileName.isStem(old, of: note.title) ? ByteString(NoteFileName.stem(note.title)) : old
            let folder = isMoved ? ByteString(NoteFileName.folder(note.folder)) : entry.path.parent
            let own = NoteFileName.key(entry.path)
            let path = NoteFileName.path(stem: stem, in: folder) { key in
                taken[key, default: 0] > (key == own ? 1 : 0)
            }
            return path == entry.path ? nil : path
        }

        // MARK: Files that are new

        /// A new file may be a known one that was moved or saved under a new name, or one that was gone for a while.
        mutating func pairNew() {
            let found = new.compactMap { file -> NewFile? in
                guard case .read(let hash, let content) = file.content else { return nil }
                return NewFile(path: file.path, hash: hash, content: content)
            }
            guard !found.isEmpty else { return }
            let trashed = others.trashed.filter {
                notes[$0.file.note]?.isDeleted == true && !placed.contains($0.file.note)
            }
            let candidates =
                vanished.compactMap { notes[$0.note] == nil ? nil : FilePairing.Candidate($0, .gone) }
                + trashed.map { FilePairing.Candidate($0.file, $0.isRecent ? .trashedLately : .trashed) }
            var pairing = FilePairing(candidates, texts: others.texts)
            pairing.pair(found)
            var gone: Set<ByteString> = []
            for (file, match) in zip(found, pairing.matches) {
                guard let match, let note = notes[match.entry.note] else {
                    // A note whose file is not known is adopted; a copy of a file is a new note.
                    let note = file.id.flatMap { notes[$0] }.flatMap {
                        placed.contains($0.id) || $0.isDeleted || pairing.isPaired($0.id) ? nil : $0
                    }
                    if let note { placed.insert(note.id) }
                    take(file.path, file.hash, file.content, nil, note)
                    continue
                }
                placed.insert(note.id)
                let change = FileChange(file.path, file.hash, file.content, match.entry, note)
                if match.state == .gone {
                    gone.insert(match.entry.path)
                    actions.append(.moved(from: match.entry.path, change))
                } else {
                    actions.append(.take(change))
                }
            }
            vanished.removeAll { gone.contains($0.path) }
        }

        private mutating func take(
            _ path: ByteString, _ hash: String, _ content: MarkdownFile, _ entry: MirroredFile?, _ note: MirroredNote?
        ) {
            actions.append(.take(FileChange(path, hash, content, entry, note)))
        }

        // MARK: Files that are gone

        mutating func handleVanished(_ allowsMassDeletion: Bool) {
            var deleted: [MirroredFile] = []
            for entry in vanished {
                guard let note = notes[entry.note], !note.isDeleted else {
                    actions.append(.forget(path: entry.path))
                    continue
                }
                // A change beats a deletion: the note gets a file again.
                if note.version != entry.version || note.tags != entry.tags || note.hasNewHead
                    || !note.folder.hasSameBytes(as: entry.folder)
                {
                    actions.append(.forget(path: entry.path))
                } else {
                    deleted.append(entry)
                    placed.insert(note.id)
                }
            }
            let count = known.count + others.knownCount
            let limit = max(MirrorEngine.harmlessCount, count / 4)
            let isEmptied = count > 1 && deleted.count == count
            if !allowsMassDeletion, deleted.count > limit || isEmptied {
                actions.append(.hold(missing: deleted.count, known: count))
            } else {
                actions += deleted.map { .trash(note: $0.note, path: $0.path) }
            }
        }

        // MARK: Notes without a file

        mutating func writeMissing() {
            actions += writes
            let missing = notes.values.filter { !$0.isDeleted && !placed.contains($0.id) }
            for note in missing.sorted(by: { $0.id < $1.id }) {
                let path = NoteFileName.path(
                    stem: note.stem ?? ByteString(NoteFileName.stem(note.title)),
                    in: ByteString(NoteFileName.folder(note.folder))
                ) { taken[$0, default: 0] > 0 }
                taken[NoteFileName.key(path), default: 0] += 1
                actions.append(.write(path: path, note: note.id, expected: nil))
            }
        }
    }
}

extension MarkdownFile {
    /// Returns the file for a note: `existing` with the note's text, and with those of hub's own keys in the front matter that are
    /// there already, or are needed. Only a file that hub makes gets the id.
    package static func file(
        for note: MirroredNote, content: String, at path: ByteString, existing: MarkdownFile?
    ) -> MarkdownFile {
        var file = existing ?? MarkdownFile(content: "")
        file.content = content
        file.update { matter in
            if existing == nil || matter[.id] != nil { matter.set(.id, note.id) }
            matter.update(title: note.title, tags: note.tags, isPinned: note.isPinned, at: path)
        }
        return file
    }
}

extension FrontMatter {
    /// Writes what a note has, with as few changes as possible: the title only where the name of the file at `path` is not it.
    mutating func update(title: String, tags: [String], isPinned: Bool, at path: ByteString) {
        if self[.title] != nil || !NoteFileName.parts(path).title.hasSameBytes(as: title) { set(.title, title) }
        let known = NoteTag.changed([], adding: list(.tags) ?? [])
        if known.map({ NoteTag.folded($0) }) != tags.map({ NoteTag.folded($0) }) { set(.tags, tags) }
        if self.isPinned != isPinned { set(.isPinned, isPinned ? "true" : nil) }
    }
}
