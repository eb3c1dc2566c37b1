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
    package func insertContact(_ id: String, _ card: Card, source: Int, origin: Int?) throws -> ContactRow {
        try run(
            """
            INSERT INTO contacts_contact (id, card, source, origin, revision, created_at, changed_at)
            VALUES (?, ?, ?, ?, 1, ?, ?)
            """, id, card.bytes, source, origin, now.milliseconds, now.milliseconds)
        return ContactRow(id: id, card: card, revision: 1, createdAt: now, changedAt: now, deletedAt: nil)
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
                deleted_at = NULL
            WHERE id = ?
            """, card.bytes, source, origin, now.milliseconds, id)
    }

    /// Moves the contact `id` to the trash, or with nil back from it.
    package func setDeleted(_ id: String, at moment: Instant?) throws {
        try run(
            "UPDATE contacts_contact SET deleted_at = ?, revision = revision + 1, changed_at = ? WHERE id = ?",
            moment?.milliseconds, now.milliseconds, id)
    }

    /// Destroys the contact `id` for good; its history is the caller's to forget.
    package func destroyContact(_ id: String) throws {
        try run("DELETE FROM contacts_contact WHERE id = ?", id)
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

    /// What an incoming card is compared with: the contact that came from the same source, a live one first.
    package func importedContact(from source: Int) throws -> ImportedContact? {
        // Chosen here: SQL would set up a sorter for each card of an import.
        let known = try rows(
            "SELECT id, origin, deleted_at IS NOT NULL FROM contacts_contact WHERE source = ? ORDER BY rowid", source
        ) { ImportedContact(id: $0.text(0), origin: $0.optionalInt(1), isTrashed: $0.bool(2)) }
        return known.first { !$0.isTrashed } ?? known.first
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
}

extension ContactRow {
    /// The columns that `init` reads.
    static let select = "SELECT id, card, revision, created_at, changed_at, deleted_at FROM contacts_contact"

    /// The contact in a row of `select`.
    init(_ row: borrowing Row) {
        id = row.text(0)
        card = Card(row.blob(1))
        revision = row.int(2)
        createdAt = Instant(milliseconds: Int64(row.int(3)))
        changedAt = Instant(milliseconds: Int64(row.int(4)))
        deletedAt = row.optionalInt(5).map { Instant(milliseconds: Int64($0)) }
    }
}
