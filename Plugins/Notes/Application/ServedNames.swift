import NotesDomain
import Storage
import Sync
import Synchronization

/// The names of the files as which devices see notes, kept in memory: a device that asks for one note after the other must not cost a look
/// at all notes each time. Only what has changed since the last look is read.
///
/// What a transaction that writes sees is not kept: neither its own changes nor those of others that are committed with it may last, and what is
/// written instead would get their numbers.
final class ServedNames: Sendable {
    /// A note as a device finds it.
    struct Place: Sendable {
        /// The note.
        let id: String
        /// Its title.
        let title: String
        /// The name of its file.
        let name: String
    }

    private let state = Mutex(State())

    /// Calls `body` with what `transaction` sees.
    private func with<T>(_ transaction: Transaction, _ body: (inout State) throws -> T) throws -> T {
        try state.withLock { state in
            if transaction.operation == nil {
                try state.refresh(from: transaction)
                return try body(&state)
            }
            var seen = state
            try seen.refresh(from: transaction)
            return try body(&seen)
        }
    }

    /// Returns the files of the notes of a folder; `read` makes those that are not known.
    func files(
        in folder: String, _ transaction: Transaction, read: (Place) throws -> ServedFile?
    ) throws -> [ServedFile] {
        // What a file has before its text changes without a change of the note.
        let heads = try transaction.noteHeads(in: folder)
        let (found, change) = try with(transaction) { state in
            let found = state.places(in: ByteString(folder)).map { place -> (place: Place, file: ServedFile?) in
                guard let known = state.notes[place.id]?.file, known.file.name.hasSameBytes(as: place.name),
                    known.head == heads[place.id]
                else { return (place, nil) }
                return (place, known.file)
            }
            return (found, state.change)
        }
        var (files, new): ([ServedFile], [ServedFile]) = ([], [])
        for (place, known) in found {
            guard let file = try known ?? read(place) else { continue }
            files.append(file)
            if known == nil { new.append(file) }
        }
        // Another transaction may have seen what is newer.
        if try !new.isEmpty && transaction.operation == nil && transaction.latestChange() == change {
            state.withLock { state in
                guard state.change == change else { return }
                for file in new { state.notes[file.id]?.file = KnownFile(file: file, head: heads[file.id]) }
            }
        }
        return files
    }

    /// Returns the note at a path; its name may be written in another Unicode form, or be the title itself.
    func place(at path: [String], _ transaction: Transaction) throws -> Place? {
        guard let name = path.last else { return nil }
        let folder = ByteString(path.dropLast().joined(separator: "/"))
        return try with(transaction) { $0.place(named: name, in: folder) }
    }

    /// Returns the name of the file of a note; nil for one in the trash.
    func name(of id: String, _ transaction: Transaction) throws -> String? {
        try with(transaction) { $0.name(of: id) }
    }

    /// Whether there are notes in a folder, or in one within it.
    func hasNotes(in folder: String, _ transaction: Transaction) throws -> Bool {
        let (folder, start) = (ByteString(folder), ByteString(folder.isEmpty ? "" : folder + "/"))
        return try with(transaction) { state in
            state.folders.contains { !$1.ids.isEmpty && ($0 == folder || $0.hasPrefix(start)) }
        }
    }

    /// Returns the folders that notes are in, without the top one.
    func folders(_ transaction: Transaction) throws -> [String] {
        try with(transaction) { state in
            state.folders.compactMap { $1.ids.isEmpty || $0.isEmpty ? nil : $0.repairedText }
        }
    }
}

extension ServedNames {
    private struct Note {
        let heading: NoteHeading
        /// Its file when it was listed last.
        var file: KnownFile?
    }

    private struct KnownFile {
        let file: ServedFile
        /// What it has before its text.
        let head: ByteString?
    }

    private struct Folder {
        /// The notes in the order in which they were made.
        var ids: [String] = []
        /// What they are called; nil after a change that may give several of them other names.
        var names: Names?
    }

    private struct Names {
        var places: [Place] = []
        var byBytes: [ByteString: Int] = [:]
        var byText: [String: Int] = [:]
        var byTitle: [String: Int] = [:]
        var sequence = FileNameSequence()

        mutating func append(_ note: NoteHeading) {
            let place = Place(id: note.id, title: note.title, name: sequence.next(note.fileStem))
            let index = places.count
            places.append(place)
            byBytes[ByteString(place.name)] = byBytes[ByteString(place.name)] ?? index
            byText[place.name] = byText[place.name] ?? index
            byTitle[place.title] = byTitle[place.title] ?? index
        }
    }

    private struct State {
        var replica = ""
        /// The last change that is known.
        var change = -1
        var notes: [String: Note] = [:]
        var folders: [ByteString: Folder] = [:]

        /// Reads what has changed. A transaction that began before another one, which was here first, has nothing to tell.
        mutating func refresh(from transaction: Transaction) throws {
            let (replica, latest) = (try transaction.replica(), try transaction.latestChange())
            if replica != self.replica { self = State(replica: replica) }
            guard latest > change else { return }
            // What was deleted for good may have come back.
            for id in try transaction.purgedNotes(after: change) { remove(id) }
            for note in try transaction.noteHeadings(after: change) { take(note) }
            change = latest
        }

        private mutating func take(_ note: NoteHeading) {
            if let old = notes[note.id], !note.isDeleted, old.heading.place == note.place, old.heading.isNamedAs(note) {
                notes[note.id] = Note(heading: note)
                return
            }
            remove(note.id)
            if note.isDeleted { return }
            notes[note.id] = Note(heading: note)
            let index = self.index(of: note.place, in: note.folder)
            if index == folders[note.folder]?.ids.count {
                folders[note.folder]?.names?.append(note)
            } else {
                folders[note.folder]?.names = nil
            }
            folders[note.folder, default: Folder()].ids.insert(note.id, at: index)
        }

        private mutating func remove(_ id: String) {
            guard let note = notes.removeValue(forKey: id)?.heading else { return }
            // The note itself is not among those that are compared with.
            guard let ids = folders[note.folder]?.ids, let index = ids.firstIndex(of: id) else { return }
            folders[note.folder]?.ids.remove(at: index)
            folders[note.folder]?.names = nil
        }

        /// The index of the first note of a folder that was made later.
        private func index(of place: Int, in folder: ByteString) -> Int {
            guard let ids = folders[folder]?.ids else { return 0 }
            var (low, high) = (0, ids.count)
            while low < high {
                let middle = (low + high) / 2
                if let other = notes[ids[middle]]?.heading.place, other > place {
                    high = middle
                } else {
                    low = middle + 1
                }
            }
            return low
        }

        private mutating func nameFiles(of folder: ByteString) {
            guard let known = folders[folder], known.names == nil else { return }
            var names = Names()
            for id in known.ids { if let note = notes[id]?.heading { names.append(note) } }
            folders[folder]?.names = names
        }

        mutating func places(in folder: ByteString) -> [Place] {
            nameFiles(of: folder)
            return folders[folder]?.names?.places ?? []
        }

        mutating func place(named name: String, in folder: ByteString) -> Place? {
            nameFiles(of: folder)
            guard let names = folders[folder]?.names else { return nil }
            let title = name.utf8.suffix(3).elementsEqual(".md".utf8) ? String(name.dropLast(3)) : nil
            let index = names.byBytes[ByteString(name)] ?? names.byText[name] ?? title.flatMap { names.byTitle[$0] }
            return index.map { names.places[$0] }
        }

        mutating func name(of id: String) -> String? {
            guard let folder = notes[id]?.heading.folder else { return nil }
            nameFiles(of: folder)
            return folders[folder]?.names?.places.last { $0.id == id }?.name
        }
    }
}
