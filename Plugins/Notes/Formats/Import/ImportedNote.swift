import JSON
package import Text
package import Time

/// A note as it is read from and written to files of other programs.
package struct PortableNote: Hashable, Sendable {
    /// The identity across imports, such as `joplin:` and an id; empty when only its path says which it is.
    package var source: String
    /// The title.
    package var title: String
    /// The text in Markdown.
    package var content: String
    /// The folder; empty for the top one.
    package var folder: String
    /// The tags.
    package var tags: [String]
    /// Whether lists show it first.
    package var isPinned: Bool
    /// The time of creation; nil when it is not known.
    package var createdAt: Instant?
    /// The time of the last change; nil when it is not known.
    package var changedAt: Instant?
    /// The time when it was moved to the trash; nil for a live note.
    package var deletedAt: Instant?
    /// The files that its text shows or links to.
    package var attachments: [Attachment]
    /// What a Markdown file had before its text: the byte order mark, and the front matter with its fences. Nil without one.
    package var frontMatter: String?
    /// The name of its file without the end, if the title stands in the front matter; nil where the title is the name.
    package var stem: ByteString?

    package init(
        source: String, title: String, content: String, folder: String = "", tags: [String] = [],
        isPinned: Bool = false, createdAt: Instant? = nil, changedAt: Instant? = nil, deletedAt: Instant? = nil,
        attachments: [Attachment] = [], frontMatter: String? = nil, stem: ByteString? = nil
    ) {
        self.deletedAt = deletedAt
        self.stem = stem
        self.source = source
        self.title = title
        self.content = content
        self.folder = folder
        self.tags = tags
        self.isPinned = isPinned
        self.createdAt = createdAt
        self.changedAt = changedAt
        self.attachments = attachments
        self.frontMatter = frontMatter
    }
}

/// A problem with one part of an import; the rest is imported all the same.
package struct ImportProblem: Error, Hashable, Sendable {
    /// The file, or the place in an archive.
    package let file: String
    /// One sentence without a full stop.
    package let message: String

    init(_ file: ByteString, _ message: String) { self.init(file.description, message) }

    package init(_ file: String, _ message: String) {
        self.file = file
        self.message = message
    }
}

/// The result of an import.
package struct ImportedNotes: Sendable {
    /// The notes, in the order of the files.
    package var notes: [PortableNote] = []
    /// What could not be read.
    package var problems: [ImportProblem] = []
    /// What was left out, in sentences without a full stop.
    package var remarks: [String] = []

    package init() {}

    /// Reads a file of an export as JSON; nil if it is none, which is a problem then.
    mutating func json(in file: PortableFile, depth: Int = 16) -> JSONValue? {
        do {
            return try JSONReader.read(file.bytes, limits: .init(bytes: NoteFormat.maximumFile, depth: depth))
        } catch {
            problems.append(
                ImportProblem(file.path, "is not valid JSON: \(error.kind.reason) at byte \(error.offset)"))
            return nil
        }
    }
}

/// A file to import, or one that an export writes.
package struct PortableFile: Hashable, Sendable {
    /// The path below the folder or archive; the name of a single file.
    package var path: ByteString
    /// The content.
    package var content: FileContent

    /// Creates a file whose content is here.
    package init(_ path: ByteString, _ bytes: [UInt8]) { self.init(path, .bytes(bytes)) }

    package init(_ path: ByteString, _ content: FileContent) {
        self.path = path
        self.content = content
    }

    /// The bytes, if they are here.
    package var bytes: [UInt8] { content.bytes }
}
