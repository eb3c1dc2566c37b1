package import ContactsDomain
import SQLite
package import Storage

/// The contacts with their cards.
extension Transaction {
    /// Returns the contact `id`, live or in the trash; nil if it does not exist.
    package func contact(_ id: String) throws -> Contact? {
        try row("\(Contact.select) WHERE id = ?", id, body: Contact.init)
    }

    /// Stores a new contact with `card` and returns it, without index rows.
    ///
    /// `book` is its address book; nil for none.
    package func insertContact(
        _ id: String, _ card: Card, source: Int, origin: Int?, book: String? = nil
    ) throws -> Contact {
        try run(
            """
            INSERT INTO contacts_contact (id, card, source, origin, revision, created_at, changed_at, book)
            VALUES (?, ?, ?, ?, 1, ?, ?, ?)
            """, id, card.bytes, source, origin, now.milliseconds, now.milliseconds, book)
        return Contact(
            id: id, card: card, revision: 1, createdAt: now, changedAt: now, book: book)
    }

    /// Sets the card of the contact `id`. With the first change the imported card is stored.
    package func updateContact(_ id: String, card: Card) throws {
        try run(
            """
            UPDATE contacts_contact SET card = ?, revision = revision + 1, changed_at = ?,
                imported = CASE WHEN origin IS NULL THEN imported ELSE coalesce(imported, card) END
            WHERE id = ?
            """, card.bytes, now.milliseconds, id)
    }

    /// Sets the card of the contact `id` to the result of an import, and takes it out of the trash.
    ///
    /// `imported` is the card of the file if it differs, `origin` its content hash, `origins` those of the states
    /// imported before.
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

    /// Records what was imported for the contact `id`, whose card is not changed.
    package func noteImport(_ id: String, origin: Int, imported: Card?, origins: ImportedOrigins) throws {
        try run(
            "UPDATE contacts_contact SET origin = ?, imported = ?, origins = ? WHERE id = ?", origin, imported?.bytes,
            origins.bytes, id)
    }

    /// Records a state that is older than the last import of the contact `id`. `origins` ends with the latter.
    package func noteOlderImport(_ id: String, origins: ImportedOrigins, adding origin: Int) throws {
        let older = ImportedOrigins(origins.hashes.dropLast() + [origin])
        try run("UPDATE contacts_contact SET origins = ? WHERE id = ?", older.bytes, id)
    }

    /// Returns the card of the contact `id` as last imported; nil if unknown.
    package func importedCard(of id: String) throws -> Card? {
        let stored = try row("SELECT coalesce(imported, card), origin FROM contacts_contact WHERE id = ?", id) {
            (card: Card($0.blob(0)), origin: $0.optionalInt(1))
        }
        // A card that was edited before states were recorded is not an imported state.
        guard let stored, let origin = stored.origin, CardSource.contentHash(of: stored.card) == origin else {
            return nil
        }
        return stored.card
    }

    /// Moves the contact `id` to the trash, or with nil out of it; `survivor` is the contact that it was merged into.
    package func setDeleted(_ id: String, at moment: Instant?, mergedInto survivor: String? = nil) throws {
        try run(
            """
            UPDATE contacts_contact SET deleted_at = ?, merged_into = ?, revision = revision + 1, changed_at = ?
            WHERE id = ?
            """, moment?.milliseconds, survivor, now.milliseconds, id)
    }

    /// Returns the contacts whose cards name one of `uids` (without `urn:uuid:`), such as groups, each once.
    package func referringContacts(to uids: Set<ByteString>) throws -> [String] {
        var found: Set<String> = []
        for uid in uids {
            found.formUnion(
                try rows(
                    """
                    SELECT e.id FROM contacts_reference r JOIN contacts_entry e ON e.number = r.number WHERE r.uid = ?
                    """, uid.bytes
                ) { $0.text(0) })
        }
        return found.sorted()
    }

    /// Removes the link from the contact `id` to the one that it was merged into.
    package func clearMerged(_ id: String) throws {
        try run("UPDATE contacts_contact SET merged_into = NULL WHERE id = ?", id)
    }

    /// Moves the contact `id` to another address book; nil for none.
    package func setBook(_ id: String, _ book: String?) throws {
        try run(
            "UPDATE contacts_contact SET book = ?, revision = revision + 1, changed_at = ? WHERE id = ?", book,
            now.milliseconds, id)
        try numberServed([id])
    }

    /// Permanently deletes the contact `id`; the caller deletes its history.
    package func destroyContact(_ id: String) throws {
        try run("DELETE FROM contacts_conflict WHERE contact = ?", id)
        try run("DELETE FROM contacts_sending WHERE contact = ?", id)
        try run("DELETE FROM contacts_problem WHERE contact = ?", id)
        try run("DELETE FROM contacts_contact WHERE id = ?", id)
        try run("DELETE FROM contacts_apart WHERE first = ?1 OR second = ?1", id)
        try run("DELETE FROM contacts_use WHERE id = ?", id)
    }

    /// Returns the contacts that an incoming card may be a version of: those with the same source, live ones first,
    /// then those that a contact with this source was merged into. `hasMerged` false means that there are no merged
    /// contacts.
    package func importedContact(from source: Int, hasMerged: Bool = true) throws -> ImportedContact? {
        // Chosen here, and below in the order of the key: SQL would set up a sorter for each imported card.
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
    /// Whether any contact has merged ones.
    package func hasMergedContacts() throws -> Bool {
        try row("SELECT EXISTS (SELECT 1 FROM contacts_alias)") { $0.bool(0) } ?? false
    }
}

/// A contact that an incoming card may be a new version of.
package struct ImportedContact: Sendable {
    /// The contact's id.
    package let id: String
    /// The content hash of the card as last imported; nil if it never was.
    package let origin: Int?
    /// Whether it is in the trash.
    package let isTrashed: Bool
    /// The contact that it was merged into; its own id if only that contact is left.
    package let mergedInto: String?
    /// The content hashes of the states that were imported before `origin`.
    package var origins = ImportedOrigins()

    /// Whether the state with this content hash was imported before.
    package func hasImported(_ content: Int) -> Bool { origin == content || origins.hashes.contains(content) }

    /// The states imported before, for the import of another one.
    package var earlierOrigins: ImportedOrigins { origin.map(origins.adding) ?? origins }
}

/// The content hashes of the last imported states of a contact, oldest first.
package struct ImportedOrigins: Hashable, Sendable {
    /// The maximum number of states.
    private static let maximumCount = 256

    /// The hashes.
    package let hashes: [Int]

    /// Creates the list; only the last states are kept.
    package init(_ hashes: [Int] = []) { self.hashes = hashes.suffix(ImportedOrigins.maximumCount) }

    /// Parses eight bytes per hash, big-endian.
    package init(bytes: [UInt8]) {
        self.init(
            stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
                Int(bitPattern: bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt($1) })
            })
    }

    /// The bytes for `init(bytes:)`; nil if there are none.
    package var bytes: [UInt8]? {
        if hashes.isEmpty { return nil }
        return hashes.flatMap { hash in (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) } }
    }

    /// Returns the list with `hash` as the latest.
    package func adding(_ hash: Int) -> ImportedOrigins { ImportedOrigins(hashes.filter { $0 != hash } + [hash]) }
}

extension Contact {
    /// The columns for `init`.
    static let columns = "id, card, revision, created_at, changed_at, deleted_at, merged_into, book"
    /// The columns with the table alias `name`.
    static func columns(of name: String) -> String {
        columns.split(separator: ", ").map { "\(name).\($0)" }.joined(separator: ", ")
    }
    /// A query for all contacts.
    static let select = "SELECT \(columns) FROM contacts_contact"

    /// Creates the contact from a row of `select`.
    init(_ row: borrowing Row) {
        self.init(
            id: row.text(0), card: Card(row.blob(1)), revision: row.int(2),
            createdAt: Instant(milliseconds: Int64(row.int(3))), changedAt: Instant(milliseconds: Int64(row.int(4))),
            deletedAt: row.optionalInt(5).map { Instant(milliseconds: Int64($0)) }, mergedInto: row.optionalText(6),
            book: row.optionalText(7))
    }
}
