package import ContactsDomain
import Hashing
import SQLite
package import Storage

/// The search for duplicates, and the pairs marked as different people.
extension Transaction {
    /// Returns the live contacts with a common key, in buckets of their row numbers; reads only the index rows.
    package func duplicateBuckets() throws -> [[Int]] {
        var groups = DuplicateGroups()
        try scan("SELECT number, name, reach, birthday FROM contacts_entry") { row in
            groups.add(
                row.int(0), DuplicateKeys.keys(name: row.blob(1), reach: row.blob(2), birthday: row.optionalInt(3)))
            return true
        }
        return groups.buckets()
    }

    /// Returns a number that changes with what decides about duplicates: names, addresses, birthdays, and the pairs marked as
    /// different people. Reads the index rows only.
    package func duplicateFingerprint() throws -> Int {
        var hash = FNV1a()
        func add(_ number: Int) { withUnsafeBytes(of: number) { hash.add($0) } }
        try scan("SELECT id, name, reach, birthday FROM contacts_entry") { row in
            // Not its number, which another contact can have after a deletion.
            hash.add(row.blob(0))
            hash.add(row.blob(1))
            hash.add(row.blob(2))
            add(row.optionalInt(3) ?? 0)
            return true
        }
        add(try row("SELECT count(*) FROM contacts_apart") { $0.int(0) } ?? 0)
        return Int(truncatingIfNeeded: hash.value)
    }

    /// Returns the revision of a contact that is not in the trash.
    package func revision(ofLiveContact id: String) throws -> Int? {
        try row("SELECT revision FROM contacts_contact WHERE id = ? AND deleted_at IS NULL", id) { $0.int(0) }
    }

    /// Returns the contacts with these row numbers, with their numbers and the bytes of their cards, without deleted ones.
    package func cards(inRows numbers: [Int]) throws -> [(number: Int, id: String, card: [UInt8])] {
        try numbers.compactMap { number in
            try row(
                """
                SELECT c.id, c.card FROM contacts_entry e JOIN contacts_contact c ON c.id = e.id WHERE e.number = ?
                """, number
            ) { (number, $0.text(0), $0.blob(1)) }
        }
    }

    /// Returns the pairs that were marked as different people.
    package func contactsApart() throws -> Set<ContactPair> {
        Set(try rows("SELECT first, second FROM contacts_apart") { ContactPair($0.text(0), $0.text(1)) })
    }

    /// Marks two contacts as different people; returns false if they already are. History assigns it to the first.
    package func keepApart(_ first: String, _ second: String) throws -> Bool {
        let pair = ContactPair(first, second)
        return try run(
            "INSERT INTO contacts_apart (pair, first, second) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            "\(pair.first) \(pair.second)", first, second) > 0
    }

    /// Returns the row numbers of the live contacts by the content hash of their cards, as imported and as they are.
    package func contactContents() throws -> [Int: Int] {
        var contents: [Int: Int] = [:]
        try scan(
            """
            SELECT rowid, origin, CASE WHEN origin IS NULL OR revision > 1 THEN card END, origins FROM contacts_contact
            WHERE deleted_at IS NULL ORDER BY rowid DESC
            """
        ) { row in
            for origin in ImportedOrigins(bytes: row.optionalBlob(3) ?? []).hashes { contents[origin] = row.int(0) }
            if let origin = row.optionalInt(1) { contents[origin] = row.int(0) }
            if let card = row.optionalBlob(2) { contents[CardSource.contentHash(of: Card(card))] = row.int(0) }
            return true
        }
        return contents
    }

    /// Returns the live contact in row `number` if its card has, or had when imported, the content `content`.
    package func contactID(inRow number: Int, saying content: Int) throws -> String? {
        try contactID(where: "rowid = ?", number, saying: content)
    }

    /// Returns the live contact `id` if its card has, or had when imported, the content `content`.
    package func contactID(_ id: String, saying content: Int) throws -> String? {
        try contactID(where: "id = ?", id, saying: content)
    }

    private func contactID(where condition: String, _ value: any Bindable, saying content: Int) throws -> String? {
        let found = try row(
            "SELECT id, origin, card, origins FROM contacts_contact WHERE \(condition) AND deleted_at IS NULL", value
        ) { row -> String? in
            let isSame =
                row.optionalInt(1) == content || CardSource.contentHash(of: Card(row.blob(2))) == content
                || ImportedOrigins(bytes: row.optionalBlob(3) ?? []).hashes.contains(content)
            return isSame ? row.text(0) : nil
        }
        return found ?? nil
    }

    /// The identity of a stored contact's card for imports.
    package func mergedSource(of id: String, _ card: Card) throws -> MergedSource {
        let origin = try row("SELECT origin FROM contacts_contact WHERE id = ?", id) { $0.optionalInt(0) }
        return MergedSource(uid: card.details.uid ?? "", content: (origin ?? nil) ?? CardSource.contentHash(of: card))
    }
}
