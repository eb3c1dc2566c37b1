package import Time

/// A stored note with its cached plain text, as lists and pages show it; ``NoteDocument`` has its history.
package struct NoteRecord: Hashable, Sendable {
    /// The id.
    package let id: String
    /// The title; may be empty.
    package var title: String
    /// The text, in Markdown; may be empty.
    package var content: String
    /// The folder below the top one, such as `work/ideas`; empty for the top one.
    package var folder: String
    /// The owner and the members.
    package var access: NoteAccess
    /// The tags in the order given, in their first spelling.
    package var tags: [String]
    /// Whether lists show the note first.
    package var isPinned: Bool
    /// The revision, which increases with every change; an edit names the one that it is based on.
    package var revision: Int
    /// The time of creation.
    package let createdAt: Instant
    /// The time of the last change.
    package var changedAt: Instant
    /// The time of the move to the trash; nil for a live note.
    package let deletedAt: Instant?

    package init(
        id: String, title: String, content: String, folder: String = "", access: NoteAccess, tags: [String] = [],
        isPinned: Bool = false, revision: Int, createdAt: Instant, changedAt: Instant, deletedAt: Instant? = nil
    ) {
        self.id = id
        self.title = title
        self.content = content
        self.folder = folder
        self.access = access
        self.tags = tags
        self.isPinned = isPinned
        self.revision = revision
        self.createdAt = createdAt
        self.changedAt = changedAt
        self.deletedAt = deletedAt
    }

    /// The name in lists: the title, or else the first line with text, without the marks of a heading.
    package var displayName: String { NoteRecord.displayName(title: title, content: content) }

    /// Whether the title and the name in lists are those of another state of the note.
    package func hasName(of other: NoteRecord) -> Bool {
        title == other.title
            && (content == other.content || title.contains(where: Self.isInName) || displayName == other.displayName)
    }

    /// Returns the name in lists of a note with this title and text.
    package static func displayName(title: String, content: String) -> String {
        if let name = name(in: Substring(title)) { return name }
        var rest = Substring(content.unicodeScalars.prefix(2000))
        while !rest.isEmpty {
            let line = rest.prefix { !$0.isNewline }
            if let name = name(in: line) { return name }
            rest = rest[line.endIndex...].dropFirst()
        }
        return "Untitled"
    }

    /// Whether a line with this character gives a name.
    private static func isInName(_ character: Character) -> Bool { character != "#" && !character.isWhitespace }

    private static func name(in line: Substring) -> String? {
        let words = line.drop { !isInName($0) }.prefix(120).split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Whether lists show `self` before `other`: pinned ones first, then what was changed last; ids decide ties.
    package func comes(before other: NoteRecord) -> Bool {
        if isPinned != other.isPinned { return isPinned }
        return changedAt == other.changedAt ? id < other.id : changedAt > other.changedAt
    }
}
