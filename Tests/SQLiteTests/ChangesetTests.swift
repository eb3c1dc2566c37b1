import SQLite
import TestSupport
import Testing

struct ChangesetTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute(
            """
            CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT, size REAL, raw BLOB) STRICT;
            CREATE TABLE b (x TEXT, y INTEGER, z ANY, PRIMARY KEY (x, y)) STRICT, WITHOUT ROWID;
            CREATE TABLE other (id INTEGER PRIMARY KEY) STRICT;
            """)
    }

    /// The changeset of what `body` does.
    private func record(_ body: () throws -> Void) throws -> Changeset {
        let session = try Session(connection, recording: TableFilter(["b", "a"]))
        try body()
        return try session.changeset()
    }

    private func dump() throws -> [[Value]] {
        try connection.rows("SELECT * FROM a ORDER BY 1") { row in (0..<row.count).map { row.value($0) } }
            + connection.rows("SELECT * FROM b ORDER BY 1, 2") { row in (0..<row.count).map { row.value($0) } }
    }

    @Test func `the reader sees what the session recorded`() throws {
        try connection.execute("INSERT INTO a VALUES (1, 'one', 1.5, x'01'); INSERT INTO b VALUES ('k', 2, 'old')")
        let changes = try record {
            try connection.execute(
                """
                INSERT INTO a VALUES (-2, 'two', NULL, x''); UPDATE b SET z = 300; DELETE FROM a WHERE id = 1;
                INSERT INTO other VALUES (1)
                """)
        }.changes()
        #expect(Set(changes.map(\.table.name)) == ["a", "b"])
        let inserted = try #require(changes.first { $0.kind == .insert })
        #expect((0..<4).map { inserted.new($0) } == [.integer(-2), .text("two"), .null, .blob([])])
        #expect(inserted.old(0) == nil && inserted.key == [.integer(-2)] && !inserted.isIndirect)
        let deleted = try #require(changes.first { $0.kind == .delete })
        #expect((0..<4).map { deleted.old($0) } == [.integer(1), .text("one"), .real(1.5), .blob([1])])
        let updated = try #require(changes.first { $0.kind == .update })
        #expect(updated.key == [.text("k"), .integer(2)] && updated.table.isKey == [true, true, false])
        #expect(updated.old(2) == .text("old") && updated.new(2) == .integer(300) && updated.new(0) == nil)
    }

    @Test func `nothing recorded is empty`() throws {
        let changeset = try record { try connection.run("INSERT INTO other VALUES (1)") }
        #expect(changeset.isEmpty)
        #expect(try changeset.changes().isEmpty)
    }

    @Test func `the inverse takes everything back`() throws {
        try connection.execute("INSERT INTO a VALUES (1, 'one', 1.5, x'01'); INSERT INTO b VALUES ('k', 2, 'old')")
        let before = try dump()
        let changeset = try record {
            try connection.execute("DELETE FROM a; UPDATE b SET z = NULL; INSERT INTO b VALUES ('n', 1, 2.5)")
        }
        try connection.apply(changeset.inverted()) { _ in .abort }
        #expect(try dump() == before)
    }

    @Test func `a change that does not fit is told with its row, and abort applies nothing`() throws {
        try connection.execute("INSERT INTO a VALUES (1, 'one', 0, x''), (2, 'two', 0, x'')")
        let changeset = try record { try connection.run("UPDATE a SET name = upper(name)") }
        try connection.run("UPDATE a SET name = 'moved' WHERE id = 2")
        let before = try dump()
        let inverse = try changeset.inverted()
        var seen: [Conflict] = []
        #expect(throws: SQLiteError.self) {
            try connection.apply(inverse) {
                seen.append($0)
                return .abort
            }
        }
        #expect(seen.count == 1 && seen[0].reason == .data && seen[0].table == "a" && seen[0].key == [.integer(2)])
        #expect(try dump() == before)
        try connection.apply(inverse) { _ in .omit }
        #expect(try connection.rows("SELECT name FROM a ORDER BY id") { $0.text(0) } == ["one", "moved"])
    }

    @Test func `a filtered changeset applies only what was kept`() throws {
        let changeset = try record {
            try connection.execute(
                "INSERT INTO a (id) VALUES (1), (2), (3); INSERT INTO b VALUES ('k', 1, NULL), ('l', 1, 'text')")
        }
        try connection.execute("DELETE FROM a; DELETE FROM b")
        try connection.apply(changeset.filter { $0.key.first != .integer(2) && $0.key.first != .text("k") }) { _ in
            .abort
        }
        #expect(try connection.rows("SELECT id FROM a ORDER BY id") { $0.int(0) } == [1, 3])
        #expect(try connection.rows("SELECT x FROM b") { $0.text(0) } == ["l"])
        #expect(try changeset.filter { _ in false }.isEmpty)
        #expect(try changeset.filter { _ in true } == changeset)
    }

    @Test func `cut and altered bytes are refused and never read out of bounds`() throws {
        let changeset = try record {
            try connection.execute(
                "INSERT INTO a VALUES (1, 'one', 1.5, x'0102'); INSERT INTO b VALUES ('k', 2, zeroblob(300))")
        }
        var generator = SeededGenerator(seed: 7)
        for length in changeset.bytes.indices {
            _ = try? Changeset(bytes: Array(changeset.bytes[..<length])).changes()
        }
        for _ in 0..<2000 {
            var bytes = changeset.bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            let changes = (try? Changeset(bytes: bytes).changes()) ?? []
            for change in changes { _ = (0..<change.table.columnCount).map { (change.old($0), change.new($0)) } }
        }
        #expect(throws: SQLiteError.self) { try Changeset(bytes: [1, 2, 3]).changes() }
        #expect(throws: SQLiteError.self) { try Changeset(bytes: Array(changeset.bytes.dropLast())).changes() }
    }

    @Test func `random changes read and undo as SQLite made them`() throws {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<200 {
            let before = try dump()
            let changeset = try record {
                for _ in 0..<Int.random(in: 1...8, using: &generator) {
                    let id = Int.random(in: 1...6, using: &generator)
                    let text = String(repeating: "x", count: .random(in: 0...200, using: &generator))
                    switch Int.random(in: 0...3, using: &generator) {
                    case 0: try connection.run("INSERT OR IGNORE INTO a VALUES (?, ?, ?, ?)", id, text, 0.5, [UInt8]())
                    case 1: try connection.run("UPDATE a SET name = ? WHERE id = ?", text, id)
                    case 2: try connection.run("DELETE FROM a WHERE id = ?", id)
                    default: try connection.run("INSERT OR IGNORE INTO b VALUES (?, ?, ?)", text, id, id)
                    }
                }
            }
            let after = try dump()
            #expect(try changeset.filter { _ in true } == changeset)
            try connection.apply(changeset.inverted()) { _ in .abort }
            #expect(try dump() == before)
            try connection.apply(changeset) { _ in .abort }
            #expect(try dump() == after)
        }
    }
}
