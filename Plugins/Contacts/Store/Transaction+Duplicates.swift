package import ContactsDomain
package import HubKit
import SQLite

/// Looking for duplicates, and remembering who are none.
extension Transaction {
    /// The live contacts that share a key with another one, sorted into heaps of their entries' numbers; nothing but
    /// the entries is read.
    package func duplicateHeaps() throws -> [[Int]] {
        var heaps = DuplicateHeaps()
        try scan("SELECT number, name, reach, birthday FROM contacts_entry") { row in
            heaps.add(
                row.int(0), DuplicateKeys.keys(name: row.blob(1), reach: row.blob(2), birthday: row.optionalInt(3)))
            return true
        }
        return heaps.heaps()
    }

    /// The profiles of the contacts whose entries have these numbers, each with its number; those that are gone are left
    /// out.
    package func duplicateProfiles(_ numbers: [Int]) throws -> [(number: Int, profile: DuplicateProfile)] {
        let region = try indexRules()?.callingCode
        return try numbers.compactMap { number in
            try row(
                """
                SELECT c.id, c.card FROM contacts_entry e JOIN contacts_contact c ON c.id = e.id WHERE e.number = ?
                """, number
            ) { row in
                let card = Card(row.blob(1))
                let id = row.text(0)
                return (number, DuplicateProfile(id: id, card.details, content: card.contentHash, region: region))
            }
        }
    }

    /// The pairs of which a person has said that they are not one.
    package func contactsApart() throws -> Set<ContactPair> {
        Set(try rows("SELECT first, second FROM contacts_apart") { ContactPair($0.text(0), $0.text(1)) })
    }

    /// Remembers that two contacts are not one; false when that is known. History counts it to the first.
    package func keepApart(_ first: String, _ second: String) throws -> Bool {
        let pair = ContactPair(first, second)
        return try run(
            "INSERT INTO contacts_apart (pair, first, second) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            "\(pair.first) \(pair.second)", first, second) > 0
    }

    /// The row numbers of the live contacts by the content hash of their cards, as they came and as they are.
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

    /// The live contact in row `number` when its card says, or said when it came, what `content` stands for.
    package func contactID(inRow number: Int, saying content: Int) throws -> String? {
        try contactID(where: "rowid = ?", number, saying: content)
    }

    /// The live contact `id` when its card says, or said when it came, what `content` stands for.
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

    /// What the card of a stored contact is known by when it comes from outside.
    package func mergedSource(of id: String, _ card: Card) throws -> MergedSource {
        let origin = try row("SELECT origin FROM contacts_contact WHERE id = ?", id) { $0.optionalInt(0) }
        return MergedSource(uid: card.details.uid ?? "", content: (origin ?? nil) ?? CardSource.contentHash(of: card))
    }
}
