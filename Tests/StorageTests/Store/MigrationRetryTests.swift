import CivilDate
import HubKitTesting
import SQLite
import System
import TestSupport
import Testing

@testable import Storage

/// What happens after a migration has failed, and where history ends because of one that worked.
struct MigrationRetryTests {
    private static let books = Migration(
        "books", "CREATE TABLE shelf_a (id TEXT NOT NULL PRIMARY KEY, x TEXT) STRICT")
    private static let strict = Migration("strict", "CREATE UNIQUE INDEX shelf_once ON shelf_a (x)")

    private func database(_ migrations: [Migration], at folder: String, _ clock: any Clock) -> Database {
        let schema = PluginSchema(
            owner: "shelf", migrations: migrations, recorded: [RecordedTable("shelf_a", subject: "id")])
        return Database(at: .directory(folder), plugins: [schema], clock: clock, executors: .queues)
    }

    /// A folder in which the second migration fails, because two rows are equal; `body` gets the store of the first.
    private func failing(
        _ body: (_ folder: String, _ clock: ManualClock, _ equalRows: Store) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            let clock = ManualClock()
            let old = database([Self.books], at: folder, clock)
            try await old.store(for: "shelf").write(Operation("add")) {
                try $0.run("INSERT INTO shelf_a VALUES ('1', 'same'), ('2', 'same')")
            }
            await old.close()
            let new = database([Self.books, Self.strict], at: folder, clock)
            let problem = try #require(try await new.prepare()["shelf"])
            #expect(problem.code == "migration-failed" && problem.details.first?.contains("strict") == true)
            await new.close()
            // The cause is gone: an older hub has changed the rows.
            let repaired = database([Self.books], at: folder, clock)
            try await repaired.store(for: "shelf").write(Operation("repair")) {
                try $0.run("UPDATE shelf_a SET x = id")
            }
            await repaired.close()
            try await body(folder, clock, repaired.store(for: "shelf"))
        }
    }

    @Test(arguments: [(Duration.seconds(86_399), false), (.seconds(86_400), true), (.seconds(-1), true)])
    func `a failed migration is tried again after a day, or when the clock was wrong`(
        pause: Duration, isRetried: Bool
    ) async throws {
        try await failing { folder, clock, _ in
            clock.advance(by: pause)
            let database = database([Self.books, Self.strict], at: folder, clock)
            let problems = try await database.prepare()
            #expect(problems.isEmpty == isRetried)
            await database.close()
        }
    }

    @Test func `a failed migration is tried again when a person asks`() async throws {
        try await failing { folder, clock, _ in
            let database = database([Self.books, Self.strict], at: folder, clock)
            #expect(try await database.prepare().keys.sorted() == ["shelf"])
            try await database.retryMigrations()
            #expect(try await database.prepare().isEmpty)
            let count = try await database.store(for: "shelf").read {
                try $0.row("SELECT count(*) FROM shelf_a") { $0.int(0) }
            }
            #expect(count == 2)
            await database.close()
        }
    }

    @Test func `a corrected migration is tried at once`() async throws {
        try await failing { folder, clock, _ in
            let other = Migration("strict", "CREATE INDEX shelf_once ON shelf_a (x)")
            let database = database([Self.books, other], at: folder, clock)
            let problems = try await database.prepare()
            #expect(problems.isEmpty)
            await database.close()
        }
    }

    @Test func `a migration that fails leaves nothing of itself, and those before it stay`() async throws {
        try await withTemporaryDirectory { folder in
            let bad = Migration("bad", "CREATE TABLE shelf_b (id TEXT PRIMARY KEY) STRICT; SELECT nonsense")
            let broken = database([Self.books, bad], at: folder, SystemClock())
            #expect(try await broken.prepare().keys.sorted() == ["shelf"])
            let applied = try await broken.store(for: "core").read { transaction in
                try transaction.rows("SELECT id FROM core_migration WHERE owner = 'shelf'") { $0.text(0) }
            }
            #expect(applied == ["books"])
            await broken.close()
            let good = Migration("good", "CREATE TABLE shelf_b (id TEXT NOT NULL PRIMARY KEY) STRICT")
            let database = database([Self.books, good], at: folder, SystemClock())
            #expect(try await database.prepare().isEmpty)
            await database.close()
        }
    }

    @Test func `the tables of a new owner are made in one transaction, later ones step by step`() throws {
        let folder = try TemporaryFolder()
        let steps = (0..<8).map { Migration("step \($0)", "CREATE TABLE shelf_t\($0) (id TEXT)") }
        /// Applies what is missing, and returns the number of commits in the log of the database.
        func commits(_ name: String, _ migrations: ArraySlice<Migration>) throws -> Int {
            let path = "\(folder.path)/\(name).db"
            let catalog = SchemaCatalog([PluginSchema(owner: "shelf", migrations: Array(migrations))])
            let store = try StoreConnection(path, mode: .create, catalog: catalog, clock: SystemClock())
            try store.connection.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
            #expect(try Migrator(store, at: path).apply(MigrationPlan(store)).isEmpty)
            return try withExtendedLifetime(store) { try Self.commits(inLog: path + "-wal") }
        }
        let one = try commits("one", steps.prefix(1))
        #expect(try one > 0 && commits("all", steps[...]) == one)
        #expect(try commits("one", steps[...]) == steps.count - 1)
    }

    /// Returns the number of commits in a write-ahead log: a frame that ends one has the size of the database.
    private static func commits(inLog path: String) throws -> Int {
        let log = try BoundedFile.read(path, limit: 1 << 20)
        func number(_ start: Int) -> Int { log[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        let frame = 24 + number(8)
        return stride(from: 32, to: log.count, by: frame).count { number($0 + 4) > 0 }
    }

    @Test func `a store whose own tables were made by another hub is refused`() async throws {
        try await withTemporaryDirectory { folder in
            let first = database([], at: folder, SystemClock())
            _ = try await first.store(for: "core").write(Operation("x", kind: .cache)) {
                try $0.run("UPDATE core_migration SET checksum = '0' WHERE owner = 'core' AND position = 0")
            }
            await first.close()
            let error = await #expect(throws: HubError.self) {
                try await database([], at: folder, SystemClock()).prepare()
            }
            #expect(error?.code == "store-differs" && error?.kind == .config)
        }
    }

    /// Rebuilding a table ends its history: neither versions nor older rows can be told from then on.
    @Test func `history ends where a migration rebuilt a table`() async throws {
        try await withTemporaryDirectory { folder in
            let clock = ManualClock()
            let old = database([Self.books], at: folder, clock)
            try await old.store(for: "shelf").write(Operation("add", commandLine: "shelf add secret")) {
                try $0.run("INSERT INTO shelf_a VALUES ('1', 'secret'), ('2', 'other')")
            }
            await old.close()
            clock.advance(by: .seconds(10))
            let rebuilt = Migration(
                "rebuilt", "ALTER TABLE shelf_a DROP COLUMN x; ALTER TABLE shelf_a ADD COLUMN y TEXT")
            let database = database([Self.books, rebuilt], at: folder, clock)
            let store = database.store(for: "shelf")
            clock.advance(by: .seconds(10))
            try await store.write(Operation("edit")) { try $0.run("UPDATE shelf_a SET y = 'new'") }
            let history = database.history
            #expect(try await history.versions(of: "1", owner: "shelf").map(\.operation.name) == ["edit"])
            let between = clock.now - .seconds(5)
            let rows = try await history.rows(of: "1", owner: "shelf", at: between)
            #expect(rows == ["shelf_a": [["id": .text("1"), "y": .null]]])
            #expect(try await history.rows(of: "1", owner: "shelf", at: clock.now - .seconds(30)) == nil)
            // A change in another form cannot be taken apart, so nothing of it is kept.
            try await store.write(Operation("trash empty", kind: .cache)) { transaction in
                try transaction.forgetHistory(of: ["1"])
                try transaction.run("DELETE FROM shelf_a WHERE id = '1'")
            }
            let left = try await database.store(for: "core").read { transaction in
                try transaction.rows("SELECT coalesce(changeset, x''), command_line FROM core_change, core_operation") {
                    String(decoding: $0.blob(0), as: UTF8.self) + $0.text(1)
                }
            }
            #expect(!left.isEmpty && !left.contains { $0.contains("secret") })
            #expect(try await history.operations(of: "2", owner: "shelf").map(\.name) == ["edit", "add"])
            await database.close()
        }
    }

    @Test func `only the owner's objects count as changed by its migration`() throws {
        let catalog = SchemaCatalog([
            PluginSchema(owner: "shelf", migrations: []), PluginSchema(owner: "other", migrations: []),
        ])
        let store = try StoreConnection(":memory:", mode: .create, catalog: catalog, clock: SystemClock())
        let shelf = try #require(catalog["shelf"])
        func violation(_ sql: String) throws -> String? {
            let before = try SchemaObjects(store.connection)
            return try store.transact {
                try store.connection.execute(sql)
                do {
                    try SchemaObjects(store.connection).check(changesSince: before, by: shelf, in: store)
                    return nil
                } catch let violation as SchemaObjects.Violation {
                    return violation.reason
                }
            }
        }
        #expect(try violation("CREATE TABLE shelf_a (id INTEGER PRIMARY KEY, p REFERENCES shelf_a)") == nil)
        #expect(try violation("CREATE TABLE other_a (id)") == "other_a does not begin with shelf_")
        #expect(try violation("CREATE INDEX shelf_i ON other_a (id)") == "shelf_i does not begin with shelf_")
        #expect(try violation("DROP TABLE other_a") != nil)
        try store.withoutForeignKeys { _ = try store.connection.run("INSERT INTO shelf_a VALUES (1, 7)") }
        #expect(try violation("CREATE TABLE shelf_d (id)") == "shelf_a has rows with a dangling foreign key")
        try store.connection.run("DELETE FROM shelf_a")
        #expect(
            try violation("CREATE TABLE shelf_c (p REFERENCES other_b)") == "shelf_c has a foreign key to other_b")
    }
}
