import Glibc
import SQLite
import TestSupport
import Testing

/// What concerns files: modes, locks of other connections, copies, the log, damage.
struct DatabaseFileTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = "\(folder.path)/hub.db"
    }

    private func open(_ mode: Connection.Mode = .create) throws -> Connection { try Connection(path, mode: mode) }

    /// A database in WAL mode with one table.
    private func made() throws -> Connection {
        let connection = try open()
        try connection.execute(
            "PRAGMA journal_mode = WAL; CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT) STRICT")
        return connection
    }

    private func ids(_ connection: Connection) throws -> [Int] {
        try connection.rows("SELECT id FROM thing ORDER BY id") { $0.int(0) }
    }

    @Test(arguments: [Connection.Mode.readOnly, .readWrite])
    func `only one mode makes a file`(mode: Connection.Mode) throws {
        let error = try #require(throws: SQLiteError.self) { try open(mode) }
        #expect(error.isCannotOpen && !error.isBusy && !error.isDamage)
        #expect(folder.names() == [])
    }

    @Test func `a connection for reading reads what others write, and writes nothing`() throws {
        let writer = try made()
        let reader = try open(.readOnly)
        #expect(reader.isReadOnly && !writer.isReadOnly)
        try writer.run("INSERT INTO thing VALUES (1, 'a')")
        #expect(try ids(reader) == [1])
        let error = try #require(throws: SQLiteError.self) { try reader.run("INSERT INTO thing VALUES (2, 'b')") }
        #expect(error.isReadOnly && !error.isDiskFull && !error.isPermanent)
        #expect(throws: SQLiteError.self) { try Connection("\(folder.path)/none/hub.db") }
    }

    @Test func `a second writer is busy until the first one ends, and works then`() throws {
        let (first, second) = (try made(), try open())
        try second.setBusyLimit(.zero)
        try first.run("BEGIN IMMEDIATE")
        try first.run("INSERT INTO thing VALUES (1, 'a')")
        let sql = "INSERT INTO thing VALUES (2, 'b')"
        for _ in 0..<3 {
            let error = try #require(throws: SQLiteError.self) { try second.run(sql) }
            #expect(error.isBusy && !error.isPermanent && error.sql == sql)
        }
        #expect(try ids(second) == [])
        try first.run("COMMIT")
        try second.run(sql)
        #expect(try ids(first) == [1, 2])
    }

    @Test func `a reader that would write after another writer has to begin again`() throws {
        let (first, second) = (try made(), try open())
        try second.setBusyLimit(.seconds(600))
        try second.run("BEGIN")
        #expect(try ids(second) == [])
        try first.run("INSERT INTO thing VALUES (1, 'a')")
        // However long the limit: waiting would not help.
        let error = try #require(throws: SQLiteError.self) { try second.run("INSERT INTO thing VALUES (2, 'b')") }
        #expect(error.isBusy)
        try second.run("ROLLBACK")
        try second.run("INSERT INTO thing VALUES (2, 'b')")
        #expect(try ids(first) == [1, 2])
    }

    @Test(arguments: [Duration.zero, .microseconds(1), .seconds(1), .seconds(3_000_000), .seconds(Int64.max)])
    func `any limit for waiting can be set`(limit: Duration) throws {
        try made().setBusyLimit(limit)
    }

    @Test func `the data version tells of commits of other connections only`() throws {
        let (first, second) = (try made(), try open())
        let version = try second.dataVersion()
        #expect(try second.dataVersion() == version)
        try second.run("INSERT INTO thing VALUES (1, 'a')")
        #expect(try second.dataVersion() == version)
        try first.run("BEGIN")
        try first.run("INSERT INTO thing VALUES (2, 'b')")
        #expect(try second.dataVersion() == version)
        try first.run("COMMIT")
        #expect(try second.dataVersion() != version)
    }

    @Test func `a copy has what was committed, without the log of the original`() throws {
        let connection = try made()
        let copy = "\(folder.path)/copy.db"
        try connection.run("INSERT INTO thing VALUES (1, ?)", String(repeating: "x", count: 100_000))
        let other = try open()
        try other.run("BEGIN IMMEDIATE")
        try other.run("INSERT INTO thing VALUES (2, 'open')")
        try connection.backup(to: copy)
        try other.run("COMMIT")
        let target = try Connection(copy, mode: .readOnly)
        #expect(try ids(target) == [1])
        #expect(try target.integrityProblems() == [])
        #expect(try ids(connection) == [1, 2])
    }

    @Test func `a copy over an older one replaces it, and a copy to nowhere fails`() throws {
        let connection = try made()
        let copy = "\(folder.path)/copy.db"
        try connection.execute("INSERT INTO thing VALUES (1, 'a')")
        try connection.backup(to: copy)
        try connection.execute("DELETE FROM thing; INSERT INTO thing VALUES (7, 'b')")
        try connection.backup(to: copy)
        #expect(try ids(Connection(copy, mode: .readOnly)) == [7])
        #expect(throws: SQLiteError.self) { try connection.backup(to: "\(folder.path)/none/copy.db") }
        try folder.write("this is a text that is long enough to be no database at all", to: "text.db")
        #expect(throws: SQLiteError.self) { try connection.backup(to: "\(folder.path)/text.db") }
    }

    @Test func `the log is emptied unless a reader still needs it`() throws {
        let (writer, reader) = (try made(), try open(.readOnly))
        try writer.setBusyLimit(.zero)
        try writer.run("INSERT INTO thing VALUES (1, 'a')")
        try reader.run("BEGIN")
        #expect(try ids(reader) == [1])
        try writer.run("INSERT INTO thing VALUES (2, 'b')")
        #expect(try writer.checkpoint() == false)
        #expect(try ids(reader) == [1])
        try reader.run("COMMIT")
        #expect(try writer.checkpoint())
        #expect(folder.read("hub.db-wal") == "")
        #expect(try ids(reader) == [1, 2])
    }

    @Test func `the journal in the header is the one that SQLite reads`() throws {
        var connection: Connection? = try made()
        try connection?.run("INSERT INTO thing VALUES (1, 'a')")
        connection = nil
        #expect(folder.names() == ["hub.db"])
        try DatabaseHeader.setJournal(.rollback, of: path)
        #expect(try open().row("PRAGMA journal_mode") { $0.text(0) } == "delete")
        try DatabaseHeader.setJournal(.log, of: path)
        #expect(try open().row("PRAGMA journal_mode") { $0.text(0) } == "wal")
        #expect(try ids(open()) == [1])
        let error = try #require(throws: SQLiteError.self) {
            try DatabaseHeader.setJournal(.log, of: "\(folder.path)/none.db")
        }
        #expect(error.isCannotOpen && error.systemCode == ENOENT)
    }

    @Test func `a file that is not a database is damage, and is left as it is`() throws {
        let text = String(repeating: "no database\n", count: 100)
        try folder.write(text, to: "hub.db")
        let connection = try open()
        let error = try #require(throws: SQLiteError.self) { try connection.rows("SELECT * FROM thing") { $0.int(0) } }
        #expect(error.isDamage && !error.isPermanent && !error.isCannotOpen)
        #expect(folder.read("hub.db") == text)
    }

    @Test func `a full disk is told apart, and takes nothing but its own change back`() throws {
        let connection = try made()
        try connection.run("INSERT INTO thing VALUES (1, 'a')")
        _ = try connection.row("PRAGMA max_page_count = 4") { $0.int(0) }
        let error = try #require(throws: SQLiteError.self) {
            try connection.run("INSERT INTO thing VALUES (2, ?)", String(repeating: "x", count: 1_000_000))
        }
        #expect(error.isDiskFull && !error.isPermanent && !error.isReadOnly)
        #expect(try ids(connection) == [1])
        _ = try connection.row("PRAGMA max_page_count = 1000000") { $0.int(0) }
        try connection.run("INSERT INTO thing VALUES (2, ?)", String(repeating: "x", count: 1_000_000))
        #expect(try connection.integrityProblems() == [])
    }

    @Test func `rows that break a rule are found`() throws {
        let connection = try made()
        try connection.execute(
            """
            CREATE TABLE checked (id INTEGER PRIMARY KEY, size INTEGER CHECK (size > 0)) STRICT;
            CREATE TABLE part (id INTEGER PRIMARY KEY, thing INTEGER REFERENCES thing (id)) STRICT;
            CREATE TABLE "odd ""name" (a TEXT PRIMARY KEY, b INTEGER REFERENCES thing (id),
                c INTEGER REFERENCES checked (id)) STRICT, WITHOUT ROWID;
            INSERT INTO thing VALUES (1, 'a'); INSERT INTO part VALUES (1, 1), (2, 9), (3, NULL);
            INSERT INTO "odd ""name" VALUES ('x', 8, NULL);
            """)
        #expect(try connection.integrityProblems() == [])
        try connection.execute(
            "PRAGMA ignore_check_constraints = ON; INSERT INTO checked VALUES (1, -1), (2, -2), (3, 1)")
        try connection.execute("PRAGMA ignore_check_constraints = OFF")
        #expect(try connection.integrityProblems().count == 2)
        #expect(try connection.integrityProblems(limit: 1).count == 1)
        let part = try connection.foreignKeyViolations(of: "part")
        #expect(part.map(\.row) == [2] && part.map(\.table) == ["part"] && part.map(\.parent) == ["thing"])
        let odd = try connection.foreignKeyViolations(of: "odd \"name")
        #expect(odd.map(\.row) == [nil] && odd.map(\.parent) == ["thing"] && odd.map(\.table) == ["odd \"name"])
        #expect(try connection.foreignKeyViolations(of: "thing") == [])
    }

    @Test func `foreign keys are enforced and cascade as soon as they are on`() throws {
        let connection = try made()
        try connection.execute(
            "CREATE TABLE part (id INTEGER PRIMARY KEY, thing INTEGER REFERENCES thing (id) ON DELETE CASCADE) STRICT")
        try connection.set(.foreignKeys, to: false)
        try connection.run("INSERT INTO part VALUES (1, 9)")
        try connection.run("DELETE FROM part")
        try connection.set(.foreignKeys, to: true)
        let error = try #require(throws: SQLiteError.self) { try connection.run("INSERT INTO part VALUES (1, 9)") }
        #expect(error.isConstraint && error.constraint == nil)
        try connection.execute("INSERT INTO thing VALUES (9, 'a'); INSERT INTO part VALUES (1, 9); DELETE FROM thing")
        #expect(try connection.row("SELECT count(*) FROM part") { $0.int(0) } == 0)
    }

    @Test func `a defensive connection does not let a statement write the schema`() throws {
        let connection = try made()
        let sql = "UPDATE sqlite_schema SET sql = 'CREATE TABLE thing (id)' WHERE name = 'thing'"
        try connection.set(.defensive, to: true)
        try connection.execute("PRAGMA writable_schema = ON")
        #expect(throws: SQLiteError.self) { try connection.run(sql) }
        try connection.set(.defensive, to: false)
        try connection.execute("PRAGMA writable_schema = ON")
        #expect(try connection.run(sql) == 1)
    }
}
