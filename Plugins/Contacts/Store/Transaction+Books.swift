package import ContactsDomain
import SQLite
package import Storage
package import Sync

/// The remote address books and their sync state. These have no history, since a sync needs no undo of its own state.
extension Transaction {
    /// Returns all books, by account and name.
    package func books(of account: String? = nil) throws -> [Book] {
        try rows(
            "\(Book.select) WHERE ? IS NULL OR account = ? ORDER BY account, name, href", account, account,
            body: Book.init)
    }

    /// Returns the book `id`, of an account or of none.
    package func book(_ id: String) throws -> Book? {
        if Book.isLocalID(id) { return try localBooks().first { $0.id == id } }
        return try row("\(Book.select) WHERE id = ?", id, body: Book.init)
    }

    /// Returns the first writable book of an account; books that are added later do not replace it.
    package func firstWritableBook(of account: String) throws -> Book? {
        try row("\(Book.select) WHERE account = ? AND NOT read_only ORDER BY rowid LIMIT 1", account, body: Book.init)
    }

    /// Stores a book as its account describes it, and returns its local id.
    @discardableResult
    package func saveBook(_ book: RemoteBook, account: String) throws -> Book {
        try run(
            """
            INSERT INTO contacts_book (id, account, href, name, read_only, versions, maximum_size)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (account, href) DO UPDATE SET name = excluded.name, read_only = excluded.read_only,
                versions = excluded.versions, maximum_size = excluded.maximum_size
            """, Identifier.make(), account, book.href, book.name, book.isReadOnly,
            book.versions.sorted().joined(separator: " "), book.maximumCardSize)
        guard
            let saved = try row(
                "\(Book.select) WHERE account = ? AND href = ?", account, book.href, body: Book.init)
        else { throw HubError(.internal, code: "book-lost", "the book \(book.name) was not stored") }
        return saved
    }

    /// Forgets a book and its sync state; its contacts are kept, in no book.
    package func removeBook(_ id: String) throws {
        for table in ["link", "sending", "problem", "membership"] {
            try run("DELETE FROM contacts_\(table) WHERE book = ?", id)
        }
        try run("DELETE FROM contacts_book WHERE id = ?", id)
        try numberServed(ofBook: id)
    }

    /// Returns the ids of the books with a live contact of this source.
    package func booksWithContact(from source: Int) throws -> [String] {
        try rows(
            """
            SELECT DISTINCT book FROM contacts_contact WHERE source = ? AND deleted_at IS NULL AND book IS NOT NULL
            """, source
        ) { $0.text(0) }
    }

    /// Returns the number of live contacts of a book.
    package func contactCount(inBook id: String) throws -> Int {
        try row("SELECT count(*) FROM contacts_contact WHERE book = ? AND deleted_at IS NULL", id) { $0.int(0) } ?? 0
    }

    /// Returns the sync state of the book `id`.
    package func syncPosition(of id: String) throws -> SyncPosition {
        try row("SELECT token, state FROM contacts_book WHERE id = ?", id) {
            SyncPosition(token: $0.optionalText(0), state: $0.optionalText(1))
        } ?? SyncPosition(token: nil, state: nil)
    }

    /// Stores the sync state of a book; only after all changes are applied.
    package func setSyncPosition(of id: String, _ position: SyncPosition) throws {
        try run("UPDATE contacts_book SET token = ?, state = ? WHERE id = ?", position.token, position.state, id)
    }

    /// Stores the time of the last sync and its error; nil if it succeeded.
    package func setSyncResult(of id: String, problem: String?) throws {
        try run("UPDATE contacts_book SET synced_at = ?, result = ? WHERE id = ?", now.milliseconds, problem, id)
    }
}

/// The books of no account, which have history.
extension Transaction {
    /// Returns them in the order in which they were made.
    package func localBooks() throws -> [Book] {
        let found = try rows("SELECT id, word, name FROM contacts_local_book ORDER BY created_at, id") {
            (id: $0.text(0), word: $0.text(1), name: $0.text(2))
        }
        // Undo may bring back a book whose word another one has now.
        var words: Set<String> = []
        return found.map { id, word, name in
            Book(local: id, word: words.insert(word).inserted ? word : "\(word)-\(id.dropFirst(5))", name: name)
        }
    }

    /// Makes an empty book. Its id is that of another machine's book of this word, so that both are one.
    package func addLocalBook(word: String, name: String) throws -> Book {
        let id = Book.localStart + word
        // Those of a book of this word that was removed.
        for contact in try rows("SELECT id FROM contacts_contact WHERE book = ?", id, body: { $0.text(0) }) {
            try setBook(contact, nil)
        }
        try run(
            "INSERT INTO contacts_local_book (id, word, name, created_at) VALUES (?, ?, ?, ?)", id, word, name,
            now.milliseconds)
        return Book(local: id, word: word, name: name)
    }

    /// Gives a book another name.
    package func renameLocalBook(_ id: String, to name: String) throws {
        try run("UPDATE contacts_local_book SET name = ? WHERE id = ? AND name <> ?", name, id, name)
    }

    /// Removes a book; its contacts are kept, in no book.
    package func removeLocalBook(_ id: String) throws {
        try run("DELETE FROM contacts_local_book WHERE id = ?", id)
        try numberServed(ofBook: id)
    }
}

extension Book {
    fileprivate static let select = """
        SELECT id, account, href, name, read_only, versions, maximum_size, synced_at, result FROM contacts_book
        """

    fileprivate init(_ row: borrowing Row) {
        let remote = RemoteBook(
            href: row.text(2), name: row.text(3), isReadOnly: row.bool(4),
            versions: Set(row.text(5).split(separator: " ").map(String.init)), maximumCardSize: row.optionalInt(6))
        self.init(
            id: row.text(0), account: row.text(1), remote: remote, syncedAt: row.optionalInt(7).map(Int64.init),
            problem: row.optionalText(8))
    }
}
