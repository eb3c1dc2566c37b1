import SQLite

/// Which change touched which entity.
///
/// A change of a few entities has a row for each, found by index. A chunk of an import has one row with all of them:
/// hundreds of rows at random places of an index would cost more than the import itself. A search then looks through
/// the texts of these, which are few and lie together.
extension StoreConnection {
    /// The changes that touched an entity; the owner is parameter 1, the entity parameter 2.
    static let changesTouching = """
        SELECT change FROM core_touch WHERE owner = ?1 AND subject = ?2
        UNION ALL
        SELECT change FROM core_touch_list WHERE owner = ?1 AND instr(subjects, char(10) || ?2 || char(10)) > 0
        """

    private static let rowLimit = 32

    /// Notes which entities a change touched.
    func touch(_ subjects: Set<String>, owner: String, change: Int) throws {
        let sorted = subjects.sorted()
        guard sorted.count > Self.rowLimit, !sorted.contains(where: { $0.contains("\n") }) else {
            for subject in sorted {
                try connection.run(
                    "INSERT INTO core_touch (owner, subject, change) VALUES (?, ?, ?)", owner, subject, change)
            }
            return
        }
        try connection.run(
            "INSERT INTO core_touch_list (change, owner, subjects) VALUES (?, ?, ?)", change, owner,
            "\n" + sorted.joined(separator: "\n") + "\n")
    }

    /// Notes that a change, which touched `all`, now touches `kept` alone.
    func retouch(_ all: Set<String>, keeping kept: Set<String>, owner: String, change: Int) throws {
        if try connection.run("DELETE FROM core_touch_list WHERE change = ?", change) == 0 {
            for subject in all {
                try connection.run(
                    "DELETE FROM core_touch WHERE owner = ? AND subject = ? AND change = ?", owner, subject, change)
            }
        }
        try touch(kept, owner: owner, change: change)
    }

    /// Forgets everything that touched an entity.
    func removeTouches(of subject: String, owner: String) throws {
        try connection.run("DELETE FROM core_touch WHERE owner = ? AND subject = ?", owner, subject)
        try connection.run(
            """
            UPDATE core_touch_list SET subjects = replace(subjects, char(10) || ?2 || char(10), char(10))
            WHERE owner = ?1 AND instr(subjects, char(10) || ?2 || char(10)) > 0
            """, owner, subject)
    }

    /// Forgets what changes that are gone have touched.
    func removeDanglingTouches() throws {
        try connection.run("DELETE FROM core_touch WHERE change NOT IN (SELECT id FROM core_change)")
        try connection.run("DELETE FROM core_touch_list WHERE change NOT IN (SELECT id FROM core_change)")
    }

    /// Those of `subjects` that other operations have touched after a change.
    func touched(_ subjects: Set<String>, owner: String, after change: Int, except operation: Int) throws -> Set<String>
    {
        let lists = try connection.rows(
            """
            SELECT t.subjects FROM core_touch_list AS t JOIN core_change AS c ON c.id = t.change
            WHERE t.owner = ? AND t.change > ? AND c.operation <> ?
            """, owner, change, operation
        ) { Set($0.text(0).split(separator: "\n").map(String.init)) }
        return try subjects.filter { subject in
            try lists.contains { $0.contains(subject) }
                || connection.row(
                    """
                    SELECT 1 FROM core_touch AS t JOIN core_change AS c ON c.id = t.change
                    WHERE t.owner = ? AND t.subject = ? AND t.change > ? AND c.operation <> ? LIMIT 1
                    """, owner, subject, change, operation
                ) { _ in true } ?? false
        }
    }
}
