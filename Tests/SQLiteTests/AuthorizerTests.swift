import SQLite
import Synchronization
import Testing

struct AuthorizerTests {
    private final class Asked: Sendable {
        let requests = Mutex<[String]>([])
        var all: [String] { requests.withLock(\.self) }
    }

    let connection: Connection

    init() throws {
        connection = try Connection(":memory:")
        try connection.execute("CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT) STRICT")
    }

    @Test(arguments: [
        ("INSERT INTO thing VALUES (1, 'a')", AuthorizerRequest.Action.insert, "thing|"),
        ("UPDATE thing SET name = 'b'", .update, "thing|name"), ("DELETE FROM thing", .delete, "thing|"),
        ("SELECT name FROM thing", .read, "thing|name"), ("SELECT 1", .select, "|"),
        ("SELECT upper('a')", .function, "|upper"), ("PRAGMA user_version = 3", .pragma, "user_version|3"),
        ("BEGIN", .transaction, "BEGIN|"), ("SAVEPOINT step", .savepoint, "BEGIN|step"),
        ("CREATE TABLE other (id)", .createTable, "other|"), ("CREATE VIEW v AS SELECT 1", .createView, "v|"),
        ("CREATE INDEX i ON thing (name)", .createIndex, "i|thing"), ("DROP TABLE thing", .dropTable, "thing|"),
        ("ALTER TABLE thing ADD COLUMN more", .alterTable, "main|thing"),
        ("CREATE VIRTUAL TABLE search USING fts5(text)", .createVirtualTable, "search|fts5"),
        ("WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i FROM n) SELECT * FROM n", .recursive, "|"),
    ])
    func `every kind of statement is asked for by its name`(
        sql: String, action: AuthorizerRequest.Action, names: String
    ) throws {
        let asked = Asked()
        try connection.authorize { request, scope in
            asked.requests.withLock {
                $0.append("\(request.action.rawValue) \(request.name)|\(request.detail) \(scope)")
            }
            return true
        }
        connection.scope = 7
        try connection.prepare(sql)
        #expect(asked.all.contains("\(action.rawValue) \(names) 7"), "\(asked.all)")
    }

    @Test(arguments: ["SELECT name FROM thing", "UPDATE thing SET name = 'b'", "DROP TABLE thing", "DELETE FROM thing"])
    func `what is denied runs in no part`(sql: String) throws {
        try connection.run("INSERT INTO thing VALUES (1, 'a')")
        try connection.authorize { request, scope in scope == 0 || request.name != "thing" }
        connection.scope = 1
        let error = try #require(throws: SQLiteError.self) { try connection.run(sql) }
        #expect(error.isDenied && error.isPermanent && error.sql == sql)
        let script = try #require(throws: SQLiteError.self) { try connection.execute(sql) }
        #expect(script.isDenied)
        connection.scope = 0
        #expect(try connection.rows("SELECT name FROM thing") { $0.text(0) } == ["a"])
    }

    @Test func `a trigger and a view are asked for what they reach`() throws {
        try connection.execute(
            """
            CREATE TABLE secret (id INTEGER PRIMARY KEY) STRICT;
            CREATE TRIGGER copies AFTER INSERT ON thing BEGIN INSERT INTO secret VALUES (new.id); END;
            CREATE VIEW shows AS SELECT id FROM secret;
            """)
        try connection.authorize { request, scope in scope == 0 || request.name != "secret" }
        connection.scope = 1
        #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO thing VALUES (1, 'a')") }
        #expect(throws: SQLiteError.self) { try connection.rows("SELECT * FROM shows") { $0.int(0) } }
    }

    @Test func `a cached statement that is prepared again is asked for in its scope`() throws {
        try connection.authorize { request, scope in scope == 1 || request.name != "other" }
        try connection.execute("CREATE TABLE free (id INTEGER)")
        let sql = "SELECT * FROM free"
        connection.scope = 2
        #expect(try connection.rows(sql) { $0.int(0) } == [])
        connection.scope = 1
        try connection.execute(
            "CREATE TABLE other (id INTEGER); DROP TABLE free; CREATE VIEW free AS SELECT id FROM other")
        connection.scope = 2
        let error = try #require(throws: SQLiteError.self) { try connection.rows(sql) { $0.int(0) } }
        #expect(error.isDenied)
    }
}
