import ContactsDomain
import SQLite
package import Storage

/// Checks of the index rows against the cards.
extension Transaction {
    /// Returns the problems of the search tables and the index rows, one sentence each; empty if there are none.
    ///
    /// It must run in a write transaction: SQLite's integrity check is an INSERT statement, and a concurrent import may
    /// have postponed texts.
    package func contactIndexProblems() throws -> [String] {
        var problems: [String] = []
        try indexTextsLeft()
        for table in ["contacts_words", "contacts_grams"] {
            do {
                // Rank 1 also compares the index with the text of the rows.
                try run("INSERT INTO \(table) (\(table), rank) VALUES ('integrity-check', 1)")
            } catch let error as SQLiteError where error.isDamage {
                problems.append("the search table \(table) does not match its text")
            }
        }
        let orphans = try row(
            """
            SELECT count(*) FROM contacts_entry WHERE id NOT IN
                (SELECT id FROM contacts_contact WHERE deleted_at IS NULL)
            """
        ) { $0.int(0) }
        if let orphans, orphans > 0 { problems.append("\(orphans) index entries have no contact") }
        guard let rules = try indexRules() else {
            return try contactCount() == 0 ? problems : problems + ["the options of the index are missing"]
        }
        var wrong: [String] = []
        var tags = 0
        try scan("SELECT id, card FROM contacts_contact WHERE deleted_at IS NULL ORDER BY id") { row in
            let expected = ContactIndexRow(id: row.text(0), Card(row.blob(1)).details, rules)
            if try !isStored(expected) { wrong.append(expected.id) }
            tags += expected.foldedTags.count
            return wrong.count < 100
        }
        if let first = wrong.first {
            problems.append("\(wrong.count) index entries differ from their cards, such as \(first)")
        } else if let stored = try row("SELECT count(*) FROM contacts_tag", body: { $0.int(0) }), stored != tags {
            problems.append("\(stored) tags are stored, but the cards have \(tags)")
        }
        return problems
    }

    private func isStored(_ entry: ContactIndexRow) throws -> Bool {
        let number = try row(
            """
            SELECT e.id, e.title, e.phone, e.email, e.tags, e.is_group, e.sort_key, e.birthday, e.name, e.initials,
                e.reach, e.other, e.number, (SELECT count(*) FROM contacts_alias a WHERE a.number = e.number),
                (SELECT count(*) FROM contacts_reference r WHERE r.number = e.number), e.properties,
                (SELECT count(*) FROM contacts_date d WHERE d.number = e.number)
            FROM contacts_entry e WHERE e.id = ?
            """, entry.id
        ) { row in
            ContactSummary(row) == entry.summary && row.blob(6) == entry.sortKey && row.optionalInt(7) == entry.birthday
                && (8...11).map { row.text($0) } == entry.texts && row.int(13) == Set(entry.aliasSources).count
                && row.int(14) == entry.references.count && row.int(15) == entry.properties
                && row.int(16) == entry.days.count
                ? row.int(12) : nil
        }
        guard case let number?? = number else { return false }
        return try entry.foldedTags.allSatisfy { tag in
            try row("SELECT 1 FROM contacts_tag WHERE folded = ? AND number = ?", tag, number) { _ in true } ?? false
        }
    }

    /// Deletes all index rows, whatever their state.
    package func clearContactIndex() throws {
        try run("DELETE FROM contacts_entry")
        try run("DELETE FROM contacts_tag")
        try run("DELETE FROM contacts_alias")
        try run("DELETE FROM contacts_reference")
        try run("DELETE FROM contacts_date")
        try run("DELETE FROM contacts_index")
        for table in ["contacts_words", "contacts_grams"] {
            try run("INSERT INTO \(table) (\(table)) VALUES ('rebuild')")
        }
    }
}
