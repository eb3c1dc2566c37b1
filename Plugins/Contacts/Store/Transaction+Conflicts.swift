package import ContactsDomain
import SQLite
package import Storage

/// Open conflicts. They are recorded: undo of a decision reopens the conflict.
extension Transaction {
    /// Returns all open conflicts, oldest first.
    package func conflicts() throws -> [ConflictRow] {
        try rows("\(ConflictRow.select) ORDER BY x.since, x.contact", body: ConflictRow.init)
    }

    /// Returns the open conflict of a contact, the oldest if it has several.
    package func conflict(of contact: String, in book: String? = nil) throws -> ConflictRow? {
        try row(
            "\(ConflictRow.select) AND x.contact = ? AND (? IS NULL OR x.book = ?) ORDER BY x.since", contact, book,
            book, body: ConflictRow.init)
    }

    /// Stores a conflict; of an open one only the remote card is updated.
    package func saveConflict(
        of contact: String, in book: String, theirs: Card, base: Card?, changedHere: Instant
    ) throws {
        try run(
            """
            INSERT INTO contacts_conflict (contact, book, since, changed_here, theirs, base) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (contact, book) DO UPDATE SET theirs = excluded.theirs
            """, contact, book, now.milliseconds, changedHere.milliseconds, theirs.bytes, base?.bytes)
    }

    /// Moves the conflict of a contact to another book, where its card was moved.
    package func moveConflict(of contact: String, from old: String, to book: String) throws {
        try run("UPDATE contacts_conflict SET book = ? WHERE contact = ? AND book = ?", book, contact, old)
    }

    /// Closes the conflict of a contact.
    package func closeConflict(of contact: String, in book: String) throws {
        try run("DELETE FROM contacts_conflict WHERE contact = ? AND book = ?", contact, book)
    }
}

/// An open conflict as stored.
package struct ConflictRow: Sendable {
    /// The id of the contact.
    package let contact: String
    /// The id of the remote book.
    package let book: String
    /// The name of the book's account.
    package let account: String
    /// The time when it was found.
    package let since: Instant
    /// The time of the local change before the conflict was found.
    package let changedHere: Instant
    /// The remote card.
    package let theirs: Card
    /// The remote card when both sides were last equal; empty if they never were.
    package let base: Card

    fileprivate static let select = """
        SELECT x.contact, x.book, b.account, x.since, x.changed_here, x.theirs, x.base
        FROM contacts_conflict x JOIN contacts_book b ON b.id = x.book
        JOIN contacts_contact c ON c.id = x.contact AND c.deleted_at IS NULL WHERE c.book = x.book
        """

    fileprivate init(_ row: borrowing Row) {
        contact = row.text(0)
        book = row.text(1)
        account = row.text(2)
        since = Instant(milliseconds: Int64(row.int(3)))
        changedHere = Instant(milliseconds: Int64(row.int(4)))
        theirs = Card(row.blob(5))
        base = row.optionalBlob(6).map { Card($0) } ?? Card("BEGIN:VCARD\r\nVERSION:3.0\r\nEND:VCARD\r\n")
    }
}
