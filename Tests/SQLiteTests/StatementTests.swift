import SQLite
import Testing

struct StatementTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute("CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT, raw BLOB) STRICT")
    }

    @Test func `every bindable type is stored as its own type`() throws {
        let values = try connection.row(
            "SELECT ?, ?, ?, ?, ?, ?, ?, ?", Int64.min, Int32.max, true, false, 2.5, "abc".dropFirst(), [UInt8](),
            Double?.none
        ) { row in (0..<row.count).map { row.value($0) } }
        #expect(
            values == [
                .integer(.min), .integer(Int(Int32.max)), .integer(1), .integer(0), .real(2.5), .text("bc"), .blob([]),
                .null,
            ])
    }

    @Test func `columns of other types are converted as SQLite does`() throws {
        let read = try connection.row("SELECT '12ab', 1.9, x'313233', NULL, 'x', 7") { row in
            (row.int(0), row.int(1), row.text(2), row.int(3), row.bool(4), row.blob(5))
        }
        let row = try #require(read)
        #expect(row.0 == 12 && row.1 == 1 && row.2 == "123" && row.3 == 0 && !row.4 && row.5 == Array("7".utf8))
        let optional = try connection.row("SELECT 1.5, x'00', NULL, NULL") { row in
            (row.optionalDouble(0), row.optionalBlob(1), row.optionalDouble(2), row.optionalBlob(3))
        }
        #expect(optional?.0 == 1.5 && optional?.1 == [0] && optional?.2 == nil && optional?.3 == nil)
    }

    @Test func `text that is not UTF-8 is repaired, and its bytes are still there`() throws {
        let read = try connection.row("SELECT CAST(x'61ff62' AS TEXT)") { ($0.text(0), $0.blob(0), $0.value(0)) }
        let row = try #require(read)
        #expect(row.0 == "a\u{FFFD}b" && row.1 == [0x61, 0xFF, 0x62] && row.2 == .text("a\u{FFFD}b"))
    }

    @Test func `a large blob is lent and copied whole`() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try connection.run("INSERT INTO thing VALUES (1, ?, ?)", String(repeating: "ż", count: 500_000), bytes)
        let read = try connection.row("SELECT raw, name FROM thing") { row in
            (row.withBytes(0) { $0.elementsEqual(bytes) }, row.blob(0) == bytes, row.text(1).unicodeScalars.count)
        }
        #expect(read?.0 == true && read?.1 == true && read?.2 == 500_000)
        #expect(try connection.row("SELECT x''") { $0.withBytes(0) { $0.count } } == 0)
    }

    @Test(arguments: [
        "DELETE FROM thing; DELETE FROM thing", "SELECT 1; -- two\nDELETE FROM thing", "SELECT 1;; /* x */ ;SELECT 2",
        "SELECT 1; nonsense",
    ])
    func `a second statement is refused, and the first is not run`(sql: String) throws {
        try connection.run("INSERT INTO thing (name) VALUES ('kept')")
        #expect(throws: SQLiteError.self) { try connection.run(sql) }
        #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
        #expect(try connection.row("SELECT count(*) FROM thing") { $0.int(0) } == 1)
    }

    @Test(arguments: ["SELECT 1;", "SELECT 1 ; \n;; -- that is all", "-- the one\nSELECT 1; /* and no other */\n"])
    func `comments, blanks and semicolons around a statement are no statements`(sql: String) throws {
        #expect(try connection.row(sql) { $0.int(0) } == 1)
    }

    @Test(arguments: ["", " ", "-- only this", ";"]) func `text without a statement is refused`(sql: String) {
        #expect { try connection.run(sql) } throws: { ($0 as? SQLiteError)?.message == "empty statement" }
    }

    @Test func `what one run bound is not there in the next one`() throws {
        let sql = "SELECT ?, ?"
        #expect(try connection.row(sql, "a", 1) { $0.text(0) } == "a")
        #expect(try connection.row(sql, nil as Int?, nil as Int?) { $0.isNull(0) && $0.isNull(1) } == true)
        // A run whose arguments do not fit leaves nothing behind either.
        #expect(throws: SQLiteError.self) { try connection.row(sql, "b") { $0.text(0) } }
        #expect(try connection.row(sql, nil as Int?, "c") { $0.isNull(0) && $0.text(1) == "c" } == true)
    }

    @Test func `a cached statement follows a change of the schema`() throws {
        let sql = "SELECT * FROM thing"
        try connection.run("INSERT INTO thing (id) VALUES (1)")
        #expect(try connection.row(sql) { $0.count } == 3)
        try connection.execute("ALTER TABLE thing ADD COLUMN more TEXT DEFAULT 'x'")
        #expect(try connection.row(sql) { ($0.count, $0.text(3)) } ?? (0, "") == (4, "x"))
        try connection.execute("DROP TABLE thing")
        let error = try #require(throws: SQLiteError.self) { try connection.row(sql) { $0.count } }
        #expect(error.message.contains("no such table") && error.sql == sql)
        try connection.execute("CREATE TABLE thing (id INTEGER PRIMARY KEY)")
        #expect(try connection.rows(sql) { $0.count } == [])
    }

    @Test func `a failed run leaves its statement usable`() throws {
        let sql = "INSERT INTO thing (id, name) VALUES (?, ?)"
        try connection.run(sql, 1, "a")
        for _ in 0..<3 {
            let error = try #require(throws: SQLiteError.self) { try connection.run(sql, 1, "b") }
            #expect(error.isConstraint && error.constraint == "thing.id" && error.sql == sql)
        }
        #expect(try connection.run(sql, 2, "c") == 1)
        #expect(connection.lastInsertedRow == 2)
        #expect(try connection.rows("SELECT name FROM thing ORDER BY id") { $0.text(0) } == ["a", "c"])
    }

    @Test func `statements that run inside themselves end in any order`() throws {
        try connection.run("INSERT INTO thing (id) VALUES (1), (2), (3)")
        func sum(_ depth: Int) throws -> Int {
            var total = 0
            try connection.scan("SELECT id FROM thing ORDER BY id", arguments: []) { row in
                total += row.int(0) + (depth == 0 ? 0 : try sum(depth - 1))
                // The inner ones end before all their rows were read.
                return depth == 3 || row.int(0) < 2
            }
            return total
        }
        // Without an end of its own a scan reads ids 1 and 2.
        #expect(try sum(0) == 3 && sum(1) == 3 + 2 * 3 && sum(3) == 6 + 3 * (3 + 2 * (3 + 2 * 3)))
    }

    @Test func `statements of one length are told apart, also when many are kept`() throws {
        for round in 0..<3 {
            for number in 100..<900 {
                #expect(try connection.row("SELECT \(number)") { $0.int(0) } == number, "round \(round)")
            }
        }
    }

    @Test func `the same text in two scopes is two statements`() throws {
        var seen: [Int] = []
        try connection.authorize { request, scope in
            if request.action == .select { seen.append(scope) }
            return true
        }
        for scope in [1, 2, 1, 2] {
            connection.scope = scope
            #expect(try connection.row("SELECT 42") { $0.int(0) } == 42)
        }
        #expect(seen == [1, 2])
    }

    @Test func `a script stops at its first error and says where`() throws {
        let script =
            "INSERT INTO thing (id) VALUES (1); INSERT INTO nothing VALUES (1); INSERT INTO thing (id) VALUES (2)"
        let error = try #require(throws: SQLiteError.self) { try connection.execute(script) }
        #expect(error.message.contains("nothing") && error.sql == script && error.isPermanent)
        #expect(try connection.rows("SELECT id FROM thing") { $0.int(0) } == [1])
    }

    @Test func `preparing runs nothing`() throws {
        try connection.prepare("DELETE FROM thing")
        try connection.prepare("INSERT INTO thing (id) VALUES (1)")
        #expect(throws: SQLiteError.self) { try connection.prepare("DELETE FROM nothing") }
        #expect(try connection.row("SELECT count(*) FROM thing") { $0.int(0) } == 0)
    }

    @Test func `rows that a change answers count as its rows`() throws {
        #expect(
            try connection.rows("INSERT INTO thing (name) VALUES ('a'), ('b') RETURNING id") { $0.int(0) } == [1, 2])
        #expect(try connection.run("DELETE FROM thing WHERE id > ?", 0) == 2)
        #expect(try connection.run("DELETE FROM thing") == 0)
    }
}

struct SavepointTests {
    struct Stop: Error {}
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute("CREATE TABLE thing (id INTEGER PRIMARY KEY ON CONFLICT ROLLBACK, name TEXT) STRICT")
    }

    private func ids() throws -> [Int] { try connection.rows("SELECT id FROM thing ORDER BY id") { $0.int(0) } }

    @Test func `savepoints nest, and an inner one takes back only its own changes`() throws {
        try connection.savepoint {
            try connection.run("INSERT INTO thing (id) VALUES (1)")
            #expect(throws: Stop.self) {
                try connection.savepoint { () throws -> Void in
                    try connection.run("INSERT INTO thing (id) VALUES (2)")
                    _ = try connection.savepoint { try connection.run("INSERT INTO thing (id) VALUES (3)") }
                    throw Stop()
                }
            }
            try connection.run("INSERT INTO thing (id) VALUES (4)")
        }
        #expect(try ids() == [1, 4])
        #expect(!connection.isInTransaction)
    }

    @Test func `a savepoint outside a transaction is one, and returns what its body returns`() throws {
        #expect(try connection.savepoint { connection.isInTransaction })
        #expect(throws: Stop.self) {
            try connection.savepoint { () throws -> Void in
                try connection.run("INSERT INTO thing (id) VALUES (1)")
                throw Stop()
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try ids() == [])
    }

    @Test func `an error that ended the whole transaction is passed on as it is`() throws {
        try connection.run("INSERT INTO thing (id) VALUES (1)")
        try connection.run("BEGIN")
        try connection.run("INSERT INTO thing (id) VALUES (2)")
        let error = try #require(throws: SQLiteError.self) {
            _ = try connection.savepoint { try connection.run("INSERT INTO thing (id) VALUES (1)") }
        }
        #expect(error.isConstraint)
        #expect(!connection.isInTransaction)
        #expect(try ids() == [1])
    }
}
