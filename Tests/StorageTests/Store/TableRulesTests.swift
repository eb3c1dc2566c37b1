import HubKitTesting
import Storage
import Testing

struct TableRulesTests {
    @Test func `sound tables break no rule`() throws {
        #expect(try TableRules.breaches(of: Shelf.schema) == [])
    }

    @Test(arguments: [
        ("CREATE TABLE shelf_a (id TEXT NOT NULL PRIMARY KEY, s TEXT)", "is not STRICT"),
        ("CREATE TABLE shelf_a (id TEXT, s TEXT) STRICT", "has no primary key"),
        ("CREATE TABLE shelf_a (id INTEGER PRIMARY KEY, s TEXT) STRICT", "AUTOINCREMENT is missing"),
        ("CREATE TABLE shelf_a (id TEXT NOT NULL PRIMARY KEY) STRICT", "has no column s"),
        ("CREATE TABLE shelf_b (id TEXT NOT NULL PRIMARY KEY) STRICT", "does not exist"),
        ("CREATE TABLE shelf_a (id TEXT NOT NULL PRIMARY KEY, s TEXT, g TEXT AS (s)) STRICT", "generated column"),
        ("CREATE TABLE shelf_a (id TEXT NOT NULL PRIMARY KEY, s TEXT CHECK (s > '')) STRICT", "without a name"),
        ("CREATE TABLE shelf_a (id TEXT NOT NULL PRIMARY KEY, s TEXT, position INTEGER UNIQUE) STRICT", "is an order"),
        (
            """
            CREATE TABLE shelf_b (id TEXT NOT NULL PRIMARY KEY) STRICT;
            CREATE TABLE shelf_a (id TEXT NOT NULL PRIMARY KEY, s TEXT REFERENCES shelf_b) STRICT
            """, "belongs to shelf_b"
        ),
        ("CREATE TABLE shelf_a (id TEXT REFERENCES core_operation)", "foreign key to core_operation"),
        (
            """
            CREATE TABLE shelf_a (id TEXT NOT NULL PRIMARY KEY, s TEXT) STRICT;
            CREATE TABLE shelf_b (t TEXT, u TEXT NOT NULL, id TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID
            """, "shelf_b has no rowid, and its key columns are not the first ones"
        ),
    ])
    func `a breach is named`(sql: String, expected: String) throws {
        let schema = PluginSchema(
            owner: "shelf", migrations: [Migration("first", sql)], recorded: [RecordedTable("shelf_a", subject: "s")])
        let breaches = try TableRules.breaches(of: schema)
        #expect(breaches.contains { $0.contains(expected) }, "\(breaches)")
    }
}
