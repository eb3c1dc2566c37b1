package import ContactsDomain
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
        if try areServed() { return false }
        return try row("SELECT EXISTS (SELECT 1 FROM contacts_contact WHERE deleted_at IS NULL)") { $0.bool(0) }
            ?? false
    }

    /// Numbers all contacts if none is numbered yet.
    package func numberAllServed() throws {
        guard try !areServed() else { return }
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
                "SELECT revision, changed_at FROM contacts_contact WHERE id = ? AND deleted_at IS NULL", id
            ) { (revision: $0.int(0), changedAt: $0.int(1)) }
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
                INSERT INTO contacts_href (number, name, contact, revision, changed_at, gone) VALUES (?, ?, ?, ?, ?, ?)
                """, last, known?.name ?? "\(id).vcf", id, live?.revision ?? 0, live?.changedAt ?? 0, live == nil)
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
    package func servedContacts(after name: String?, limit: Int) throws -> [(name: String, contact: Contact)] {
        try rows(
            "\(Self.served) AND h.name > ? ORDER BY h.name LIMIT ?", name ?? "", limit, body: Self.named)
    }

    /// Returns the contact with a name; nil if it is gone.
    package func servedContact(_ name: String) throws -> Contact? {
        try row("\(Self.served) AND h.name = ?", name, body: Self.named)?.contact
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

    private static let served = """
        SELECT \(Contact.columns(of: "c")), h.name
        FROM contacts_href h JOIN contacts_contact c ON c.id = h.contact WHERE h.gone = 0
        """

    private static func named(_ row: borrowing Row) -> (name: String, contact: Contact) {
        (row.text(8), Contact(row))
    }
}

/// The row of a name.
private struct ServedRow {
    let number: Int
    let name: String
    let revision: Int
    let changedAt: Int
    let isGone: Bool
}
