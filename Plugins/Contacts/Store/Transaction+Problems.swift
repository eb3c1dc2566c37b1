import SQLite
package import Storage

/// The problems of contacts and cards in the last sync of their book. They have no history.
extension Transaction {
    /// Returns the problems of a book, or with nil of all books, oldest first.
    package func syncProblems(of book: String? = nil) throws -> [StoredProblem] {
        try rows(
            """
            SELECT book, item, contact, code, reason, revision, since FROM contacts_problem
            WHERE ?1 IS NULL OR book = ?1 ORDER BY since, item
            """, book
        ) { row in
            StoredProblem(
                book: row.text(0), item: row.text(1), contact: row.optionalText(2), code: row.text(3),
                reason: row.text(4), revision: row.optionalInt(5), since: Instant(milliseconds: Int64(row.int(6))))
        }
    }

    /// Stores the problems of a sync of a book. With `isWhole` everything was checked, so all other problems are
    /// solved, unless a remote card is still skipped.
    /// - Returns: the items with a new problem or another reason.
    package func saveProblems(_ found: [StoredProblem], of book: String, isWhole: Bool) throws -> Set<String> {
        let known = Dictionary(try syncProblems(of: book).map { ($0.item, $0) }) { $1 }
        let items = Set(found.map(\.item))
        if isWhole {
            for item in known.keys where !items.contains(item) {
                let isHeld = try row(
                    "SELECT 1 FROM contacts_link WHERE book = ? AND href = ? AND contact IS NULL", book, item
                ) { _ in true }
                if isHeld != true { try run("DELETE FROM contacts_problem WHERE book = ? AND item = ?", book, item) }
            }
        }
        var news: Set<String> = []
        for problem in found {
            let old = known[problem.item]
            if old?.code != problem.code || old?.contact != problem.contact { news.insert(problem.item) }
            try run(
                """
                INSERT OR REPLACE INTO contacts_problem (book, item, contact, code, reason, revision, since)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, book, problem.item, problem.contact, problem.code, problem.reason, problem.revision,
                (news.contains(problem.item) ? now : old?.since ?? now).milliseconds)
        }
        return news
    }

    /// Removes the problem of the card at a path.
    package func dropProblem(at href: String, in book: String) throws {
        try run("DELETE FROM contacts_problem WHERE book = ? AND item = ?", book, href)
    }
}

/// The problem of one item of a book.
package struct StoredProblem: Hashable, Sendable {
    /// The id of the book.
    package let book: String
    /// The id of the contact, or the path of a card without one.
    package let item: String
    /// The contact; nil for a card that exists only on the remote side.
    package let contact: String?
    /// The error code.
    package let code: String
    /// The reason in one sentence.
    package let reason: String
    /// The contact's revision at that time.
    package let revision: Int?
    /// The time when it was found.
    package let since: Instant

    package init(
        book: String, item: String, contact: String?, code: String, reason: String, revision: Int?, since: Instant
    ) {
        self.book = book
        self.item = item
        self.contact = contact
        self.code = code
        self.reason = reason
        self.revision = revision
        self.since = since
    }
}
