package import ContactsDomain
package import HubKit
import SQLite

/// The address books elsewhere, and how far each was synced. They have no history: a sync needs no undo of its own.
extension Transaction {
    /// All books, by account and name.
    package func books(of account: String? = nil) throws -> [Book] {
        try rows(
            "\(Book.select) WHERE ? IS NULL OR account = ? ORDER BY account, name, href", account, account,
            body: Book.init)
    }

    /// The book `id`.
    package func book(_ id: String) throws -> Book? {
        try row("\(Book.select) WHERE id = ?", id, body: Book.init)
    }

    /// The book of an account that was found first and takes contacts; books that come later never take its place.
    package func firstWritableBook(of account: String) throws -> Book? {
        try row("\(Book.select) WHERE account = ? AND NOT read_only ORDER BY rowid LIMIT 1", account, body: Book.init)
    }

    /// Remembers a book as its keeper describes it now, and answers with its id here.
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

    /// Forgets a book and all that was known of its sync; its contacts stay and are only here from now on.
    package func removeBook(_ id: String) throws {
        for table in ["link", "sending", "problem"] { try run("DELETE FROM contacts_\(table) WHERE book = ?", id) }
        try run("DELETE FROM contacts_book WHERE id = ?", id)
    }

    /// The ids of the books with a live contact that came from this source.
    package func booksWithContact(from source: Int) throws -> [String] {
        try rows(
            """
            SELECT DISTINCT book FROM contacts_contact WHERE source = ? AND deleted_at IS NULL AND book IS NOT NULL
            """, source
        ) { $0.text(0) }
    }

    /// How many live contacts a book has.
    package func contactCount(inBook id: String) throws -> Int {
        try row("SELECT count(*) FROM contacts_contact WHERE book = ? AND deleted_at IS NULL", id) { $0.int(0) } ?? 0
    }

    /// How far the book `id` was synced.
    package func syncPosition(of id: String) throws -> SyncPosition {
        try row("SELECT token, state FROM contacts_book WHERE id = ?", id) {
            SyncPosition(token: $0.optionalText(0), state: $0.optionalText(1))
        } ?? SyncPosition()
    }

    /// Keeps how far the book was synced; only after all of it was applied.
    package func setSyncPosition(of id: String, token: String?, state: String?) throws {
        try run("UPDATE contacts_book SET token = ?, state = ? WHERE id = ?", token, state, id)
    }

    /// Notes when the book was synced and why that failed; nil when it did not.
    package func setSyncResult(of id: String, problem: String?) throws {
        try run("UPDATE contacts_book SET synced_at = ?, result = ? WHERE id = ?", now.milliseconds, problem, id)
    }
}

/// How far a book was synced.
package struct SyncPosition: Hashable, Sendable {
    /// What to ask for changes with.
    package var token: String?
    /// The book's state then.
    package var state: String?

    package init(token: String? = nil, state: String? = nil) {
        self.token = token
        self.state = state
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
