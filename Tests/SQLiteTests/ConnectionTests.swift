import SQLite
import Testing

struct ConnectionTests {
    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute(
            """
            CREATE TABLE thing (
                id INTEGER PRIMARY KEY, name TEXT, size REAL, raw BLOB, CONSTRAINT name_not_blank CHECK (name <> ''))
            STRICT
            """)
    }

    @Test(arguments: [
        Value.null, .integer(0), .integer(.max), .integer(.min), .real(1.5), .real(-0.0), .text(""), .text("żółw"),
        .text("a\0b"), .blob([]), .blob([0, 255]),
    ])
    func `a value comes back as it was bound`(value: Value) throws {
        #expect(try connection.row("SELECT ?", value) { $0.value(0) } == value)
    }

    @Test func `columns read as the type asked for`() throws {
        try connection.run("INSERT INTO thing VALUES (?, ?, ?, ?)", 7, "seven", 7.5, [UInt8](1...3))
        let read = try connection.row("SELECT * FROM thing") { row in
            (row.int(0), row.text(1), row.double(2), row.blob(3), row.count, row.name(1), row.optionalText(1))
        }
        let row = try #require(read)
        #expect(row.0 == 7 && row.1 == "seven" && row.2 == 7.5 && row.3 == [1, 2, 3])
        #expect(row.4 == 4 && row.5 == "name" && row.6 == "seven")
    }

    @Test func `NULL reads as nil where the form asked for allows it`() throws {
        let read = try connection.row("SELECT ?, ?", nil as String?, Int?.none) { row in
            (row.optionalText(0), row.optionalInt(1), row.isNull(0), row.text(0))
        }
        let row = try #require(read)
        #expect(row.0 == nil && row.1 == nil && row.2 && row.3 == "")
    }

    @Test func `run answers how many rows changed`() throws {
        #expect(try connection.run("INSERT INTO thing (name) VALUES ('a'), ('b'), ('c')") == 3)
        #expect(try connection.run("UPDATE thing SET size = 1 WHERE name > 'a'") == 2)
        #expect(try connection.run("SELECT 1") == 0)
    }

    @Test func `the same statement can run inside itself`() throws {
        try connection.run("INSERT INTO thing (name) VALUES ('a'), ('b')")
        let pairs = try connection.rows("SELECT name FROM thing ORDER BY id") { outer in
            let name = outer.text(0)
            return try connection.rows("SELECT name FROM thing ORDER BY id") { name + $0.text(0) }
        }
        #expect(pairs == [["aa", "ab"], ["ba", "bb"]])
    }

    @Test func `many different statements do not pile up or break those in use`() throws {
        try connection.run("INSERT INTO thing (name) VALUES ('a')")
        let sums = try connection.rows("SELECT id FROM thing") { row in
            try (0..<600).compactMap { number in try connection.row("SELECT \(number)") { $0.int(0) } }.reduce(0, +)
                + row.int(0)
        }
        #expect(sums == [599 * 300 + 1])
    }

    @Test func `a failed check names its constraint`() throws {
        let error = try #require(throws: SQLiteError.self) {
            try connection.run("INSERT INTO thing (name) VALUES ('')")
        }
        #expect(error.isConstraint)
        #expect(error.constraint == "name_not_blank")
        #expect(error.sql == "INSERT INTO thing (name) VALUES ('')")
    }

    @Test(arguments: ["SELECT", "SELECT * FROM nothing", "", "INSERT INTO thing VALUES (1)"])
    func `a statement that cannot be prepared is an error`(sql: String) {
        #expect(throws: SQLiteError.self) { try connection.run(sql) }
    }

    @Test func `too few and too many arguments are errors`() {
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?") }
        #expect(throws: SQLiteError.self) { try connection.run("SELECT ?", 1, 2) }
    }

    @Test func `a refused statement leaves no lock and no open row`() throws {
        struct Stop: Error {}
        try connection.run("INSERT INTO thing (name) VALUES ('a'), ('b')")
        #expect(throws: Stop.self) { try connection.rows("SELECT 1 FROM thing") { _ in throw Stop() } }
        try connection.execute("DROP TABLE thing")
    }

    @Test func `a savepoint that throws takes its changes back`() throws {
        struct Stop: Error {}
        try connection.run("BEGIN")
        try connection.run("INSERT INTO thing (name) VALUES ('kept')")
        #expect(throws: Stop.self) {
            try connection.savepoint {
                try connection.run("INSERT INTO thing (name) VALUES ('lost')")
                throw Stop()
            }
        }
        try connection.run("COMMIT")
        #expect(try connection.rows("SELECT name FROM thing") { $0.text(0) } == ["kept"])
    }

    @Test func `a connection for reading refuses changes, also those that answer rows`() throws {
        connection.refusesWrites = true
        #expect(throws: SQLiteError.self) { try connection.run("DELETE FROM thing") }
        #expect(throws: SQLiteError.self) {
            try connection.rows("INSERT INTO thing (name) VALUES ('a') RETURNING id") { $0.int(0) }
        }
        #expect(try connection.row("SELECT count(*) FROM thing") { $0.int(0) } == 0)
    }

    @Test func `the authorizer is asked with the scope, and statements are cached by scope`() throws {
        try connection.authorize { request, scope in
            scope == 0 || request.action != .read || request.name != "thing"
        }
        let sql = "SELECT id FROM thing"
        #expect(try connection.rows(sql) { $0.int(0) } == [])
        connection.scope = 1
        let error = try #require(throws: SQLiteError.self) { try connection.rows(sql) { $0.int(0) } }
        #expect(error.isDenied)
        connection.scope = 0
        #expect(try connection.rows(sql) { $0.int(0) } == [])
    }

    @Test func `a scan ends when it is told to`() throws {
        var seen: [Int] = []
        try connection.scan("SELECT value FROM json_each('[1,2,3]')", arguments: []) {
            seen.append($0.int(0))
            return seen.count < 2
        }
        #expect(seen == [1, 2])
    }

    @Test func `names are quoted`() {
        #expect(quoted("a\"b") == "\"a\"\"b\"")
    }
}
