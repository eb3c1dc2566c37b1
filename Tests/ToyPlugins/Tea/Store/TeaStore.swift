import SQLite
import Storage
import TeaDomain

/// The tables of teas, and what is derived from them.
enum TeaSchema {
    static let tables = Migration(
        "0001-teas",
        """
        CREATE TABLE tea_tea (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, grams INTEGER NOT NULL, tags TEXT NOT NULL, revision INTEGER NOT NULL,
            changed_at INTEGER NOT NULL, deleted_at INTEGER) STRICT;
        CREATE TABLE tea_order (
            account TEXT NOT NULL, number TEXT NOT NULL, tea TEXT NOT NULL, PRIMARY KEY (account, number)) STRICT;
        CREATE TABLE tea_text (tea TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
        """)
}

extension Transaction {
    func tea(_ id: String) throws -> Tea? { try teas("WHERE id = ?", [id]).first }

    /// Returns the teas in the order of their creation, live ones or those in the trash.
    func teas(inTrash: Bool) throws -> [Tea] { try teas("WHERE (deleted_at IS NOT NULL) = ?", [inTrash]) }

    /// Returns the live teas that have a word with each of the given beginnings, in their names or tags.
    func teas(matching words: [String]) throws -> [Tea] {
        let conditions = words.map { _ in "AND instr(text, ' ' || ?) > 0" }.joined(separator: " ")
        return try teas("JOIN tea_text ON tea = id WHERE deleted_at IS NULL \(conditions)", words)
    }

    func save(_ tea: Tea) throws {
        try run(
            """
            INSERT INTO tea_tea VALUES (?1, ?2, ?3, ?4, 1, ?5, NULL) ON CONFLICT (id) DO UPDATE
            SET name = ?2, grams = ?3, tags = ?4, revision = revision + 1, changed_at = ?5
            """, tea.id, tea.name, tea.grams, tea.tags.joined(separator: " "), now.milliseconds)
        try reindexTeas([tea.id])
    }

    func destroyTea(_ id: String) throws {
        for table in ["tea_order WHERE tea", "tea_text WHERE tea", "tea_tea WHERE id"] {
            try run("DELETE FROM \(table) = ?", id)
        }
    }

    func hasOrder(_ number: String, of account: String) throws -> Bool {
        try row("SELECT 1 FROM tea_order WHERE account = ? AND number = ?", account, number) { $0.int(0) } != nil
    }

    func note(order number: String, of account: String, for tea: String) throws {
        try run("INSERT INTO tea_order VALUES (?, ?, ?)", account, number, tea)
    }

    /// Rebuilds the texts by which some teas are found.
    func reindexTeas(_ ids: [String]) throws {
        for id in ids {
            try run("DELETE FROM tea_text WHERE tea = ?", id)
            if let tea = try tea(id) { try run("INSERT INTO tea_text VALUES (?, ?)", id, tea.searchText) }
        }
    }

    /// Returns the ids of the teas whose stored text is not theirs.
    func teasWithStaleText() throws -> [String] {
        let texts = Dictionary(
            uniqueKeysWithValues: try rows("SELECT tea, text FROM tea_text") { ($0.text(0), $0.text(1)) })
        return try teas("", []).filter { $0.searchText != texts[$0.id] }.map(\.id)
    }

    private func teas(_ condition: String, _ arguments: [any Bindable]) throws -> [Tea] {
        try rows(
            "SELECT id, name, grams, tags, revision, deleted_at FROM tea_tea \(condition) ORDER BY tea_tea.rowid",
            arguments: arguments
        ) { row in
            Tea(
                id: row.text(0), name: row.text(1), grams: row.int(2),
                tags: row.text(3).split(separator: " ").map(String.init), revision: row.int(4),
                deletedAt: row.optionalInt(5).map { Instant(milliseconds: Int64($0)) })
        }
    }
}
