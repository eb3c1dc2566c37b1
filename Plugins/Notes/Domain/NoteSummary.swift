package import Time

/// A note in lists: everything but its text.
package struct NoteSummary: Hashable, Sendable {
    /// The id of the note.
    package let id: String
    /// The title, or else the first line of the text.
    package let name: String
    /// The title alone; may be empty.
    package let title: String
    /// The folder; empty for the top one.
    package let folder: String
    /// The tags in the order given.
    package let tags: [String]
    /// Whether lists show the note first.
    package let isPinned: Bool
    /// The owner and the members.
    package let access: NoteAccess
    /// The number of bytes of the text.
    package let size: Int
    /// The revision.
    package let revision: Int
    /// The time of creation.
    package let createdAt: Instant
    /// The time of the last change.
    package let changedAt: Instant

    /// Creates the summary of a note.
    package init(_ note: NoteRecord) {
        id = note.id
        name = note.displayName
        title = note.title
        folder = note.folder
        tags = note.tags
        isPinned = note.isPinned
        access = note.access
        size = note.content.utf8.count
        revision = note.revision
        createdAt = note.createdAt
        changedAt = note.changedAt
    }

    /// Creates the summary of stored values.
    package init(
        id: String, name: String, title: String, folder: String, tags: [String], isPinned: Bool, access: NoteAccess,
        size: Int, revision: Int, createdAt: Instant, changedAt: Instant
    ) {
        self.id = id
        self.name = name
        self.title = title
        self.folder = folder
        self.tags = tags
        self.isPinned = isPinned
        self.access = access
        self.size = size
        self.revision = revision
        self.createdAt = createdAt
        self.changedAt = changedAt
    }
}

/// A note that a search found, with the part of its text that shows why.
package struct NoteHit: Hashable, Sendable {
    /// The note.
    package let note: NoteSummary
    /// The part of the text.
    package let snippet: SearchSnippet

    package init(note: NoteSummary, snippet: SearchSnippet) {
        self.note = note
        self.snippet = snippet
    }
}
