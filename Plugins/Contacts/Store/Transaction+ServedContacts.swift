package import ContactsDomain
import Hashing
import SQLite
package import Storage
package import Sync

/// The contacts as devices see them: by names that never change, with a number for each change.
extension Transaction {
    /// Whether any device has asked for contacts; before, nothing is numbered.
    private func areServed() throws -> Bool { try lastServedNumber() > 0 }

    /// Returns the highest number of a change; 0 if nothing was numbered.
    package func lastServedNumber() throws -> Int {
        try row("SELECT max(number) FROM contacts_href") { $0.optionalInt(0) ?? 0 } ?? 0
    }

    /// Whether there are contacts that must be numbered before any device is answered.
    package func needsNumbering() throws -> Bool {
        let missing =
            try areServed()
            ? "SELECT 1 FROM contacts_href WHERE etag = '' AND gone = 0"
            : "SELECT 1 FROM contacts_contact WHERE deleted_at IS NULL"
        return try row("SELECT EXISTS (\(missing))") { $0.bool(0) } ?? false
    }

    /// Numbers all contacts if none is numbered yet, and gives each its tag.
    package func numberAllServed() throws {
        if try !areServed() { try numberAll() }
        let cards = try rows(
            """
            SELECT h.number, c.card FROM contacts_href h JOIN contacts_contact c ON c.id = h.contact
            WHERE h.etag = '' AND h.gone = 0
            """
        ) { (number: $0.int(0), card: $0.blob(1)) }
        for (number, card) in cards {
            try run(
                "UPDATE contacts_href SET etag = ?, length = ? WHERE number = ?", try SHA256.etag(of: card), card.count,
                number)
        }
    }

    private func numberAll() throws {
        try run(
            """
            INSERT INTO contacts_href (number, name, contact, revision, changed_at, gone)
            SELECT row_number() OVER (ORDER BY id), id || '.vcf', id, revision, changed_at, 0
            FROM contacts_contact WHERE deleted_at IS NULL
            """)
    }

    /// Gives those of the contacts `ids` that have changed the next numbers.
    func numberServed(_ ids: Set<String>) throws {
        var last = try lastServedNumber()
        guard last > 0 else { return }
        for id in ids.sorted() {
            let live = try row(
                "SELECT revision, changed_at, card FROM contacts_contact WHERE id = ? AND deleted_at IS NULL", id
            ) { (revision: $0.int(0), changedAt: $0.int(1), card: $0.blob(2)) }
            let known = try servedRow(of: id)
            if let known, known.isGone == (live == nil),
                live.map({ $0.revision == known.revision && $0.changedAt == known.changedAt }) ?? true
            {
                continue
            }
            if live == nil, known == nil { continue }
            last += 1
            if let known { try run("DELETE FROM contacts_href WHERE number = ?", known.number) }
            try run(
                """
                INSERT INTO contacts_href (number, name, contact, revision, changed_at, gone, etag, length)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """, last, known?.name ?? "\(id).vcf", id, live?.revision ?? 0, live?.changedAt ?? 0, live == nil,
                try live.map { try SHA256.etag(of: $0.card) } ?? "", live?.card.count ?? 0)
        }
    }

    /// Makes `name` the name of the contact `id`, whose row is written next. Another contact that had it is in the trash; if it comes
    /// back, it has its own name.
    package func setServedName(_ name: String, of id: String) throws {
        var next = try lastServedNumber() + 1
        try run("DELETE FROM contacts_href WHERE name = ?", name)
        if let known = try servedRow(of: id), !known.isGone {
            try run("UPDATE contacts_href SET gone = 1, number = ? WHERE number = ?", next, known.number)
            next += 1
        }
        try run(
            """
            INSERT INTO contacts_href (number, name, contact, revision, changed_at, gone) VALUES (?, ?, ?, 0, 0, 1)
            """, next, name, id)
    }

    /// Gives a name a new number without any other change.
    package func renumberServed(_ name: String) throws {
        try run("UPDATE contacts_href SET number = ? WHERE name = ?", try lastServedNumber() + 1, name)
    }

    /// The current name of a contact: the one that is not gone, else the last.
    private func servedRow(of id: String) throws -> ServedRow? {
        try row(
            """
            SELECT number, name, revision, changed_at, gone FROM contacts_href WHERE contact = ?
            ORDER BY gone, number DESC LIMIT 1
            """, id
        ) {
            ServedRow(
                number: $0.int(0), name: $0.text(1), revision: $0.int(2), changedAt: $0.int(3), isGone: $0.bool(4))
        }
    }

    /// Returns the name of a live contact for devices.
    package func servedName(of id: String) throws -> String? {
        try servedRow(of: id).flatMap { $0.isGone ? nil : $0.name }
    }

    /// Returns the number of contacts.
    package func servedCount() throws -> Int {
        try row("SELECT count(*) FROM contacts_href WHERE gone = 0") { $0.int(0) } ?? 0
    }

    /// Returns contacts by their names, from the first after `name`.
    package func servedEntries(after name: String?, limit: Int) throws -> [ServedEntry] {
        try rows(
            "\(Self.entries) AND name > ? ORDER BY name LIMIT ?", name ?? "", limit, body: ServedEntry.init)
    }

    /// Returns the contact with a name; nil if it is gone.
    package func servedEntry(_ name: String) throws -> ServedEntry? {
        try row("\(Self.entries) AND name = ?", name, body: ServedEntry.init)
    }

    /// Returns the same with its card.
    package func servedItem(_ name: String) throws -> ServedItem? {
        guard let entry = try servedEntry(name) else { return nil }
        return try row("SELECT card FROM contacts_contact WHERE id = ?", entry.id) { $0.blob(0) }
            .map { ServedItem(entry, content: $0) }
    }

    /// Returns the contact with a name as a whole.
    package func servedContact(_ name: String) throws -> Contact? {
        try servedEntry(name).flatMap { try contact($0.id) }
    }

    /// Returns the id of the contact that had a name last, in the trash or gone.
    package func formerContact(_ name: String) throws -> String? {
        try row("SELECT contact FROM contacts_href WHERE name = ? AND gone = 1", name) { $0.text(0) }
    }

    /// Returns the changes above `number` and up to `last`.
    package func servedChanges(after number: Int, upTo last: Int, limit: Int) throws -> [ServedChange] {
        try rows(
            "SELECT number, name, gone FROM contacts_href WHERE number > ? AND number <= ? ORDER BY number LIMIT ?",
            number, last, limit
        ) { ServedChange(number: $0.int(0), name: $0.text(1), isGone: $0.bool(2)) }
    }

    /// Returns the contacts whose source is `source`, live ones first.
    package func contacts(withSource source: Int) throws -> [Contact] {
        try rows(
            "\(Contact.select) WHERE source = ? ORDER BY deleted_at IS NOT NULL, rowid", source, body: Contact.init)
    }

    private static let entries = "SELECT name, contact, etag, length, changed_at FROM contacts_href WHERE gone = 0"
}

extension ServedEntry {
    fileprivate init(_ row: borrowing Row) {
        self.init(
            name: row.text(0), id: row.text(1), etag: row.text(2), length: row.int(3), changedAt: Int64(row.int(4)))
    }

    /// The entry of a contact that was written just now.
    package init(_ contact: Contact, name: String) throws {
        self.init(
            name: name, id: contact.id, etag: try SHA256.etag(of: contact.card.bytes), length: contact.card.bytes.count,
            changedAt: contact.changedAt.milliseconds)
    }
}

extension SHA256 {
    /// Half of the hash: equal contents have equal tags, also in a restored store.
    fileprivate static func etag(of bytes: [UInt8]) throws -> String { try hexadecimal(bytes, prefix: 16) }
}

/// The row of a name.
private struct ServedRow {
    let number: Int
    let name: String
    let revision: Int
    let changedAt: Int
    let isGone: Bool
}
