package import ContactsDomain
import SQLite
package import Storage
package import Sync
package import Text

/// The links between contacts and remote cards.
extension Transaction {
    /// Whether local changes of the book are pending, or must be compared. Reads no cards, except those that may refer to
    /// others by outdated `UID`s.
    package func hasSyncWork(in book: Book) throws -> Bool {
        let isReadOnly = book.remote.isReadOnly
        let hasChanges = try row(
            """
            SELECT EXISTS (
                SELECT 1 FROM contacts_link l LEFT JOIN contacts_contact c ON c.id = l.contact
                WHERE l.book = ? AND (l.unread = '' OR l.tag = '' OR l.contact IS NOT NULL AND (
                    c.revision <> l.revision OR c.changed_at <> l.changed_at
                    OR NOT ? AND (c.id IS NULL OR c.deleted_at IS NOT NULL OR c.book IS NOT l.book
                        OR l.seen_hash <> l.ours_hash AND NOT EXISTS (
                            SELECT 1 FROM contacts_conflict x WHERE x.contact = l.contact AND x.book = l.book))))
            ) OR NOT ? AND EXISTS (
                SELECT 1 FROM contacts_contact c WHERE c.book = ? AND c.deleted_at IS NULL AND NOT EXISTS (
                    SELECT 1 FROM contacts_link l WHERE l.contact = c.id AND l.book = c.book))
            """, book.id, isReadOnly, isReadOnly, book.id
        ) { $0.bool(0) }
        return try hasChanges ?? false || !isReadOnly && !outdatedReferences(in: book.id).isEmpty
    }

    /// Returns all contacts that are in the book or have a card there.
    package func syncItems(of book: String) throws -> [SyncItem<String>] {
        let linked = try rows(
            """
            SELECT l.contact, l.href, l.tag, l.ours_hash, l.seen_hash, ifnull(c.source, 0),
                c.id IS NOT NULL AND c.deleted_at IS NULL AND c.book IS l.book,
                c.revision IS l.revision AND c.changed_at IS l.changed_at,
                EXISTS (SELECT 1 FROM contacts_conflict x WHERE x.contact = l.contact AND x.book = l.book), l.unread
            FROM contacts_link l LEFT JOIN contacts_contact c ON c.id = l.contact
            WHERE l.book = ? AND l.contact IS NOT NULL
            """, book
        ) { row in
            let contact = row.text(0)
            let isHere = row.bool(6)
            var hash = row.int(4)
            // A card that has changed since the last comparison is compared by content.
            if isHere, !row.bool(7) { hash = try self.contact(contact).map { $0.card.syncHash } ?? hash }
            return SyncItem(
                contact, isHere: isHere, isChanged: hash != row.int(3), isHeld: row.bool(8), identity: row.int(5),
                link: RemoteEntry(href: row.text(1), etag: row.text(2)),
                unread: row.optionalText(9))
        }
        let unlinked = try rows(
            """
            SELECT c.id, c.source,
                EXISTS (SELECT 1 FROM contacts_sending s WHERE s.contact = c.id AND s.book = c.book)
            FROM contacts_contact c WHERE c.book = ? AND c.deleted_at IS NULL AND NOT EXISTS (
                SELECT 1 FROM contacts_link l WHERE l.contact = c.id AND l.book = c.book)
            """, book
        ) { SyncItem($0.text(0), isChanged: true, wasSent: $0.bool(2), identity: $0.int(1)) }
        let outdated = Set(try outdatedReferences(in: book).map(\.id))
        return linked.map { outdated.contains($0.id) ? $0.changed : $0 } + unlinked
    }

    /// Whether any card of the book is linked.
    package func hasLinks(in book: String) throws -> Bool {
        try row("SELECT EXISTS (SELECT 1 FROM contacts_link WHERE book = ?)", book) { $0.bool(0) } ?? false
    }

    /// Returns the cards of the book that were skipped.
    package func heldEntries(of book: String) throws -> [RemoteEntry] {
        try rows("SELECT href, tag FROM contacts_link WHERE book = ? AND contact IS NULL", book) {
            RemoteEntry(href: $0.text(0), etag: $0.text(1))
        }
    }

    /// Returns the contact whose card is at `href`.
    package func linkedContact(at href: String, in book: String) throws -> String? {
        try row("SELECT contact FROM contacts_link WHERE book = ? AND href = ?", book, href) { $0.optionalText(0) }
            ?? nil
    }

    /// Returns the path and the etag of the contact's card; nil if it has none in the book.
    package func link(of contact: String, in book: String) throws -> RemoteEntry? {
        try row("SELECT href, tag FROM contacts_link WHERE contact = ? AND book = ?", contact, book) {
            RemoteEntry(href: $0.text(0), etag: $0.text(1))
        }
    }

    /// Returns the state of both sides when the contact was last equal on both.
    package func syncBase(of contact: String, in book: String) throws -> SyncBase? {
        try row("SELECT theirs, ours FROM contacts_link WHERE contact = ? AND book = ?", contact, book) { row in
            let theirs = Card(row.blob(0))
            return SyncBase(ours: row.optionalBlob(1).map { Card($0) } ?? theirs, theirs: theirs)
        }
    }

    /// Returns the new cards of the book that were sent without a response, by contact.
    package func unansweredCards(in book: String) throws -> [(contact: String, sent: Card)] {
        try rows(
            """
            SELECT s.contact, s.sent FROM contacts_sending s WHERE s.book = ? AND NOT EXISTS (
                SELECT 1 FROM contacts_link l WHERE l.contact = s.contact AND l.book = s.book)
            """, book
        ) { ($0.text(0), Card($0.blob(1))) }
    }

    /// Returns the state of both sides if the last sent card was stored there; nil if its response was received.
    package func sendingBase(of contact: String, in book: String) throws -> SyncBase? {
        try row("SELECT ours, sent FROM contacts_sending WHERE contact = ? AND book = ?", contact, book) {
            SyncBase(ours: Card($0.blob(0)), theirs: Card($0.blob(1)))
        }
    }

    /// Stores a card before it is sent: `ours` is the local card, `sent` the converted one.
    package func noteSending(_ contact: String, ours: Card, sent: [UInt8], to book: String) throws {
        try run(
            "INSERT OR REPLACE INTO contacts_sending (book, contact, ours, sent) VALUES (?, ?, ?, ?)", book, contact,
            ours.bytes, sent)
    }

    /// Removes a stored card that was not accepted.
    package func dropSending(_ contact: String, to book: String) throws {
        try run("DELETE FROM contacts_sending WHERE contact = ? AND book = ?", contact, book)
    }

    /// Returns the contacts that a card with this `source` may belong to, live ones first, those of the book before
    /// others.
    package func syncCandidates(source: Int, book: String) throws -> [SyncCandidate] {
        try rows(
            """
            SELECT c.id, c.deleted_at IS NULL, l.href, c.book,
                c.book IS NOT NULL AND EXISTS (SELECT 1 FROM contacts_book b WHERE b.id = c.book)
            FROM contacts_contact c LEFT JOIN contacts_link l ON l.contact = c.id AND l.book = ?
            WHERE c.source = ? ORDER BY c.deleted_at IS NOT NULL, c.book IS NULL, c.id
            """, book, source
        ) {
            SyncCandidate(
                contact: $0.text(0), isLive: $0.bool(1), href: $0.optionalText(2), book: $0.optionalText(3),
                isElsewhere: $0.bool(4))
        }
    }

    /// Stores the link of a contact to the card at `href` with `etag`, and the state of both sides.
    /// - Returns: the `UID`s of the card here and there, without `urn:uuid:`, if the latter is not the one before.
    @discardableResult
    package func saveLink(
        _ contact: String, at href: String, etag: String, base: SyncBase, in book: String
    ) throws -> (ours: ByteString, theirs: ByteString)? {
        try run("DELETE FROM contacts_link WHERE contact = ? AND book = ? AND href <> ?", contact, book, href)
        try dropSending(contact, to: book)
        guard let row = try self.contact(contact) else { return nil }
        let isSame = base.ours.version == base.theirs.version && base.ours.contentHash == base.theirs.contentHash
        try saveLink(
            row, at: RemoteEntry(href: href, etag: etag), oursHash: base.ours.syncHash, seenHash: row.card.syncHash,
            theirs: base.theirs, ours: isSame ? nil : base.ours, in: book)
        guard let ours = row.card.plainUID, let theirs = base.theirs.plainUID else { return nil }
        return try noteUID(theirs, of: ours, in: book) ? (ours, theirs) : nil
    }

    /// Stores the link of a contact that was just created from the card `theirs`; `hash` is the content hash of its own.
    package func addLink(
        _ row: Contact, saying hash: Int, from theirs: Card, at place: RemoteEntry, in book: String
    ) throws {
        try saveLink(
            row, at: place, oursHash: hash, seenHash: hash, theirs: theirs,
            ours: row.card == theirs ? nil : row.card, in: book)
        if let uid = theirs.plainUID { _ = try noteUID(uid, of: uid, in: book) }
    }

    private func saveLink(
        _ row: Contact, at place: RemoteEntry, oursHash: Int, seenHash: Int, theirs: Card, ours: Card?,
        in book: String
    ) throws {
        try run(
            """
            INSERT INTO contacts_link
                (book, href, contact, tag, ours_hash, revision, changed_at, seen_hash, theirs, ours)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (book, href) DO UPDATE SET contact = excluded.contact, tag = excluded.tag,
                ours_hash = excluded.ours_hash, revision = excluded.revision, changed_at = excluded.changed_at,
                seen_hash = excluded.seen_hash, theirs = excluded.theirs, ours = excluded.ours, unread = NULL
            """, book, place.href, row.id, place.etag, oursHash, row.revision, row.changedAt.milliseconds, seenHash,
            theirs.bytes, ours?.bytes)
    }

    /// Records the content hash of the contact's card, so that it is not compared again until it changes.
    package func noteSeen(_ contact: String, in book: String) throws {
        guard let row = try self.contact(contact) else { return }
        try run(
            "UPDATE contacts_link SET revision = ?, changed_at = ?, seen_hash = ? WHERE contact = ? AND book = ?",
            row.revision, row.changedAt.milliseconds, row.card.syncHash, contact, book)
    }

    /// Records that a remote card is skipped as long as it has this tag; an empty one until it can be fetched.
    ///
    /// The link of a contact keeps the tag that was last read: only that may be used as a condition for writing.
    package func holdEntry(_ entry: RemoteEntry, in book: String) throws {
        try run(
            """
            INSERT INTO contacts_link (book, href, tag, ours_hash, revision, changed_at, seen_hash, theirs)
            VALUES (?, ?, ?, 0, 0, 0, 0, x'') ON CONFLICT (book, href) DO UPDATE SET
                tag = CASE WHEN contact IS NULL THEN excluded.tag ELSE tag END,
                unread = CASE WHEN contact IS NULL THEN NULL ELSE excluded.tag END
            """, book, entry.href, entry.etag)
    }

    /// Removes the link at `href`.
    package func dropLink(at href: String, in book: String) throws {
        try run("DELETE FROM contacts_link WHERE book = ? AND href = ?", book, href)
    }

    /// Sets the source of the contact `id` to that of another `UID`.
    package func setSource(_ id: String, _ source: Int) throws {
        try run("UPDATE contacts_contact SET source = ? WHERE id = ?", source, id)
    }
}

/// A contact that a remote card may belong to.
package struct SyncCandidate: Hashable, Sendable {
    /// The contact's id.
    package let contact: String
    /// Whether it is not in the trash.
    package let isLive: Bool
    /// The path of its card in the book; nil if it has none.
    package let href: String?
    /// The book that it belongs to; nil for none.
    package let book: String?
    /// Whether that book is a book of a known account.
    package let isElsewhere: Bool
}

extension Card {
    /// The content hash of the card as a stored number.
    package var syncHash: Int { CardSource.contentHash(of: self) }
}
