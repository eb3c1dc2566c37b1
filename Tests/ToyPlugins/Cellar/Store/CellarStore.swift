import CellarDomain
import CivilDate
import SQLite
import Storage

/// The tables of the plugin, and what is derived from them.
enum CellarSchema {
    static let tables = Migration(
        "0001-tables",
        """
        CREATE TABLE cellar_bottle (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, day TEXT, tags TEXT NOT NULL, revision INTEGER NOT NULL,
            changed_at INTEGER NOT NULL, deleted_at INTEGER) STRICT;
        CREATE TABLE cellar_text (bottle TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
        """)
}

extension Transaction {
    func bottle(_ id: String) throws -> Bottle? { try bottles("WHERE id = ?", [id]).first }

    /// Returns the items in the order of their creation, live ones or those in the trash.
    func bottles(inTrash: Bool) throws -> [Bottle] { try bottles("WHERE (deleted_at IS NOT NULL) = ?", [inTrash]) }

    /// Returns the live items that have a word with each of the given beginnings, in their names or tags.
    func bottles(matching words: [String]) throws -> [Bottle] {
        let conditions = words.map { _ in "AND instr(text, ' ' || ?) > 0" }.joined(separator: " ")
        return try bottles("JOIN cellar_text ON bottle = id WHERE deleted_at IS NULL \(conditions)", words)
    }

    func save(_ bottle: Bottle) throws {
        try run(
            """
            INSERT INTO cellar_bottle VALUES (?1, ?2, ?3, ?4, 1, ?5, NULL) ON CONFLICT (id) DO UPDATE
            SET name = ?2, day = ?3, tags = ?4, revision = revision + 1, changed_at = ?5
            """, bottle.id, bottle.name, bottle.day?.description, bottle.tags.joined(separator: " "),
            now.milliseconds)
        try reindexBottles([bottle.id])
    }

    func destroyBottle(_ id: String) throws {
        try run("DELETE FROM cellar_text WHERE bottle = ?", id)
        try run("DELETE FROM cellar_bottle WHERE id = ?", id)
    }

    /// Rebuilds the texts by which some items are found.
    func reindexBottles(_ ids: [String]) throws {
        for id in ids {
            try run("DELETE FROM cellar_text WHERE bottle = ?", id)
            if let bottle = try bottle(id) { try run("INSERT INTO cellar_text VALUES (?, ?)", id, bottle.searchText) }
        }
    }

    /// Returns the ids of the items whose stored text is not theirs.
    func bottlesWithStaleText() throws -> [String] {
        let texts = Dictionary(
            uniqueKeysWithValues: try rows("SELECT bottle, text FROM cellar_text") { ($0.text(0), $0.text(1)) })
        return try bottles("", []).filter { $0.searchText != texts[$0.id] }.map(\.id)
    }

    private func bottles(_ condition: String, _ arguments: [any Bindable]) throws -> [Bottle] {
        try rows(
            """
            SELECT id, name, day, tags, revision, deleted_at FROM cellar_bottle \(condition)
            ORDER BY cellar_bottle.rowid
            """, arguments: arguments
        ) { row in
            Bottle(
                id: row.text(0), name: row.text(1), day: row.optionalText(2).flatMap { CivilDate($0) },
                tags: row.text(3).split(separator: " ").map(String.init), revision: row.int(4),
                deletedAt: row.optionalInt(5).map { Instant(milliseconds: Int64($0)) })
        }
    }
}
