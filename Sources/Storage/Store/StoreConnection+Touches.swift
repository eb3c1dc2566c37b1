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
        try noteStaleDocuments(of: subjects, owner: owner)
        let isList = subjects.count > Self.rowLimit && !subjects.contains { $0.utf8.contains(UInt8(ascii: "\n")) }
        guard isList else {
            for subject in subjects.sorted() {
                try connection.run(
                    "INSERT INTO core_touch (owner, subject, change) VALUES (?, ?, ?)", owner, subject, change)
            }
            return
        }
        try connection.run(
            "INSERT INTO core_touch_list (change, owner, subjects) VALUES (?, ?, ?)", change, owner,
            "\n" + subjects.joined(separator: "\n") + "\n")
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

    /// The changes that touched any of some entities, newest first.
    func changes(touching subjects: Set<String>, owner: String) throws -> [Int] {
        var changes = Set(try lists(holding: subjects, owner: owner).map(\.change))
        for subject in subjects {
            changes.formUnion(
                try connection.rows(
                    "SELECT change FROM core_touch WHERE owner = ? AND subject = ?", owner, subject
                ) { $0.int(0) })
        }
        return changes.sorted(by: >)
    }

    /// Forgets everything that touched some entities.
    func removeTouches(of subjects: Set<String>, owner: String) throws {
        for subject in subjects {
            try connection.run("DELETE FROM core_touch WHERE owner = ? AND subject = ?", owner, subject)
        }
        for (change, all) in try lists(holding: subjects, owner: owner) {
            let rest = all.filter { !subjects.contains($0) }
            if rest.isEmpty {
                try connection.run("DELETE FROM core_touch_list WHERE change = ?", change)
            } else {
                try connection.run(
                    "UPDATE core_touch_list SET subjects = ? WHERE change = ?",
                    "\n" + rest.joined(separator: "\n") + "\n",
                    change)
            }
        }
    }

    /// The lists that hold any of some entities, each with all of its entities.
    private func lists(holding subjects: Set<String>, owner: String) throws -> [(change: Int, subjects: [String])] {
        var found: [(change: Int, subjects: [String])] = []
        try connection.scan("SELECT change, subjects FROM core_touch_list WHERE owner = ?", arguments: [owner]) { row in
            let all = row.text(1).split(separator: "\n").map(String.init)
            if all.contains(where: subjects.contains) { found.append((row.int(0), all)) }
            return true
        }
        return found
    }

    /// Forgets what changes that are gone have touched.
    func removeDanglingTouches() throws {
        try connection.run("DELETE FROM core_touch WHERE change NOT IN (SELECT id FROM core_change)")
        try connection.run("DELETE FROM core_touch_list WHERE change NOT IN (SELECT id FROM core_change)")
    }

    /// Returns those of `subjects` that other operations have changed after a change.
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

extension StoreConnection {
    /// Lets the owner recompute its derived rows and announce the change, after rows were changed without it.
    /// - Returns: the topics that have news.
    func refresh(_ entry: SchemaCatalog.Entry, subjects: [String], operation: Operation) throws -> Set<Topic> {
        guard !subjects.isEmpty else { return [] }
        try noteStaleDocuments(of: subjects, owner: entry.schema.owner)
        let transaction = Transaction(self, entry: entry, operation: operation, now: clock.now)
        try inScope(.plugin(entry.number)) {
            try entry.schema.reindex(subjects, transaction)
            try entry.schema.announce(subjects, transaction)
        }
        return transaction.changedTopics
    }

    /// Runs `body` while foreign keys neither refuse nor cascade; this works inside a transaction too.
    func withoutForeignKeys<T>(_ body: () throws -> T) throws -> T {
        try connection.set(.foreignKeys, to: false)
        let result = Result { try body() }
        try connection.set(.foreignKeys, to: true)
        return try result.get()
    }

    /// All tables of the owner.
    func tables(of entry: SchemaCatalog.Entry) throws -> [String] {
        let prefix = entry.schema.owner + "_"
        return try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") { $0.text(0) }.filter {
            $0.hasPrefix(prefix)
        }
    }
}
