import SQLite
import TestSupport
import Testing

/// A changeset meets rows that are not as it expects.
struct ConflictTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute(
            """
            CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT UNIQUE, size INTEGER CHECK (size >= 0)) STRICT;
            CREATE TABLE part (id INTEGER PRIMARY KEY, thing INTEGER REFERENCES thing (id)) STRICT;
            """)
        try connection.set(.foreignKeys, to: true)
    }

    private func record(_ tables: [String] = ["thing", "part"], _ body: () throws -> Void) throws -> Changeset {
        let session = try Session(connection, recording: TableFilter(tables))
        try body()
        return try session.changeset()
    }

    private func names() throws -> [String] { try connection.rows("SELECT name FROM thing ORDER BY id") { $0.text(0) } }

    /// Applies `changeset` with one resolution for all conflicts, which are returned.
    private func apply(_ changeset: Changeset, _ resolution: Conflict.Resolution) throws -> [Conflict] {
        var conflicts: [Conflict] = []
        try connection.apply(changeset) {
            conflicts.append($0)
            return resolution
        }
        return conflicts
    }

    @Test func `a row that is not there any more`() throws {
        try connection.execute("INSERT INTO thing VALUES (1, 'a', 1), (2, 'b', 2)")
        let changes = try record { try connection.execute("UPDATE thing SET size = 9; DELETE FROM thing WHERE id = 2") }
        try connection.execute("DELETE FROM thing")
        let conflicts = try apply(changes, .omit)
        #expect(conflicts.map(\.reason) == [.notFound, .notFound])
        #expect(Set(conflicts.map(\.kind)) == [.update, .delete])
        #expect(conflicts.allSatisfy { $0.table == "thing" && !$0.isIndirect })
        let deleted = try #require(conflicts.first { $0.kind == .delete })
        #expect(deleted.key == [.integer(2)] && deleted.values == [.integer(2), .text("b"), .integer(2)])
        let updated = try #require(conflicts.first { $0.kind == .update })
        #expect(updated.key == [.integer(1)] && updated.values == [.integer(1), nil, .integer(1)])
        #expect(try names() == [])
    }

    @Test func `a key that is taken`() throws {
        let changes = try record { try connection.run("INSERT INTO thing VALUES (1, 'a', 1)") }
        try connection.run("UPDATE thing SET name = 'other'")
        let conflicts = try apply(changes, .omit)
        #expect(conflicts.map(\.reason) == [.occupied] && conflicts.map(\.kind) == [.insert])
        #expect(conflicts[0].values == [.integer(1), .text("a"), .integer(1)])
        #expect(try names() == ["other"])
        #expect(throws: SQLiteError.self) { try apply(changes, .abort) }
    }

    @Test func `a constraint that another row makes fail`() throws {
        let changes = try record { try connection.run("INSERT INTO thing VALUES (1, 'a', 1)") }
        try connection.execute("DELETE FROM thing; INSERT INTO thing VALUES (2, 'a', 2)")
        let conflicts = try apply(changes, .omit)
        #expect(conflicts.map(\.reason) == [.constraint] && conflicts[0].key == [.integer(1)])
        #expect(try names() == ["a"])
    }

    @Test func `foreign keys that would lead nowhere are one conflict of the whole`() throws {
        try connection.run("INSERT INTO thing VALUES (1, 'a', 1)")
        let changes = try record { try connection.execute("INSERT INTO part VALUES (1, 1), (2, 1)") }
        try connection.execute("DELETE FROM part; DELETE FROM thing")
        #expect(throws: SQLiteError.self) { try apply(changes, .abort) }
        #expect(try connection.row("SELECT count(*) FROM part") { $0.int(0) } == 0)
        let conflicts = try apply(changes, .omit)
        #expect(conflicts.map(\.reason) == [.foreignKey])
        #expect(conflicts[0].table == "" && conflicts[0].key == [] && conflicts[0].values == [])
        #expect(try connection.foreignKeyViolations(of: "part").count == 2)
    }

    @Test func `an abort in the midst takes back what was applied before`() throws {
        let changes = try record {
            for id in 1...20 { try connection.run("INSERT INTO thing VALUES (?, ?, 1)", id, "n\(id)") }
        }
        try connection.execute("DELETE FROM thing WHERE id <> 13")
        var seen = 0
        let error = try #require(throws: SQLiteError.self) {
            try connection.apply(changes) { _ in
                seen += 1
                return .abort
            }
        }
        #expect(seen == 1 && !error.isBusy)
        #expect(try names() == ["n13"])
        #expect(!connection.isInTransaction)
    }

    @Test func `each conflict is decided for itself`() throws {
        let changes = try record {
            for id in 1...5 { try connection.run("INSERT INTO thing VALUES (?, ?, 1)", id, "n\(id)") }
        }
        try connection.execute("DELETE FROM thing WHERE id IN (2, 4); UPDATE thing SET name = 'kept' || id")
        #expect(try apply(changes, .omit).count == 3)
        #expect(try names() == ["kept1", "n2", "kept3", "n4", "kept5"])
    }

    @Test func `what a foreign key or a trigger did is recorded as indirect`() throws {
        try connection.execute(
            """
            CREATE TABLE child (id INTEGER PRIMARY KEY, thing INTEGER REFERENCES thing (id) ON DELETE CASCADE) STRICT;
            CREATE TRIGGER noted AFTER INSERT ON thing BEGIN INSERT INTO part VALUES (new.id, NULL); END;
            INSERT INTO thing VALUES (1, 'a', 1);
            INSERT INTO child VALUES (5, 1);
            """)
        let changes = try record(["thing", "part", "child"]) {
            try connection.execute("DELETE FROM thing; INSERT INTO thing VALUES (2, 'b', 1)")
        }.changes()
        func indirect(_ table: String, _ kind: Change.Kind) -> [Bool] {
            changes.filter { $0.table.name == table && $0.kind == kind }.map(\.isIndirect)
        }
        #expect(indirect("thing", .delete) == [false] && indirect("thing", .insert) == [false])
        #expect(indirect("child", .delete) == [true])
        #expect(indirect("part", .insert) == [true])
    }

    @Test func `changes that cancel each other out are not in the record`() throws {
        try connection.run("INSERT INTO thing VALUES (1, 'a', 1)")
        let changes = try record {
            try connection.execute(
                """
                INSERT INTO thing VALUES (2, 'b', 2); DELETE FROM thing WHERE id = 2;
                UPDATE thing SET size = 5; UPDATE thing SET size = 1;
                """)
        }
        #expect(changes.isEmpty)
        let moved = try record { try connection.run("UPDATE thing SET id = 9") }.changes()
        #expect(Set(moved.map(\.kind)) == [.insert, .delete])
    }

    @Test func `a session records until it is read, and what was taken back is not in it`() throws {
        let session = try Session(connection, recording: TableFilter(["thing"]))
        let isEmpty = session.isEmpty
        #expect(isEmpty)
        try connection.run("BEGIN")
        try connection.run("INSERT INTO thing VALUES (1, 'a', 1)")
        try connection.run("ROLLBACK")
        let nothing = try session.changeset()
        #expect(nothing.isEmpty)
        try connection.run("INSERT INTO thing VALUES (2, 'b', 1)")
        let isEmptyNow = session.isEmpty
        #expect(!isEmptyNow)
        let one = try session.changeset()
        #expect(try one.changes().map(\.key) == [[.integer(2)]])
        try connection.run("INSERT INTO thing VALUES (3, 'c', 1)")
        let two = try session.changeset()
        #expect(try two.changes().count == 2)
    }

    @Test(arguments: [
        ["thing"], ["part"], ["thing", "part"], [], ["thin"], ["things"], ["thing2", "a", "thing", "zz", "part0"],
        ["Thing", "THING"], (0..<300).map { "t\($0)" } + ["thing"],
    ])
    func `only the tables of the filter are recorded`(tables: [String]) throws {
        let recorded = try record(tables) {
            try connection.execute("INSERT INTO thing VALUES (1, 'a', 1); INSERT INTO part VALUES (1, 1)")
        }.changes().map(\.table.name)
        #expect(Set(recorded) == Set(tables).intersection(["thing", "part"]))
        #expect(TableFilter(tables).tables == tables.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test func `a table without a key is passed over`() throws {
        try connection.execute("CREATE TABLE loose (a TEXT) STRICT")
        #expect(try record(["loose"]) { try connection.run("INSERT INTO loose VALUES ('a')") }.isEmpty)
    }

    /// SQLite alone never returns from a record that ends in the name of a table.
    @Test func `bytes that are no changeset apply nothing and end`() throws {
        try connection.execute("INSERT INTO thing VALUES (1, 'a', 1), (2, 'b', 2)")
        let changes = try record {
            try connection.execute("UPDATE thing SET size = size + 1; INSERT INTO part VALUES (1, 1)")
        }
        var random = SeededGenerator(seed: 3)
        for _ in 0..<1000 {
            var bytes = changes.bytes
            switch Int.random(in: 0...2, using: &random) {
            case 0: bytes.removeSubrange(Int.random(in: bytes.indices, using: &random)...)
            case 1: bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            default:
                bytes.insert(.random(in: 0...255, using: &random), at: Int.random(in: bytes.indices, using: &random))
            }
            let changed = Changeset(bytes: bytes)
            _ = try? changed.inverted()
            _ = try? connection.savepoint { () throws -> Void in
                try connection.apply(changed) { _ in .omit }
                throw CancellationError()
            }
        }
        #expect(try connection.integrityProblems() == [])
        #expect(try names() == ["a", "b"])
        #expect(throws: SQLiteError.self) { try Changeset(bytes: [1, 2, 3]).inverted() }
    }

    @Test func `an inverse of an inverse is the same, and undoes any change`() throws {
        try connection.execute("INSERT INTO thing VALUES (1, 'a', 1), (2, 'b', 2)")
        let changes = try record {
            try connection.execute("UPDATE thing SET name = NULL WHERE id = 1; DELETE FROM thing WHERE id = 2")
            try connection.run("INSERT INTO thing VALUES (3, 'c', 3)")
        }
        let inverse = try changes.inverted()
        #expect(try Set(inverse.inverted().changes().map(\.key)) == Set(changes.changes().map(\.key)))
        #expect(try apply(inverse, .abort).isEmpty)
        #expect(try names() == ["a", "b"])
        #expect(try apply(inverse.inverted(), .abort).isEmpty)
        #expect(try names() == ["", "c"])
        #expect(try Changeset(bytes: []).inverted().isEmpty)
    }
}
