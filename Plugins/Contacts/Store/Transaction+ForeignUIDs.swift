package import ContactsDomain
import SQLite
package import Storage
package import Sync
import Text

/// The `UID`s that servers give cards in place of those here. All are without `urn:uuid:`.
extension Transaction {
    /// Returns the `UID`s that the server of a book has for the cards that are named by `references`, or by theirs.
    ///
    /// One that another book has recorded, such as the same book before it was connected again, is taken as it is.
    package func foreignUIDs(of references: some Sequence<ByteString>, in book: String) throws -> ForeignUIDs {
        var found = ForeignUIDs()
        guard try hasForeignUIDs() else { return found }
        for uid in Set(references) {
            let ours = try row(
                "SELECT ours FROM contacts_uid WHERE theirs = ? ORDER BY book = ? DESC, is_current DESC LIMIT 1",
                uid.bytes, book
            ) { ByteString($0.blob(0)) }
            if let ours { found.add(uid, for: ours) }
            let theirs = try row(
                "SELECT theirs FROM contacts_uid WHERE book = ? AND ours = ? AND is_current", book, (ours ?? uid).bytes
            ) { ByteString($0.blob(0)) }
            if let theirs {
                found.set(theirs, for: ours ?? uid)
            } else if let ours, try !hasUID(uid, in: book) {
                found.set(uid, for: ours)
            }
        }
        return found
    }

    /// Whether the server of a book has, or had, this `UID` for a card.
    private func hasUID(_ theirs: ByteString, in book: String) throws -> Bool {
        try row("SELECT 1 FROM contacts_uid WHERE book = ? AND theirs = ?", book, theirs.bytes) { _ in true } ?? false
    }

    /// Whether any server gives cards `UID`s of its own.
    package func hasForeignUIDs() throws -> Bool {
        try row("SELECT EXISTS (SELECT 1 FROM contacts_uid)") { $0.bool(0) } ?? false
    }

    /// Whether the server of a book gives cards `UID`s of its own.
    package func hasForeignUIDs(in book: String) throws -> Bool {
        try row("SELECT EXISTS (SELECT 1 FROM contacts_uid WHERE book = ?)", book) { $0.bool(0) } ?? false
    }

    /// Returns the `UID`s here of a card that any server knows by the `UID` `theirs`.
    package func ownUIDs(of theirs: ByteString) throws -> [ByteString] {
        try rows("SELECT DISTINCT ours FROM contacts_uid WHERE theirs = ? AND is_current", theirs.bytes) {
            ByteString($0.blob(0))
        }
    }

    /// Records that the server of a book knows the card with the `UID` `ours` by the `UID` `theirs`.
    /// - Returns: whether references to it have to change there.
    package func noteUID(_ theirs: ByteString, of ours: ByteString, in book: String) throws -> Bool {
        if theirs == ours {
            guard try hasForeignUIDs(in: book) else { return false }
            try run("DELETE FROM contacts_uid WHERE book = ? AND theirs = ?", book, theirs.bytes)
            return try run(
                "UPDATE contacts_uid SET is_current = 0 WHERE book = ? AND ours = ? AND is_current", book, ours.bytes)
                > 0
        }
        let isKnown =
            try row(
                "SELECT 1 FROM contacts_uid WHERE book = ? AND theirs = ? AND ours = ? AND is_current", book,
                theirs.bytes, ours.bytes
            ) { _ in true } ?? false
        if isKnown { return false }
        try run("UPDATE contacts_uid SET is_current = 0 WHERE book = ? AND ours = ?", book, ours.bytes)
        try run(
            "INSERT OR REPLACE INTO contacts_uid (book, theirs, ours, is_current) VALUES (?, ?, ?, 1)", book,
            theirs.bytes, ours.bytes)
        return true
    }

    /// Returns the cards of the book whose references the server does not know by these `UID`s: of the contacts `ids`,
    /// or of all. Those in conflict, and those that cannot be read there, are left out.
    package func outdatedReferences(in book: String, of ids: [String]? = nil) throws -> [(
        id: String, entry: RemoteEntry
    )] {
        guard try hasForeignUIDs(in: book) else { return [] }
        let select = """
            SELECT l.contact, l.href, l.tag, l.theirs FROM contacts_link l
            JOIN contacts_contact c ON c.id = l.contact AND c.book = l.book AND c.deleted_at IS NULL
            WHERE l.book = ? AND l.tag <> '' AND l.unread IS NULL AND NOT EXISTS (
                SELECT 1 FROM contacts_conflict x WHERE x.contact = l.contact AND x.book = l.book)
            """
        func read(_ row: borrowing Row) -> (id: String, entry: RemoteEntry, card: Card) {
            (row.text(0), RemoteEntry(href: row.text(1), etag: row.text(2)), Card(row.blob(3)))
        }
        let found =
            if let ids {
                try ids.compactMap { try row("\(select) AND l.contact = ?", book, $0, body: read) }
            } else {
                try rows(
                    """
                    \(select) AND EXISTS (
                        SELECT 1 FROM contacts_entry e JOIN contacts_reference r ON r.number = e.number
                        WHERE e.id = l.contact)
                    """, book, body: read)
            }
        return try found.compactMap { id, entry, card in
            let references = card.details.references
            return try foreignUIDs(of: references, in: book).isOutdated(references) ? (id, entry) : nil
        }
    }

    /// Records the `UID`s of the cards of a book that was synced before they were recorded, at most `limit` of them
    /// after the path `start`.
    /// - Returns: the last path, nil at the end, and the `UID`s here of renamed cards by those of the server.
    package func learnUIDs(
        in book: String, after start: String, limit: Int
    ) throws -> (end: String?, renamed: [ByteString: ByteString]) {
        let isNew = try row("SELECT knows_uids IS NULL FROM contacts_book WHERE id = ?", book) { $0.bool(0) } ?? false
        guard isNew else { return (nil, [:]) }
        let cards = try rows(
            """
            SELECT l.href, l.theirs, c.card FROM contacts_link l LEFT JOIN contacts_contact c ON c.id = l.contact
            WHERE l.book = ? AND l.href > ? ORDER BY l.href LIMIT ?
            """, book, start, limit
        ) { ($0.text(0), Card($0.blob(1)).plainUID, $0.optionalBlob(2).flatMap { Card($0).plainUID }) }
        var renamed: [ByteString: ByteString] = [:]
        for case (_, let theirs?, let ours?) in cards where try noteUID(theirs, of: ours, in: book) {
            if theirs != ours { renamed[theirs] = ours }
        }
        if cards.count < limit { try run("UPDATE contacts_book SET knows_uids = 1 WHERE id = ?", book) }
        return (cards.count < limit ? nil : cards.last?.0, renamed)
    }
}
