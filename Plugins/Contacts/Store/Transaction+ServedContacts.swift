package import ContactsDomain
import Hashing
import SQLite
package import Storage
package import Sync

/// What a device sees as one address book.
package enum ServedScope: Hashable, Sendable {
    /// All contacts.
    case all
    /// The contacts that are in no book.
    case here
    /// The contacts of a book of an account or of one that was made here.
    case book(String)

    /// The scope in the table of names.
    var key: String {
        switch self {
        case .all: ""
        case .here: "here"
        case .book(let id): id
        }
    }

    /// The id of the book in which what a device adds is stored; nil for no book.
    package var book: String? { if case .book(let id) = self { id } else { nil } }
}

/// The contacts as devices see them: by names that never change, with a number for each change. Each scope that a device has asked for has
/// names and numbers of its own.
extension Transaction {
    /// Whether any device has asked for a scope, and found something; before, nothing is numbered.
    private func areServed(in scope: ServedScope) throws -> Bool { try lastServedNumber(in: scope) > 0 }

    /// Returns the highest number of a change in a scope; 0 if nothing was numbered.
    package func lastServedNumber(in scope: ServedScope = .all) throws -> Int {
        try row("SELECT max(number) FROM contacts_href WHERE collection = ?", scope.key) { $0.optionalInt(0) ?? 0 } ?? 0
    }

    /// The highest number of all scopes: a number is that of one change.
    private func highestNumber() throws -> Int {
        try row("SELECT max(number) FROM contacts_href") { $0.optionalInt(0) ?? 0 } ?? 0
    }

    /// Whether there are contacts that must be numbered before any device is answered.
    package func needsNumbering(in scope: ServedScope = .all) throws -> Bool {
        if try areServed(in: scope) {
            return try row("SELECT EXISTS (SELECT 1 FROM contacts_href WHERE etag = '' AND gone = 0)") { $0.bool(0) }
                ?? false
        }
        let (condition, arguments) = Self.condition(scope)
        return try row(
            "SELECT EXISTS (SELECT 1 FROM contacts_contact WHERE deleted_at IS NULL AND \(condition))",
            arguments: arguments
        ) { $0.bool(0) } ?? false
    }

    /// The condition for contacts of a scope, with its arguments.
    private static func condition(_ scope: ServedScope) -> (sql: String, arguments: [any Bindable]) {
        switch scope {
        case .all: ("1", [])
        case .here: (isInNoBook, [])
        case .book(let id): ("book = ?", [id])
        }
    }

    /// The condition for contacts that are in no book, or in one that is forgotten.
    static let isInNoBook = """
        (book IS NULL OR book NOT IN (SELECT id FROM contacts_book UNION ALL SELECT id FROM contacts_local_book))
        """

    /// Numbers all contacts of a scope if none is numbered yet, and gives each its tag.
    package func numberAllServed(in scope: ServedScope = .all) throws {
        if try !areServed(in: scope) { try numberAll(in: scope) }
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

    private func numberAll(in scope: ServedScope) throws {
        let (condition, arguments) = Self.condition(scope)
        try run(
            """
            INSERT INTO contacts_href (number, collection, name, contact, revision, changed_at, gone)
            SELECT ? + row_number() OVER (ORDER BY id), ?, id || '.vcf', id, revision, changed_at, 0
            FROM contacts_contact WHERE deleted_at IS NULL AND \(condition)
            """, arguments: [try highestNumber(), scope.key] + arguments)
    }

    /// Gives those of the contacts `ids` that have changed the next numbers, in each scope that has or had them.
    func numberServed(_ ids: Set<String>) throws {
        var last = try highestNumber()
        guard last > 0 else { return }
        var served: [ServedScope: Bool] = [:]
        func isServed(_ scope: ServedScope) throws -> Bool {
            if let known = served[scope] { return known }
            let isServed = try areServed(in: scope)
            served[scope] = isServed
            return isServed
        }
        for id in ids.sorted() {
            let live = try row(
                "SELECT revision, changed_at, card, book FROM contacts_contact WHERE id = ? AND deleted_at IS NULL", id
            ) {
                LiveContact(revision: $0.int(0), changedAt: $0.int(1), card: $0.blob(2), book: $0.optionalText(3))
            }
            var places: [ServedScope] = []
            if let live {
                places = [.all, try scope(ofBook: live.book)]
                for scope in places where try isServed(scope) { try number(id, live, in: scope, &last) }
            }
            let keys = Set(places.map(\.key))
            // What has left a scope is gone there.
            for row in try servedRows(of: id) where !row.isGone && !keys.contains(row.collection) {
                last += 1
                try run("UPDATE contacts_href SET gone = 1, number = ? WHERE number = ?", last, row.number)
            }
        }
    }

    private struct LiveContact {
        let revision: Int
        let changedAt: Int
        let card: [UInt8]
        let book: String?
    }

    /// Gives a live contact the next number in a scope, unless its card is the one that was numbered.
    private func number(_ id: String, _ live: LiveContact, in scope: ServedScope, _ last: inout Int) throws {
        let known = try servedRow(of: id, in: scope)
        if let known, !known.isGone, live.revision == known.revision, live.changedAt == known.changedAt { return }
        let etag = try SHA256.etag(of: live.card)
        if let known, !known.isGone, known.etag == etag {
            // It was moved to another book, or something beside the card has changed.
            try run(
                "UPDATE contacts_href SET revision = ?, changed_at = ? WHERE number = ?", live.revision, live.changedAt,
                known.number)
            return
        }
        last += 1
        if let known { try run("DELETE FROM contacts_href WHERE number = ?", known.number) }
        try run(
            """
            INSERT INTO contacts_href (number, collection, name, contact, revision, changed_at, gone, etag, length)
            VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)
            """, last, scope.key, known?.name ?? "\(id).vcf", id, live.revision, live.changedAt, etag, live.card.count)
    }

    /// The scope of the contacts of a book; those of a forgotten book are in none.
    package func scope(ofBook id: String?) throws -> ServedScope {
        guard let id else { return .here }
        let exists = try row(
            """
            SELECT EXISTS (SELECT 1 FROM contacts_book WHERE id = ?1)
                OR EXISTS (SELECT 1 FROM contacts_local_book WHERE id = ?1)
            """, id
        ) { $0.bool(0) }
        return exists ?? false ? .book(id) : .here
    }

    /// Gives the contacts of a book numbers where they are now: it was made, or is gone.
    func numberServed(ofBook id: String) throws {
        guard try highestNumber() > 0 else { return }
        try numberServed(Set(try rows("SELECT id FROM contacts_contact WHERE book = ?", id) { $0.text(0) }))
    }

    /// Makes `name` the name of the contact `id` in a scope, whose row is written next. Another contact that had it is in the trash; if
    /// it comes back, it has its own name.
    package func setServedName(_ name: String, of id: String, in scope: ServedScope = .all) throws {
        var next = try highestNumber() + 1
        let known = try servedRow(of: id, in: scope)
        try run("DELETE FROM contacts_href WHERE collection = ? AND name = ?", scope.key, name)
        if let known, !known.isGone, known.name != name {
            try run("UPDATE contacts_href SET gone = 1, number = ? WHERE number = ?", next, known.number)
            next += 1
        }
        try run(
            """
            INSERT INTO contacts_href (number, collection, name, contact, revision, changed_at, gone)
            VALUES (?, ?, ?, ?, 0, 0, 1)
            """, next, scope.key, name, id)
    }

    /// Gives a name a new number without any other change.
    package func renumberServed(_ name: String, in scope: ServedScope = .all) throws {
        try run(
            "UPDATE contacts_href SET number = ? WHERE collection = ? AND name = ?", try highestNumber() + 1, scope.key,
            name)
    }

    /// The rows of a contact in all scopes.
    private func servedRows(of id: String) throws -> [ServedRow] {
        try rows("\(ServedRow.select) WHERE contact = ? ORDER BY gone, number DESC", id, body: ServedRow.init)
    }

    /// The current name of a contact: the one that is not gone, else the last.
    private func servedRow(of id: String, in scope: ServedScope) throws -> ServedRow? {
        try row(
            "\(ServedRow.select) WHERE contact = ? AND collection = ? ORDER BY gone, number DESC LIMIT 1", id,
            scope.key,
            body: ServedRow.init)
    }

    /// Returns the name of a live contact for devices.
    package func servedName(of id: String, in scope: ServedScope = .all) throws -> String? {
        try servedRow(of: id, in: scope).flatMap { $0.isGone ? nil : $0.name }
    }

    /// Returns the number of contacts.
    package func servedCount(in scope: ServedScope = .all) throws -> Int {
        try row("SELECT count(*) FROM contacts_href WHERE collection = ? AND gone = 0", scope.key) { $0.int(0) } ?? 0
    }

    /// Returns contacts by their names, from the first after `name`.
    package func servedEntries(
        after name: String?, limit: Int, in scope: ServedScope = .all
    ) throws -> [ServedEntry] {
        try rows(
            "\(Self.entries) AND name > ? ORDER BY name LIMIT ?", scope.key, name ?? "", limit, body: ServedEntry.init)
    }

    /// Returns the contact with a name; nil if it is gone.
    package func servedEntry(_ name: String, in scope: ServedScope = .all) throws -> ServedEntry? {
        try row("\(Self.entries) AND name = ?", scope.key, name, body: ServedEntry.init)
    }

    /// Returns the same with its card.
    package func servedItem(_ name: String, in scope: ServedScope = .all) throws -> ServedItem? {
        guard let entry = try servedEntry(name, in: scope) else { return nil }
        return try row("SELECT card FROM contacts_contact WHERE id = ?", entry.id) { $0.blob(0) }
            .map { ServedItem(entry, content: $0) }
    }

    /// Returns the contact with a name as a whole.
    package func servedContact(_ name: String, in scope: ServedScope = .all) throws -> Contact? {
        try servedEntry(name, in: scope).flatMap { try contact($0.id) }
    }

    /// Returns the id of the contact that had a name last, in the trash or gone.
    package func formerContact(_ name: String, in scope: ServedScope = .all) throws -> String? {
        try row(
            "SELECT contact FROM contacts_href WHERE collection = ? AND name = ? AND gone = 1", scope.key, name
        ) { $0.text(0) }
    }

    /// Returns the changes above `number` and up to `last`.
    package func servedChanges(
        after number: Int, upTo last: Int, limit: Int, in scope: ServedScope = .all
    ) throws -> [ServedChange] {
        try rows(
            """
            SELECT number, name, gone FROM contacts_href WHERE collection = ? AND number > ? AND number <= ?
            ORDER BY number LIMIT ?
            """, scope.key, number, last, limit
        ) { ServedChange(number: $0.int(0), name: $0.text(1), isGone: $0.bool(2)) }
    }

    /// Returns the contacts whose source is `source`, live ones first.
    package func contacts(withSource source: Int) throws -> [Contact] {
        try rows(
            "\(Contact.select) WHERE source = ? ORDER BY deleted_at IS NOT NULL, rowid", source, body: Contact.init)
    }

    private static let entries = """
        SELECT name, contact, etag, length, changed_at FROM contacts_href WHERE collection = ? AND gone = 0
        """
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
    static let select = "SELECT number, name, revision, changed_at, gone, etag, collection FROM contacts_href"

    let number: Int
    let name: String
    let revision: Int
    let changedAt: Int
    let isGone: Bool
    let etag: String
    let collection: String

    init(_ row: borrowing Row) {
        number = row.int(0)
        name = row.text(1)
        revision = row.int(2)
        changedAt = row.int(3)
        isGone = row.bool(4)
        etag = row.text(5)
        collection = row.text(6)
    }
}
