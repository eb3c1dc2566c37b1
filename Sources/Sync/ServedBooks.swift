/// The address books of a plugin, for devices that see each by itself.
///
/// An item is in one book. What moves to another one keeps its identity and its history.
package protocol ServedBooks: Sendable {
    /// Returns the books, those first that clients take which take only one.
    func books() async throws -> [ServedBook]

    /// Makes a book; false if there is one with that word.
    func make(_ word: String, title: String, by author: ServedAuthor) async throws -> Bool

    /// Gives a book another title.
    func rename(_ word: String, to title: String, by author: ServedAuthor) async throws

    /// Removes a book; false if it has items.
    func remove(_ word: String, by author: ServedAuthor) async throws -> Bool

    /// Moves or copies an item.
    func move(_ move: ServedMove) async throws -> ServedMoveResult
}

/// One of the books.
package struct ServedBook: Sendable {
    /// The book's word in its address, which never changes.
    package let word: String
    /// The name that people see.
    package let title: String
    /// Whether devices can only read it.
    package let isReadOnly: Bool
    /// Whether it can be renamed, and removed when it is empty: it belongs to no account.
    package let isOwn: Bool
    /// The items.
    package let items: any ServedCollection

    package init(
        _ word: String, title: String, isReadOnly: Bool = false, isOwn: Bool = false, items: any ServedCollection
    ) {
        self.word = word
        self.title = title
        self.isReadOnly = isReadOnly
        self.isOwn = isOwn
        self.items = items
    }
}

/// The move or copy of an item to another name or book.
package struct ServedMove: Sendable {
    /// The word of the book and the name of the item.
    package var from: (book: String, name: String)
    /// The word of the other book, which may be the same, and the new name.
    package var to: (book: String, name: String)
    /// Whether the item also stays where it is.
    package var isCopy = false
    /// Whether an item that has the new name gives way, into the trash.
    package var overwrites = true
    /// The condition on the item.
    package var condition = ServedCondition.always
    /// The author.
    package var author: ServedAuthor

    package init(
        from: (book: String, name: String), to: (book: String, name: String), author: ServedAuthor
    ) {
        self.from = from
        self.to = to
        self.author = author
    }
}

/// The result of such a move.
package enum ServedMoveResult: Hashable, Sendable {
    /// The item at its new place, and whether there was none.
    case moved(ServedItem, isNew: Bool)
    /// There is no such item.
    case missing
    /// The condition does not hold, or something has the new name and does not give way.
    case refused
    /// Another item of the book has the same identity; its name.
    case sameUID(String)
}
