import HubKitTesting
import SQLite
import Storage
import Testing

struct ScopeTests {
    let store: Store

    init() async throws {
        let other = PluginSchema(
            owner: "other",
            migrations: [Migration("first", "CREATE TABLE other_a (id TEXT NOT NULL PRIMARY KEY) STRICT")])
        let database = Database(at: .memory, plugins: [Shelf.schema, other], clock: SystemClock())
        store = database.store(for: "shelf")
        // The same text under another owner must not be answered from the statement that it prepared.
        _ = try await database.store(for: "other").read { try $0.rows("SELECT id FROM other_a") { $0.text(0) } }
    }

    @Test(arguments: [
        "SELECT id FROM other_a", "INSERT INTO other_a VALUES ('x')", "DELETE FROM core_operation",
        "SELECT count(*) FROM other_a", "UPDATE core_setting SET value = ''", "DROP TABLE shelf_book",
        "CREATE TABLE shelf_x (id TEXT)", "PRAGMA foreign_keys = OFF", "PRAGMA writable_schema = ON", "COMMIT",
        "ROLLBACK",
        "BEGIN", "ATTACH ':memory:' AS x", "SELECT load_extension('x')", "VACUUM", "DELETE FROM sqlite_master",
        "INSERT INTO shelf_search_data VALUES (1, x'00')", "CREATE TEMP TABLE shelf_t (x)", "ANALYZE",
        "SELECT * FROM shelf_book WHERE id IN (SELECT id FROM other_a)", "REINDEX",
        "UPDATE sqlite_master SET sql = ''", "INSERT INTO sqlite_master VALUES ('table', 'a', 'a', 0, '')",
    ])
    func `a plugin cannot`(sql: String) async throws {
        await #expect(throws: HubError.self) { try await store.write(Operation("x")) { try $0.run(sql) } }
        await #expect(throws: HubError.self) { try await store.read { try $0.rows(sql) { $0.count } } }
    }

    @Test(arguments: [
        "SELECT * FROM shelf_book", "SELECT count(*) FROM shelf_book", "SELECT name FROM sqlite_master",
        "WITH t AS (SELECT id FROM shelf_book) SELECT count(*) FROM t", "SELECT value FROM json_each('[1]')",
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT sum(i) FROM n",
        "SELECT * FROM shelf_search WHERE shelf_search MATCH 'x' ORDER BY rank", "PRAGMA data_version",
        "INSERT INTO shelf_search (title) VALUES ('x') RETURNING rowid",
        "INSERT INTO shelf_search (shelf_search, rank) VALUES ('integrity-check', 1)",
        "UPDATE shelf_book SET title = t.title FROM shelf_title AS t WHERE t.book = id",
        "INSERT INTO shelf_title VALUES ('a', 'b') ON CONFLICT DO UPDATE SET title = excluded.title",
        "SELECT row_number() OVER (ORDER BY id) FROM shelf_book", "SELECT 1 FROM (SELECT 1 UNION SELECT 2)",
    ])
    func `a plugin can`(sql: String) async throws {
        _ = try await store.write(Operation("x")) { try $0.rows(sql) { $0.count } }
    }
}
