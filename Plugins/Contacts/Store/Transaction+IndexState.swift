import ContactsDomain
package import HubKit
import SQLite

/// Under which rules the derived rows were made.
extension Transaction {
    /// The rules under which the derived rows were made; nil before the first.
    package func indexRules() throws -> IndexRules? {
        let values = try rows("SELECT key, value FROM contacts_index") { ($0.text(0), $0.text(1)) }
        let stored = Dictionary(values) { first, _ in first }
        guard let locale = stored["locale"] else { return nil }
        return IndexRules(
            locale: locale, nameOrder: stored["order"].flatMap(NameOrder.init) ?? .familyFirst,
            region: stored["region"])
    }

    /// Whether the derived rows were made under `rules`, or there are none. It is cheap: the version of the collation is
    /// not looked at.
    package func isIndexUsable(_ rules: IndexRules) throws -> Bool {
        if try indexValue("settings") == rules.settings { return true }
        return try row("SELECT NOT EXISTS (SELECT * FROM contacts_contact)") { $0.bool(0) } ?? true
    }

    /// Whether the sort keys were made by the collation that is installed, or there are none; asking loads it.
    package func isCollationUsable(_ rules: IndexRules) throws -> Bool {
        guard let stored = try indexValue("collation") else { return true }
        return stored == rules.collation
    }

    /// Readies the index for new rows under `rules`; false when all rows must be made again before.
    package func prepareIndex(_ rules: IndexRules) throws -> Bool {
        if try indexValue("settings") == rules.settings { return true }
        guard try isIndexUsable(rules) else { return false }
        try setIndexRules(rules)
        return true
    }

    /// Remembers that all derived rows are made under `rules`.
    package func setIndexRules(_ rules: IndexRules) throws {
        let values = [
            ("locale", rules.locale), ("order", rules.nameOrder.rawValue), ("region", rules.region),
            ("settings", rules.settings), ("collation", rules.collation),
        ]
        for (key, value) in values {
            try setIndexValue(key, value)
        }
    }

    /// What is known of the derived rows under `key`.
    func indexValue(_ key: String) throws -> String? {
        try row("SELECT value FROM contacts_index WHERE key = ?", key) { $0.text(0) }
    }

    /// Keeps, or with nil forgets, something about the derived rows.
    func setIndexValue(_ key: String, _ value: String?) throws {
        guard let value else {
            try run("DELETE FROM contacts_index WHERE key = ?", key)
            return
        }
        try run(
            "INSERT INTO contacts_index (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            key, value)
    }

    /// The ids behind `id` in the order of ids, at most `limit`: all contacts, step by step.
    package func contactIDs(after id: String, limit: Int) throws -> [String] {
        try rows("SELECT id FROM contacts_contact WHERE id > ? ORDER BY id LIMIT ?", id, limit) { $0.text(0) }
    }
}
