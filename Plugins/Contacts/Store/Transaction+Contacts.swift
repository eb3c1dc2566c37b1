package import ContactsDomain
package import HubKit
import SQLite

/// The facts: contacts as cards.
extension Transaction {
    /// The contact `id`, live or in the trash; nil when there is none.
    package func contact(_ id: String) throws -> ContactRow? {
        try row("\(ContactRow.select) WHERE id = ?", id, body: ContactRow.init)
    }

    /// Stores a new contact made of `card` and returns it; its derived rows are not made yet.
    ///
    /// `book` is the address book that it belongs to; nil is the one that is only here.
    package func insertContact(
        _ id: String, _ card: Card, source: Int, origin: Int?, book: String? = nil
    ) throws -> ContactRow {
        try run(
            """
            INSERT INTO contacts_contact (id, card, source, origin, revision, created_at, changed_at, book)
            VALUES (?, ?, ?, ?, 1, ?, ?, ?)
            """, id, card.bytes, source, origin, now.milliseconds, now.milliseconds, book)
        return ContactRow(
            id: id, card: card, revision: 1, createdAt: now, changedAt: now, deletedAt: nil, mergedInto: nil, book: book
        )
    }

    /// Gives the contact `id` another card.
    package func updateContact(_ id: String, card: Card) throws {
        try run(
            "UPDATE contacts_contact SET card = ?, revision = revision + 1, changed_at = ? WHERE id = ?", card.bytes,
            now.milliseconds, id)
    }

    /// Gives the contact `id` a card that came from outside, and takes it out of the trash.
    package func updateContact(_ id: String, importing card: Card, source: Int, origin: Int) throws {
        try run(
            """
            UPDATE contacts_contact SET card = ?, source = ?, origin = ?, revision = revision + 1, changed_at = ?,
                deleted_at = NULL, merged_into = NULL
            WHERE id = ?
            """, card.bytes, source, origin, now.milliseconds, id)
    }

    /// Moves the contact `id` to the trash, or with nil back from it; `survivor` is the contact that took it over.
    package func setDeleted(_ id: String, at moment: Instant?, mergedInto survivor: String? = nil) throws {
        try run(
            """
            UPDATE contacts_contact SET deleted_at = ?, merged_into = ?, revision = revision + 1, changed_at = ?
            WHERE id = ?
            """, moment?.milliseconds, survivor, now.milliseconds, id)
    }

    /// Moves the contact `id` to another address book; nil is the one that is only here.
    package func setBook(_ id: String, _ book: String?) throws {
        try run(
            "UPDATE contacts_contact SET book = ?, revision = revision + 1, changed_at = ? WHERE id = ?", book,
            now.milliseconds, id)
    }

    /// Destroys the contact `id` for good; its history is the caller's to forget.
    package func destroyContact(_ id: String) throws {
        try run("DELETE FROM contacts_conflict WHERE contact = ?", id)
        try run("DELETE FROM contacts_sending WHERE contact = ?", id)
        try run("DELETE FROM contacts_problem WHERE contact = ?", id)
        try run("DELETE FROM contacts_contact WHERE id = ?", id)
        try run("DELETE FROM contacts_apart WHERE first = ?1 OR second = ?1", id)
        try run("DELETE FROM contacts_use WHERE id = ?", id)
    }

    /// What is in the trash, the newest first, at most `limit`; with `before`, only what has been there since before
    /// that moment.
    package func trashedContacts(before moment: Instant? = nil, limit: Int? = nil) throws -> [ContactRow] {
        try rows(
            """
            \(ContactRow.select) WHERE deleted_at IS NOT NULL AND deleted_at < ?
            ORDER BY deleted_at DESC, rowid DESC LIMIT ?
            """, moment?.milliseconds ?? Int64.max, limit ?? -1, body: ContactRow.init)
    }

    /// The ids of live contacts that begin with `prefix`, in order, at most `limit`.
    package func contactIDs(beginningWith prefix: String, limit: Int) throws -> [String] {
        // `~` sorts behind every letter of an id.
        try rows(
            """
            SELECT id FROM contacts_contact WHERE id >= ? AND id < ? AND deleted_at IS NULL ORDER BY id LIMIT ?
            """, prefix, prefix + "~", limit
        ) { $0.text(0) }
    }

    /// How many characters the id `id` needs to be told from all others, those in the trash too.
    package func shortIDLength(_ id: String) throws -> Int {
        let before = try row("SELECT max(id) FROM contacts_contact WHERE id < ?", id) { $0.optionalText(0) }
        let after = try row("SELECT min(id) FROM contacts_contact WHERE id > ?", id) { $0.optionalText(0) }
        return ShortIDs.shorten(id, before: before ?? nil, after: after ?? nil)
    }

    /// What an incoming card is compared with: the contact that came from the same source, a live one first, and behind
    /// it one that took over the contact of this source. `hasMerged` false says that no contact took over any.
    package func importedContact(from source: Int, hasMerged: Bool = true) throws -> ImportedContact? {
        // Chosen here, and below in the order of the key: SQL would set up a sorter for each card of an import.
        let known = try rows(
            """
            SELECT id, origin, deleted_at IS NOT NULL, merged_into FROM contacts_contact WHERE source = ? ORDER BY rowid
            """, source
        ) { row in
            ImportedContact(
                id: row.text(0), origin: row.optionalInt(1), isTrashed: row.bool(2), mergedInto: row.optionalText(3))
        }
        if let live = known.first(where: { !$0.isTrashed }) { return live }
        guard hasMerged else { return known.first }
        let survivor = try row(
            """
            SELECT e.id, a.content FROM contacts_alias a JOIN contacts_entry e ON e.number = a.number
            WHERE a.source = ? ORDER BY a.number LIMIT 1
            """, source
        ) { row in
            ImportedContact(id: row.text(0), origin: row.optionalInt(1), isTrashed: false, mergedInto: row.text(0))
        }
        return survivor ?? known.first
    }
}

extension Transaction {
    /// Whether there is a contact that took over another one.
    package func hasMergedContacts() throws -> Bool {
        try row("SELECT EXISTS (SELECT 1 FROM contacts_alias)") { $0.bool(0) } ?? false
    }
}

/// A contact that an incoming card may be a new version of.
package struct ImportedContact: Sendable {
    /// The contact's id.
    package let id: String
    /// The content hash of the card as it last came from outside; nil when it never did.
    package let origin: Int?
    /// Whether it is in the trash.
    package let isTrashed: Bool
    /// The contact that took it over; that contact's own id when only the survivor is left.
    package let mergedInto: String?
}

extension ContactRow {
    /// The columns that `init` reads.
    static let columns = "id, card, revision, created_at, changed_at, deleted_at, merged_into, book"
    /// The same where the table is called `name`.
    static func columns(of name: String) -> String {
        columns.split(separator: ", ").map { "\(name).\($0)" }.joined(separator: ", ")
    }
    /// Reads them from all contacts.
    static let select = "SELECT \(columns) FROM contacts_contact"

    /// The contact in a row of `select`.
    init(_ row: borrowing Row) {
        id = row.text(0)
        card = Card(row.blob(1))
        revision = row.int(2)
        createdAt = Instant(milliseconds: Int64(row.int(3)))
        changedAt = Instant(milliseconds: Int64(row.int(4)))
        deletedAt = row.optionalInt(5).map { Instant(milliseconds: Int64($0)) }
        mergedInto = row.optionalText(6)
        book = row.optionalText(7)
    }
}
