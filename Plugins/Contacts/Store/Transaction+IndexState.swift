import ContactsDomain
import SQLite
package import Storage

/// The options under which the index rows were built.
extension Transaction {
    /// Returns the options of the index rows; nil before the first.
    package func indexRules() throws -> IndexingOptions? {
        let values = try rows("SELECT key, value FROM contacts_index") { ($0.text(0), $0.text(1)) }
        let stored = Dictionary(values) { first, _ in first }
        guard let locale = stored["locale"] else { return nil }
        return IndexingOptions(
            locale: locale, nameOrder: stored["order"].flatMap(NameOrder.init) ?? .familyFirst,
            region: stored["region"])
    }

    /// Whether the index rows were built with `rules`, or there are none. It is cheap, since it does not check the
    /// version of the collation.
    package func isIndexUsable(_ rules: IndexingOptions) throws -> Bool {
        if try indexValue("settings") == rules.settings { return true }
        return try row("SELECT NOT EXISTS (SELECT * FROM contacts_contact)") { $0.bool(0) } ?? true
    }

    /// Whether the sort keys were built by the installed collation, or there are none; loads the collation.
    package func isCollationUsable(_ rules: IndexingOptions) throws -> Bool {
        guard let stored = try indexValue("collation") else { return true }
        return stored == rules.collation
    }

    /// Prepares the index for new rows with `rules`; returns false if all rows must be rebuilt before.
    package func prepareIndex(_ rules: IndexingOptions) throws -> Bool {
        if try indexValue("settings") == rules.settings { return true }
        guard try isIndexUsable(rules) else { return false }
        try setIndexingOptions(rules)
        return true
    }

    /// Records that all index rows are built with `rules`.
    package func setIndexingOptions(_ rules: IndexingOptions) throws {
        let values = [
            ("locale", rules.locale), ("order", rules.nameOrder.rawValue), ("region", rules.region),
            ("settings", rules.settings), ("collation", rules.collation),
        ]
        for (key, value) in values {
            try setIndexValue(key, value)
        }
    }

    /// Returns the value for `key` of the index state.
    func indexValue(_ key: String) throws -> String? {
        try row("SELECT value FROM contacts_index WHERE key = ?", key) { $0.text(0) }
    }

    /// Stores a value of the index state; nil deletes it.
    func setIndexValue(_ key: String, _ value: String?) throws {
        guard let value else {
            try run("DELETE FROM contacts_index WHERE key = ?", key)
            return
        }
        try run(
            "INSERT INTO contacts_index (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            key, value)
    }

    /// Returns the ids that begin so, at most `limit`, also of contacts in the trash.
    package func contactIDs(beginning prefix: String, limit: Int) throws -> [String] {
        try rows(
            "SELECT id FROM contacts_contact WHERE id >= ?1 AND substr(id, 1, length(?1)) = ?1 ORDER BY id LIMIT ?2",
            prefix, limit
        ) { $0.text(0) }
    }

    /// Returns the ids after `id` in order, at most `limit`, to process all contacts in steps.
    package func contactIDs(after id: String, limit: Int) throws -> [String] {
        try rows("SELECT id FROM contacts_contact WHERE id > ? ORDER BY id LIMIT ?", id, limit) { $0.text(0) }
    }
}
