package import HubKit
import SQLite

/// Why contacts and cards are not synced, as the last sync of their book found it. It has no history.
extension Transaction {
    /// What is not synced in a book, or with nil in all books, the oldest first.
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

    /// Keeps what a sync of a book found. With `isWhole` it looked at everything, so whatever it did not name is settled,
    /// unless a card of theirs is still left alone.
    /// - Returns: the items that were not known, or for another reason.
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
}

/// Why one item of a book is not synced.
package struct StoredProblem: Hashable, Sendable {
    /// The book's id.
    package let book: String
    /// The contact's id, or the place of a card that belongs to none.
    package let item: String
    /// The contact; nil for a card that is only on the other side.
    package let contact: String?
    /// The kind of the reason, for programs.
    package let code: String
    /// The reason in one sentence.
    package let reason: String
    /// The contact's revision at that time.
    package let revision: Int?
    /// Since when it is so.
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
