import SQLite
import Storage

/// A small plugin for the tests of the store: books with chapters, and a derived table of titles in upper case.
enum Shelf {
    static let schema = PluginSchema(
        owner: "shelf",
        migrations: [
            Migration(
                "books",
                """
                CREATE TABLE shelf_book (
                    id TEXT NOT NULL PRIMARY KEY, title TEXT NOT NULL CONSTRAINT title_blank CHECK (title <> ''),
                    pages INTEGER) STRICT;
                CREATE TABLE shelf_chapter (
                    book TEXT NOT NULL REFERENCES shelf_book ON DELETE CASCADE, number INTEGER NOT NULL,
                    heading TEXT NOT NULL, PRIMARY KEY (book, number)) STRICT, WITHOUT ROWID;
                CREATE TABLE shelf_loan (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    book TEXT REFERENCES shelf_book ON DELETE SET NULL, reader TEXT NOT NULL) STRICT;
                CREATE TABLE shelf_title (book TEXT NOT NULL PRIMARY KEY, title TEXT NOT NULL) STRICT;
                CREATE VIRTUAL TABLE shelf_search USING fts5 (title);
                """)
        ],
        recorded: [
            RecordedTable("shelf_book", subject: "id"), RecordedTable("shelf_chapter", subject: "book"),
            RecordedTable("shelf_loan", subject: "reader"),
        ],
        reindex: { subjects, transaction in try transaction.reindex(subjects) },
        announce: { _, transaction in transaction.afterCommit("domain.shelf/book-changed") })

    /// A new database in memory that knows the plugin, and its store.
    static func inMemory(_ executors: Database.Executors = .queues) -> (Database, Store) {
        let database = Database(at: .memory, plugins: [schema], clock: SystemClock(), executors: executors)
        return (database, database.store(for: "shelf"))
    }

    /// A database in `folder`, and its store.
    static func open(_ folder: String, _ executors: Database.Executors = .queues) -> (Database, Store) {
        let database = Database(at: .directory(folder), plugins: [schema], clock: SystemClock(), executors: executors)
        return (database, database.store(for: "shelf"))
    }
}

/// The content of the shelf, for comparisons.
struct Contents: Hashable, Sendable {
    var books: [String: [String]] = [:]
    var chapters: [String] = []
    var titles: [String: String] = [:]
}

extension Transaction {
    func save(_ id: String, _ title: String, pages: Int? = nil) throws {
        try run(
            """
            INSERT INTO shelf_book VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET title = excluded.title, pages = excluded.pages
            """, id, title, pages)
        try reindex([id])
    }

    func addChapter(_ book: String, _ number: Int, _ heading: String) throws {
        try run("INSERT INTO shelf_chapter VALUES (?, ?, ?)", book, number, heading)
    }

    func remove(_ id: String) throws {
        try run("DELETE FROM shelf_book WHERE id = ?", id)
        try reindex([id])
    }

    func reindex(_ ids: [String]) throws {
        for id in ids {
            try run("DELETE FROM shelf_title WHERE book = ?", id)
            try run("INSERT INTO shelf_title SELECT id, upper(title) FROM shelf_book WHERE id = ?", id)
        }
    }

    func contents() throws -> Contents {
        var contents = Contents()
        for (id, fields) in try rows(
            "SELECT id, title, pages FROM shelf_book",
            body: { row in
                (row.text(0), [row.text(1), row.optionalText(2) ?? "-"])
            })
        { contents.books[id] = fields }
        contents.chapters = try rows("SELECT book, number, heading FROM shelf_chapter ORDER BY 1, 2") {
            "\($0.text(0)) \($0.int(1)) \($0.text(2))"
        }
        for (id, title) in try rows("SELECT book, title FROM shelf_title", body: { ($0.text(0), $0.text(1)) }) {
            contents.titles[id] = title
        }
        return contents
    }
}

extension Store {
    func contents() async throws -> Contents { try await read { try $0.contents() } }

    func titles() async throws -> [String] { try await contents().books.sorted { $0.key < $1.key }.map { $0.value[0] } }
}
