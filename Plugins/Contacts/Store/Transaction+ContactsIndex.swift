import ContactsDomain
import SQLite
package import Storage

/// The index rows, which `reindexContacts` keeps equal to the cards after any change.
extension Transaction {
    /// The number of contacts that are reindexed at a time, which limits the memory of a large undo.
    private static let batch = 1000

    /// Rebuilds the index rows of the contacts `ids` from their cards; contacts that are deleted or in the trash have
    /// none.
    package func reindexContacts(_ ids: [String], _ rules: IndexingOptions) throws {
        for start in stride(from: 0, to: ids.count, by: Transaction.batch) {
            let batch = ids[start..<min(ids.count, start + Transaction.batch)]
            var entries: [ContactIndexRow] = []
            for id in Set(batch) {
                let card = try row("SELECT card FROM contacts_contact WHERE id = ? AND deleted_at IS NULL", id) {
                    Card($0.blob(0))
                }
                if let card { entries.append(ContactIndexRow(id: id, card.details, rules)) }
            }
            try replaceEntries(of: Set(batch), by: entries)
        }
        try mergeSearchTables(times: max(1, ids.count / Transaction.batch))
    }

    /// Rebuilds index rows with the stored options: after undo, and for what comes from another machine, neither of which reads the settings.
    /// The first rows of a store are built with the plainest ones, until a command rebuilds them with those of the settings.
    package func reindexContacts(_ ids: [String]) throws {
        let stored = try indexRules()
        let rules = stored ?? IndexingOptions(locale: "")
        if stored == nil, !ids.isEmpty { try setIndexingOptions(rules) }
        try reindexContacts(ids, rules)
    }

    /// Replaces the index rows of the contacts `ids`, which may have none yet, by `entries`; other entries are new.
    ///
    /// With `isLater` the new ones are added to the search tables by the next `indexTextsLeft`.
    func replaceEntries(of ids: some Collection<String>, by entries: [ContactIndexRow], isLater: Bool = false) throws {
        if !isLater { try indexTextsLeft() }
        let old = try ids.compactMap { id in
            try row("SELECT number, name, initials, reach, other, tags FROM contacts_entry WHERE id = ?", id) {
                StoredEntry(
                    id: id, number: $0.int(0), texts: [$0.text(1), $0.text(2), $0.text(3), $0.text(4)],
                    tags: ContactIndexRow.tags($0.text(5)))
            }
        }
        let oldByID = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
        var nextNumber = try row("SELECT ifnull(max(number), 0) + 1 FROM contacts_entry") { $0.int(0) } ?? 1
        var new: [(number: Int, entry: ContactIndexRow)] = []
        var stale = Set(old.map(\.number))
        var unsearchable = Set(old.map(\.number))
        var searchable: [Int] = []
        var kept: [(number: Int, entry: ContactIndexRow)] = []
        for entry in entries {
            guard let stored = oldByID[entry.id] else {
                new.append((nextNumber, entry))
                nextNumber += 1
                continue
            }
            stale.remove(stored.number)
            kept.append((stored.number, entry))
            if stored.texts == entry.texts {
                unsearchable.remove(stored.number)
            } else {
                searchable.append(stored.number)
            }
        }
        // The search tables have no copy of the text: old rows must be removed from them before the entries change.
        try forgetTexts(unsearchable)
        for entry in old {
            for tag in entry.tags {
                let folded = ContactIndexRow.folded(tag)
                try run("DELETE FROM contacts_tag WHERE folded = ? AND number = ?", folded, entry.number)
            }
            try run("DELETE FROM contacts_alias WHERE number = ?", entry.number)
            try run("DELETE FROM contacts_reference WHERE number = ?", entry.number)
            try run("DELETE FROM contacts_date WHERE number = ?", entry.number)
        }
        for run in stale.runs {
            try self.run("DELETE FROM contacts_entry WHERE number BETWEEN ? AND ?", run.lowerBound, run.upperBound)
        }
        for (number, entry) in kept { try update(entry, number: number) }
        for (number, entry) in new { try insert(entry, number: number) }
        for (number, entry) in kept + new {
            try insertTags(entry, number: number)
            if !entry.merged.isEmpty { try insertAliases(entry, number: number) }
            for day in entry.days { try run("INSERT INTO contacts_date (day, number) VALUES (?, ?)", day, number) }
            for uid in entry.references {
                try run("INSERT INTO contacts_reference (uid, number) VALUES (?, ?)", uid.bytes, number)
            }
        }
        if isLater, let first = new.first {
            try leaveTexts(from: first.number)
        } else {
            searchable += new.map(\.number)
        }
        try indexTexts(Set(searchable))
        try numberServed(Set(ids).union(entries.map(\.id)))
    }

    private func insert(_ entry: ContactIndexRow, number: Int) throws {
        try run(
            """
            INSERT INTO contacts_entry
                (number, id, sort_key, title, phone, email, tags, birthday, name, initials, reach, other, is_group,
                properties)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, number, entry.id, entry.sortKey, entry.summary.name, entry.summary.phone, entry.summary.email,
            ContactIndexRow.column(entry.summary.tags), entry.birthday, entry.name, entry.initials, entry.reach,
            entry.other, entry.summary.isGroup, entry.properties)
    }

    private func update(_ entry: ContactIndexRow, number: Int) throws {
        try run(
            """
            UPDATE contacts_entry SET sort_key = ?, title = ?, phone = ?, email = ?, tags = ?, birthday = ?, name = ?,
                initials = ?, reach = ?, other = ?, is_group = ?, properties = ?
            WHERE number = ?
            """, entry.sortKey, entry.summary.name, entry.summary.phone, entry.summary.email,
            ContactIndexRow.column(entry.summary.tags), entry.birthday, entry.name, entry.initials, entry.reach,
            entry.other, entry.summary.isGroup, entry.properties, number)
    }

    private func insertTags(_ entry: ContactIndexRow, number: Int) throws {
        for tag in entry.summary.tags {
            try run(
                "INSERT INTO contacts_tag (folded, number, tag) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                ContactIndexRow.folded(tag), number, tag)
        }
    }

    private func insertAliases(_ entry: ContactIndexRow, number: Int) throws {
        for (source, merged) in zip(entry.aliasSources, entry.merged) {
            try run(
                "INSERT INTO contacts_alias (source, number, content) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                source, number, merged.content)
        }
    }
}

/// The old index row of a contact.
private struct StoredEntry {
    let id: String
    let number: Int
    let texts: [String]
    let tags: [String]
}
