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
        private let files: [String: FolderFile]
        private let notes: [String: MirroredNote]
        private let known: [MirroredFile]
        private let others: MirrorOthers
        /// The paths in use, as ``NoteFileName/key(_:)`` gives them.
        private lazy var taken = Set((Array(files.keys) + others.paths).map { NoteFileName.key($0) })
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
            if note.folder != entry.folder
                || (note.title != entry.title && NoteFileName.stem(note.title) != NoteFileName.stem(entry.title))
            {
                var others = taken
                others.remove(NoteFileName.key(entry.path))
                let path = NoteFileName.path(title: note.title, folder: note.folder, taken: others)
                if path != entry.path {
                    taken.insert(NoteFileName.key(path))
                    actions.append(.move(from: entry.path, to: path, note: note.id, expected: entry.hash))
                    return
                }
            }
            if note.version.content != entry.version.content || note.title != entry.title || note.tags != entry.tags
                || note.isPinned != entry.isPinned || entry.statedID ?? note.id != note.id
            {
                writes.append(.write(path: entry.path, note: note.id, expected: entry.hash))
            }
        }

        // MARK: Files that are new

        /// A new file may be a known one that was moved: by its id, by its bytes, or by a text that is nearly the same.
        mutating func pairNew() {
            var unpaired: [(file: FolderFile, hash: String, content: MarkdownFile)] = []
            var ids: [String: Int] = [:]
            var hashes: [String: [Int]] = [:]
            for (index, entry) in vanished.enumerated() {
                ids[entry.note] = index
                hashes[entry.hash, default: []].append(index)
            }
            var paired: Set<Int> = []
            for file in new {
                guard case .read(let hash, let content) = file.content else { continue }
                let id = content.frontMatter?[.id]
                let match =
                    id.flatMap { ids[$0] }.flatMap { paired.contains($0) ? nil : $0 }
                    ?? hashes[hash]?.first { !paired.contains($0) }
                if let match, let note = notes[vanished[match].note] {
                    paired.insert(match)
                    move(vanished[match], file.path, hash, content, note)
                } else {
                    unpaired.append((file, hash, content))
                }
            }
            vanished = vanished.enumerated().filter { !paired.contains($0.offset) }.map(\.element)
            for (file, hash, content) in unpaired {
                // A note whose file is not known is adopted; a copy of a file is a new note.
                let id = content.frontMatter?[.id]
                let note = id.flatMap { notes[$0] }.flatMap { placed.contains($0.id) || $0.isDeleted ? nil : $0 }
                if let note { placed.insert(note.id) }
                take(file.path, hash, content, nil, note)
            }
        }

        private mutating func move(
            _ entry: MirroredFile, _ path: String, _ hash: String, _ content: MarkdownFile, _ note: MirroredNote
        ) {
            placed.insert(note.id)
            actions.append(.moved(from: entry.path, FileChange(path, hash, content, entry, note)))
        }

        private mutating func take(
            _ path: String, _ hash: String, _ content: MarkdownFile, _ entry: MirroredFile?, _ note: MirroredNote?
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
                if note.version != entry.version || note.tags != entry.tags || note.folder != entry.folder {
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
                let path = NoteFileName.path(title: note.title, folder: note.folder, taken: taken)
                taken.insert(NoteFileName.key(path))
                actions.append(.write(path: path, note: note.id, expected: nil))
            }
        }
    }
}

extension MarkdownFile {
    /// Returns the file for a note: `existing` with the note's text, and with those of hub's own keys in the front matter that are
    /// there already, or are needed. Only a file that hub makes gets the id.
    package static func file(
        for note: MirroredNote, content: String, at path: String, existing: MarkdownFile?
    ) -> MarkdownFile {
        var file = existing ?? MarkdownFile(content: "")
        file.content = content
        file.update { matter in
            if existing == nil || matter[.id] != nil { matter.set(.id, note.id) }
            if matter[.title] != nil || NoteFileName.parts(path).title != note.title { matter.set(.title, note.title) }
            let known = matter.list(.tags) ?? []
            if known.map({ NoteTag.folded($0) }) != note.tags.map({ NoteTag.folded($0) }) {
                matter.set(.tags, note.tags)
            }
            if (matter[.isPinned] == "true") != note.isPinned { matter.set(.isPinned, note.isPinned ? "true" : nil) }
        }
        return file
    }
}
