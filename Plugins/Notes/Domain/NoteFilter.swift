package import Time

/// The notes that a list shows, and their order.
package struct NoteFilter: Hashable, Sendable {
    /// The order of a list.
    package enum Order: String, CaseIterable, Sendable {
        case changed, created, title
    }

    /// Words that all begin words of the title, a tag or the text.
    package var words: String
    /// Only notes that have all these tags.
    package var tags: [String] = []
    /// Only notes in this folder, and in folders below it.
    package var folder: String?
    /// Only notes that are locked or unlocked for this person.
    package var access: (filter: AccessFilter, reader: String)? {
        get { accessFilter.map { ($0, reader) } }
        set { (accessFilter, reader) = (newValue?.filter, newValue?.reader ?? "") }
    }
    /// Only notes that lists show first.
    package var isPinned = false
    /// Only notes with members besides the owner.
    package var isShared = false
    /// Only notes that everyone with their address can read.
    package var isPublished = false
    /// Only notes with links that lead nowhere.
    package var hasBrokenLinks = false
    /// Only notes changed from this time on.
    package var since: Instant?
    /// Only notes changed before this time.
    package var until: Instant?
    /// The order; the last change first by default.
    package var order = Order.changed
    /// Whether the order is reversed.
    package var isReversed = false
    /// Whether notes with the words in their title or tags come before those with the words in their text.
    package var prefersTitles = false

    private var accessFilter: AccessFilter?
    private var reader = ""

    package init(words: String = "") { self.words = words }

    /// Whether some notes may be left out.
    package var isFiltering: Bool {
        var all = NoteFilter()
        (all.order, all.isReversed, all.prefersTitles) = (order, isReversed, prefersTitles)
        return self != all
    }
}

/// What notes can be filtered by besides words, tags, folders and times.
package enum NoteListFilter: String, CaseIterable, Sendable {
    case pinned, shared, unlocked, locked, published, broken

    /// Narrows a filter for the person `name`.
    package func apply(to filter: inout NoteFilter, for name: String) {
        switch self {
        case .pinned: filter.isPinned = true
        case .shared: filter.isShared = true
        case .unlocked: filter.access = (.unlocked, name)
        case .locked: filter.access = (.locked, name)
        case .published: filter.isPublished = true
        case .broken: filter.hasBrokenLinks = true
        }
    }
}
