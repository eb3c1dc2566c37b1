/// A file of a mirrored folder as it was when it and its note were last the same.
package struct MirroredFile: Hashable, Sendable {
    /// The path below the folder.
    package var path: String
    /// The hash of the file's bytes.
    package var hash: String
    /// The id of its note.
    package var note: String
    /// The version of the note that the file holds: the base of what an editor makes of it.
    package var version: NoteVersion
    /// The title of the note then.
    package var title: String
    /// The folder of the note then.
    package var folder: String
    /// The tags of the note then.
    package var tags: [String]
    /// Whether the note was pinned then.
    package var isPinned: Bool
    /// The id in a file that was taken in; in a copy it is that of another note, and is written again.
    package var statedID: String?

    package init(
        path: String, hash: String, note: String, version: NoteVersion, title: String, folder: String, tags: [String],
        isPinned: Bool = false, statedID: String? = nil
    ) {
        self.statedID = statedID
        self.path = path
        self.hash = hash
        self.note = note
        self.version = version
        self.title = title
        self.folder = folder
        self.tags = tags
        self.isPinned = isPinned
    }
}

/// A file of the folder as it is now.
package struct FolderFile: Hashable, Sendable {
    /// Whether it must be read.
    package enum Content: Hashable, Sendable {
        /// Size and times are those of the last time; it was not read.
        case unchanged
        /// It was read.
        case read(hash: String, MarkdownFile)
        /// It was read, and is not text.
        case binary(hash: String)
    }

    /// The path below the folder.
    package var path: String
    /// What is known of it.
    package var content: Content

    package init(path: String, content: Content) {
        self.path = path
        self.content = content
    }
}

/// A note as it is now.
package struct MirroredNote: Hashable, Sendable {
    /// The id.
    package var id: String
    /// The version.
    package var version: NoteVersion
    /// The title.
    package var title: String
    /// The folder.
    package var folder: String
    /// The tags.
    package var tags: [String]
    /// Whether lists show it first.
    package var isPinned: Bool
    /// Whether it is in the trash.
    package var isDeleted: Bool

    package init(
        id: String, version: NoteVersion, title: String, folder: String = "", tags: [String] = [],
        isPinned: Bool = false, isDeleted: Bool = false
    ) {
        self.id = id
        self.version = version
        self.title = title
        self.folder = folder
        self.tags = tags
        self.isPinned = isPinned
        self.isDeleted = isDeleted
    }
}

/// What a round must know of the files that it does not compare, since neither they nor their notes have changed.
package struct MirrorOthers: Sendable {
    /// The number of the known files among them.
    package var knownCount: Int
    /// Their paths; those of other files may be there too.
    package var paths: [String]

    package init(knownCount: Int = 0, paths: [String] = []) {
        self.knownCount = knownCount
        self.paths = paths
    }
}

/// A step by which folder and notes become the same. Steps are taken in their order; after each, the file is recorded: as its
/// note is when it was written, as ``FileChange/recorded(note:written:)`` says when it was taken in.
package enum MirrorAction: Hashable, Sendable {
    /// Write a note to a file. `expected` is the hash of the file to replace, nil where none may be; when the file is another,
    /// nothing is written, and the next round takes it in.
    case write(path: String, note: String, expected: String?)
    /// Move a file; nothing may be at `to`. Its record gets the path and the note's folder, and the next round writes what else
    /// has changed.
    case move(from: String, to: String, note: String, expected: String)
    /// Take in a file: merge its text and what its name and front matter say into a note, at the version that the file was
    /// made of; nil where it is not known. Without a note, make one.
    case take(FileChange)
    /// A known file has another path, by which title or folder of its note change.
    case moved(from: String, FileChange)
    /// The file is as known, but was not read with its new size and times: record these.
    case touch(path: String)
    /// The file was removed: move its note to the trash.
    case trash(note: String, path: String)
    /// The note was deleted: remove the file, if it has this hash.
    case remove(path: String, note: String, expected: String)
    /// File and note are both gone: forget the file.
    case forget(path: String)
    /// So many files are gone that this may be a mistake, such as a disk that is not mounted: nothing is deleted before the
    /// user says so.
    case hold(missing: Int, known: Int)
}

/// What a file says of its note.
package struct FileChange: Hashable, Sendable {
    /// The path of the file.
    package var path: String
    /// The hash of its bytes.
    package var hash: String
    /// The note; nil for a new one.
    package var note: String?
    /// The version that the text was made of; nil where it is not known.
    package var base: NoteVersion?
    /// The text.
    package var content: String
    /// The title; nil when the file says nothing new of it.
    package var title: String?
    /// The folder; nil when the file was not moved.
    package var folder: String?
    /// The tags to add and to remove.
    package var addedTags: [String]
    /// The tags to remove.
    package var removedTags: [String]
    /// Whether the note is pinned; nil when the file says nothing new of it.
    package var isPinned: Bool?
    /// What the file says now.
    private let said: (title: String, folder: String, tags: [String], isPinned: Bool, id: String?)

    init(_ path: String, _ hash: String, _ file: MarkdownFile, _ entry: MirroredFile?, _ note: MirroredNote?) {
        (self.path, self.hash, content) = (path, hash, file.content)
        (self.note, base) = (note?.id, entry?.version)
        let (name, folder) = NoteFileName.parts(path)
        let written = file.frontMatter?[.title]
        if let entry {
            let (oldName, oldFolder) = NoteFileName.parts(entry.path)
            // A title in the file counts; else the name, where it was changed.
            title = written.map { $0 == entry.title ? nil : $0 } ?? (name == oldName ? nil : name)
            self.folder = folder == oldFolder ? nil : folder
        } else {
            (title, self.folder) = (written ?? name, folder)
        }
        // A list that was taken out of the file is empty now.
        let old = entry?.tags ?? []
        let new = file.frontMatter?.list(.tags)?.compactMap { NoteTag.cleaned($0) } ?? []
        let (oldKeys, newKeys) = (Set(old.map { NoteTag.folded($0) }), Set(new.map { NoteTag.folded($0) }))
        addedTags = new.filter { !oldKeys.contains(NoteTag.folded($0)) }
        removedTags = old.filter { !newKeys.contains(NoteTag.folded($0)) }
        let isPinned = file.frontMatter?[.isPinned] == "true"
        self.isPinned = isPinned == entry?.isPinned ?? false ? nil : isPinned
        said = (
            title ?? entry?.title ?? name, self.folder ?? entry?.folder ?? folder, new, isPinned, file.frontMatter?[.id]
        )
    }

    /// Returns what to record of the file after its note has taken it in; `written` is the version that the file holds.
    package func recorded(note: String, written: NoteVersion) -> MirroredFile {
        MirroredFile(
            path: path, hash: hash, note: note, version: written, title: said.title, folder: said.folder,
            tags: said.tags, isPinned: said.isPinned, statedID: said.id)
    }

    /// Compares what is to be taken in.
    package static func == (a: FileChange, b: FileChange) -> Bool {
        a.path == b.path && a.hash == b.hash && a.note == b.note && a.base == b.base
    }

    /// Hashes what names the file.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(hash)
    }
}
