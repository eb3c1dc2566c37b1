package import Text

/// A file of a mirrored folder as it was when it and its note were last the same.
package struct MirroredFile: Hashable, Sendable {
    /// The path below the folder.
    package var path: ByteString
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
        path: ByteString, hash: String, note: String, version: NoteVersion, title: String, folder: String,
        tags: [String],
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

    /// Returns what to record after the file was moved. A name that was the title may not be it any more: the next round then
    /// writes the title.
    package func moved(to path: ByteString, folder: String) -> MirroredFile {
        var moved = self
        (moved.path, moved.folder) = (path, folder)
        let name = NoteFileName.parts(path).title
        if NoteFileName.parts(self.path).title.hasSameBytes(as: title), !name.hasSameBytes(as: title) {
            moved.title = name
        }
        return moved
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
    package var path: ByteString
    /// What is known of it.
    package var content: Content

    package init(path: ByteString, content: Content) {
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
    /// The stem of the name that its file had last, if the title stood in the file; nil where the title is the name.
    package var stem: ByteString?
    /// Whether another machine has changed what is before the text in the file, and the file does not have it yet.
    package var hasNewHead: Bool

    package init(
        id: String, version: NoteVersion, title: String, folder: String = "", tags: [String] = [],
        isPinned: Bool = false, isDeleted: Bool = false, stem: ByteString? = nil, hasNewHead: Bool = false
    ) {
        self.hasNewHead = hasNewHead
        self.stem = stem
        self.id = id
        self.version = version
        self.title = title
        self.folder = folder
        self.tags = tags
        self.isPinned = isPinned
        self.isDeleted = isDeleted
    }
}

/// What a round must know besides the files and notes that it compares.
package struct MirrorOthers: Sendable {
    /// The number of the known files that are left out, since neither they nor their notes have changed.
    package var knownCount: Int
    /// Their paths; those of other files may be there too.
    package var paths: [ByteString]
    /// Files that were gone, so that the mirror moved their notes to the trash.
    package var trashed: [TrashedFile]
    /// The texts of notes, by their ids, for files that are gone: a new file with nearly the same text is one of them.
    package var texts: [String: String]

    package init(
        knownCount: Int = 0, paths: [ByteString] = [], trashed: [TrashedFile] = [], texts: [String: String] = [:]
    ) {
        self.knownCount = knownCount
        self.paths = paths
        self.trashed = trashed
        self.texts = texts
    }
}

/// A file whose note the mirror has moved to the trash, where it still is.
package struct TrashedFile: Sendable {
    /// The file as it was.
    package var file: MirroredFile
    /// Whether that was so short a time ago that it may have been in the course of a save.
    package var isRecent: Bool

    package init(_ file: MirroredFile, isRecent: Bool) {
        self.file = file
        self.isRecent = isRecent
    }
}

/// A step by which folder and notes become the same. Steps are taken in their order; after each, the file is recorded: as its
/// note is when it was written, as ``FileChange/recorded(note:written:)`` says when it was taken in.
package enum MirrorAction: Hashable, Sendable {
    /// Write a note to a file. `expected` is the hash of the file to replace, nil where none may be; when the file is another,
    /// nothing is written, and the next round takes it in.
    case write(path: ByteString, note: String, expected: String?)
    /// Move a file; nothing may be at `to`. Its record gets the path and the note's folder, and the next round writes what else
    /// has changed.
    case move(from: ByteString, to: ByteString, note: String, expected: String)
    /// Take in a file: merge its text and what its name and front matter say into a note, at the version that the file was
    /// made of; nil where it is not known. Without a note, make one.
    case take(FileChange)
    /// A known file has another path, by which title or folder of its note change.
    case moved(from: ByteString, FileChange)
    /// The file is as known, but was not read with its new size and times: record these.
    case touch(path: ByteString)
    /// The file was removed: move its note to the trash.
    case trash(note: String, path: ByteString)
    /// The note was deleted: remove the file, if it has this hash.
    case remove(path: ByteString, note: String, expected: String)
    /// File and note are both gone: forget the file.
    case forget(path: ByteString)
    /// So many files are gone that this may be a mistake, such as a disk that is not mounted: nothing is deleted before the
    /// user says so.
    case hold(missing: Int, known: Int)
}

/// What a file says of its note.
package struct FileChange: Hashable, Sendable {
    /// The path of the file.
    package var path: ByteString
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
    /// What the file has before its text.
    package let head: String
    /// What the file says now.
    private let said: (title: String, folder: String, tags: [String], isPinned: Bool, id: String?)

    /// What a file changes that was made elsewhere: `base` is what its writer had of the note, nil where that is not known.
    package init(
        _ path: ByteString, hash: String, _ file: MarkdownFile, base: MirroredFile?, note: MirroredNote?
    ) { self.init(path, hash, file, base, note) }

    init(_ path: ByteString, _ hash: String, _ file: MarkdownFile, _ entry: MirroredFile?, _ note: MirroredNote?) {
        (self.path, self.hash, content, head) = (path, hash, file.content, file.head)
        (self.note, base) = (note?.id, entry?.version)
        let (name, folder) = NoteFileName.parts(path)
        let written = file.frontMatter?[.title]
        if let entry {
            // A title in the file counts, else the name; what cannot be read says nothing.
            let says = written ?? name
            let isReadable = file.frontMatter?.isReadable(.title) ?? true
            title = !isReadable || says.hasSameBytes(as: entry.title) ? nil : says
            self.folder = folder.hasSameBytes(as: NoteFileName.parts(entry.path).folder) ? nil : folder
        } else {
            (title, self.folder) = (written ?? name, folder)
        }
        // A list that was taken out of the file is empty now; one that cannot be read says nothing.
        let old = entry?.tags ?? []
        let isReadable = file.frontMatter?.isReadable(.tags) ?? true
        let new = isReadable ? file.frontMatter?.list(.tags)?.compactMap { NoteTag.cleaned($0) } ?? [] : old
        let (oldKeys, newKeys) = (Set(old.map { NoteTag.folded($0) }), Set(new.map { NoteTag.folded($0) }))
        addedTags = new.filter { !oldKeys.contains(NoteTag.folded($0)) }
        removedTags = old.filter { !newKeys.contains(NoteTag.folded($0)) }
        let isPinned =
            file.frontMatter?.isReadable(.isPinned) ?? true
            ? file.frontMatter?.isPinned ?? false : entry?.isPinned ?? false
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
