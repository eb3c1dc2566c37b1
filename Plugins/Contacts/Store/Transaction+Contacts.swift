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

    /// Gives the contact `id` another card. With the first change the card is kept as it was imported.
    package func updateContact(_ id: String, card: Card) throws {
        try run(
            """
            UPDATE contacts_contact SET card = ?, revision = revision + 1, changed_at = ?,
                imported = CASE WHEN origin IS NULL THEN imported ELSE coalesce(imported, card) END
            WHERE id = ?
            """, card.bytes, now.milliseconds, id)
    }

    /// Gives the contact `id` the card that an import made of it, and takes it out of the trash.
    ///
    /// `imported` is the card of the file where it is another one, `origin` the content hash of that, `origins` those of the
    /// states imported before.
    package func updateContact(
        _ id: String, importing card: Card, source: Int, origin: Int, imported: Card?, origins: ImportedOrigins
    ) throws {
        try run(
            """
            UPDATE contacts_contact SET card = ?, source = ?, origin = ?, imported = ?, origins = ?,
                revision = revision + 1, changed_at = ?, deleted_at = NULL, merged_into = NULL
            WHERE id = ?
            """, card.bytes, source, origin, imported?.bytes, origins.bytes, now.milliseconds, id)
    }

    /// Remembers what was imported for the contact `id`, whose card stays as it is.
    package func noteImport(_ id: String, origin: Int, imported: Card?, origins: ImportedOrigins) throws {
        try run(
            "UPDATE contacts_contact SET origin = ?, imported = ?, origins = ? WHERE id = ?", origin, imported?.bytes,
            origins.bytes, id)
    }

    /// Remembers a state that is older than what was imported last for the contact `id`. `origins` ends with the latter.
    package func noteOlderImport(_ id: String, origins: ImportedOrigins, adding origin: Int) throws {
        let older = ImportedOrigins(origins.hashes.dropLast() + [origin])
        try run("UPDATE contacts_contact SET origins = ? WHERE id = ?", older.bytes, id)
    }

    /// The card of the contact `id` as it was imported last; nil when that is not known.
    package func importedCard(of id: String) throws -> Card? {
        let stored = try row("SELECT coalesce(imported, card), origin FROM contacts_contact WHERE id = ?", id) {
            (card: Card($0.blob(0)), origin: $0.optionalInt(1))
        }
        // A card that was edited before states were kept is no state that was imported.
        guard let stored, let origin = stored.origin, CardSource.contentHash(of: stored.card) == origin else { return nil }
        return stored.card
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
            SELECT id, origin, deleted_at IS NOT NULL, merged_into, origins FROM contacts_contact WHERE source = ?
            ORDER BY rowid
            """, source
        ) { row in
            ImportedContact(
                id: row.text(0), origin: row.optionalInt(1), isTrashed: row.bool(2), mergedInto: row.optionalText(3),
                origins: ImportedOrigins(bytes: row.optionalBlob(4) ?? []))
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
    /// The content hashes of the states that were imported before `origin`.
    package var origins = ImportedOrigins()

    /// Whether the state with this content hash was imported before.
    package func hasImported(_ content: Int) -> Bool { origin == content || origins.hashes.contains(content) }

    /// The states imported before, when another one is imported now.
    package var earlierOrigins: ImportedOrigins { origin.map(origins.adding) ?? origins }
}

/// The content hashes of the latest states of a contact that were imported, the oldest first.
package struct ImportedOrigins: Hashable, Sendable {
    /// How many states are remembered.
    private static let maximumCount = 256

    /// The hashes.
    package let hashes: [Int]

    package init(_ hashes: [Int] = []) { self.hashes = hashes.suffix(ImportedOrigins.maximumCount) }

    /// Reads eight bytes for each, the most significant first.
    package init(bytes: [UInt8]) {
        self.init(
            stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
                Int(bitPattern: bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt($1) })
            })
    }

    /// What `init(bytes:)` reads; nil when there is none.
    package var bytes: [UInt8]? {
        if hashes.isEmpty { return nil }
        return hashes.flatMap { hash in (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) } }
    }

    /// The same with `hash` as the latest.
    package func adding(_ hash: Int) -> ImportedOrigins { ImportedOrigins(hashes.filter { $0 != hash } + [hash]) }
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
