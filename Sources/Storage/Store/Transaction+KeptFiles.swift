import SQLite

/// The files of other programs, as a tree. The tables belong to the owner `core`, and each change is recorded.
extension Transaction {
    /// Returns the file or folder `name` in the folder with the id `parent`, empty for the top; nil if there is none.
    package func keptFile(_ name: String, in parent: String) throws -> KeptFile? {
        try row("\(KeptFile.select) WHERE parent = ? AND name = ?", parent, name, body: KeptFile.init)
    }

    /// Returns at most `limit` files of a folder after a name, by the bytes of their names.
    package func keptFiles(in parent: String, after name: String, limit: Int) throws -> [KeptFile] {
        try rows(
            "\(KeptFile.select) WHERE parent = ? AND name > ? ORDER BY name LIMIT ?", parent, name, limit,
            body: KeptFile.init)
    }

    /// Stores a new file or folder.
    package func insert(_ file: KeptFile) throws {
        try run(
            """
            INSERT INTO core_file (id, parent, name, blob, size, type, created_at, changed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, file.id, file.parent, file.name, file.blob, file.size, file.type, now.milliseconds, now.milliseconds)
        try countKept("")
    }

    /// Gives a file another content.
    package func setContent(_ blob: String, size: Int, type: String, of id: String) throws {
        try run(
            "UPDATE core_file SET blob = ?, size = ?, type = ?, changed_at = ? WHERE id = ?", blob, size, type,
            now.milliseconds, id)
        try countKept("")
    }

    /// Gives a file another place.
    package func move(keptFile id: String, to parent: String, as name: String) throws {
        try run("UPDATE core_file SET parent = ?, name = ? WHERE id = ?", parent, name, id)
        try countKept("")
    }

    /// Removes a file, or a folder with all that is in it.
    package func removeKeptFile(_ id: String) throws {
        for child in try keptIDs(below: id) + [id] {
            try run("DELETE FROM core_file_property WHERE file = ?", child)
            try run("DELETE FROM core_file WHERE id = ?", child)
        }
        try countKept("")
    }

    /// Returns the ids of all that is in a folder.
    private func keptIDs(below id: String) throws -> [String] {
        try rows(
            """
            WITH RECURSIVE tree(id) AS (
                SELECT id FROM core_file WHERE parent = ?
                UNION SELECT f.id FROM core_file AS f JOIN tree ON f.parent = tree.id)
            SELECT id FROM tree
            """, id
        ) { $0.text(0) }
    }

    /// Returns the properties of files, by the ids of these.
    package func keptProperties(of ids: [String]) throws -> [String: [String: String]] {
        var found: [String: [String: String]] = [:]
        for id in ids {
            let pairs = try rows("SELECT name, value FROM core_file_property WHERE file = ?", id) {
                ($0.text(0), $0.text(1))
            }
            if !pairs.isEmpty { found[id] = Dictionary(pairs) { $1 } }
        }
        return found
    }

    /// Sets a property of a file; nil removes it.
    package func setKeptProperty(_ name: String, _ value: String?, of id: String) throws {
        if let value {
            try run(
                """
                INSERT INTO core_file_property (file, name, value) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET value = excluded.value
                """, id, name, value)
        } else {
            try run("DELETE FROM core_file_property WHERE file = ? AND name = ?", id, name)
        }
        try countKept("")
    }

    /// Returns the number of bytes of all files.
    package func keptSize() throws -> Int { try row("SELECT total(size) FROM core_file") { Int($0.double(0)) } ?? 0 }

    /// Returns the number of the last change of a calendar, or of the files for an empty id.
    package func keptNumber(_ calendar: String) throws -> Int {
        try row("SELECT number FROM core_kept_number WHERE calendar = ?", calendar) { $0.int(0) } ?? 0
    }

    /// Begins the next change.
    @discardableResult
    package func countKept(_ calendar: String) throws -> Int {
        try run(
            """
            INSERT INTO core_kept_number (calendar, number) VALUES (?, 1)
            ON CONFLICT DO UPDATE SET number = number + 1
            """, calendar)
        return try keptNumber(calendar)
    }

    /// Gives numbers to what undo and redo have changed.
    func renumberKept(_ subjects: [String]) throws {
        try countKept("")
        for subject in subjects { try renumberKeptItem(subject) }
    }
}

/// A file or folder of another program.
package struct KeptFile: Hashable, Sendable {
    /// The id.
    package let id: String
    /// The id of the folder that it is in; empty for the top.
    package let parent: String
    /// The name.
    package let name: String
    /// The content; nil for a folder.
    package let blob: String?
    /// The size in bytes.
    package let size: Int
    /// The media type that a program gave it; empty if none did.
    package let type: String
    /// The time at which it was made.
    package var createdAt = Instant(milliseconds: 0)
    /// The time of the last change of its content.
    package var changedAt = Instant(milliseconds: 0)

    package init(id: String, parent: String, name: String, blob: String?, size: Int, type: String) {
        self.id = id
        self.parent = parent
        self.name = name
        self.blob = blob
        self.size = size
        self.type = type
    }

    fileprivate static let select =
        "SELECT id, parent, name, blob, size, type, created_at, changed_at FROM core_file"

    fileprivate init(_ row: borrowing Row) {
        self.init(
            id: row.text(0), parent: row.text(1), name: row.text(2), blob: row.optionalText(3), size: row.int(4),
            type: row.text(5))
        createdAt = Instant(milliseconds: Int64(row.int(6)))
        changedAt = Instant(milliseconds: Int64(row.int(7)))
    }
}
