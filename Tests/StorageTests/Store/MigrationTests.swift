import HubKitTesting
import SQLite
import Storage
import TestSupport
import Testing

struct MigrationTests {
    private func schema(_ owner: String = "shelf", _ migrations: Migration..., recorded: [RecordedTable] = [])
        -> PluginSchema
    {
        PluginSchema(owner: owner, migrations: migrations, recorded: recorded)
    }

    private func open(_ folder: String, _ plugins: PluginSchema...) -> Database {
        Database(at: .directory(folder), plugins: plugins, clock: SystemClock(), executors: .queues)
    }

    private static let first = Migration("first", "CREATE TABLE shelf_a (id TEXT NOT NULL PRIMARY KEY, x TEXT) STRICT")
    private static let grown = Migration("grown", "ALTER TABLE shelf_a ADD COLUMN y TEXT")
    private static let recorded = [RecordedTable("shelf_a", subject: "id")]

    @Test func `steps are applied in order, once, and a copy is made before data changes`() async throws {
        try await withTemporaryDirectory { folder in
            let old = open(folder, schema("shelf", Self.first))
            try await old.store(for: "shelf").write(Operation("add", kind: .cache)) {
                try $0.run("INSERT INTO shelf_a VALUES ('1', 'one')")
            }
            #expect(fileNames(in: folder + "/backups") == [])
            await old.close()
            for _ in 0..<2 {
                let new = open(folder, schema("shelf", Self.first, Self.grown))
                #expect(try await new.prepare().isEmpty)
                let row = try await new.store(for: "shelf").read { try $0.row("SELECT * FROM shelf_a") { $0.count } }
                #expect(row == 3)
                await new.close()
            }
            #expect(fileNames(in: folder + "/backups") == ["before-shelf-grown.db"])
        }
    }

    @Test func `a failed step shuts out its plugin alone, and is not tried with every command`() async throws {
        try await withTemporaryDirectory { folder in
            let broken = schema("shelf", Migration("bad", "CREATE TABLE shelf_a (id TEXT); SELECT nonsense"))
            let other = schema(
                "other", Migration("first", "CREATE TABLE other_a (id TEXT NOT NULL PRIMARY KEY) STRICT"))
            for _ in 0..<2 {
                let database = open(folder, broken, other)
                let problems = try await database.prepare()
                #expect(Array(problems.keys) == ["shelf"])
                await #expect(throws: HubError.self) { try await database.store(for: "shelf").read { _ in } }
                try await database.store(for: "other").write(Operation("x", kind: .cache)) {
                    try $0.run("INSERT INTO other_a VALUES ('1')")
                    try $0.run("DELETE FROM other_a")
                }
                try await database.retryMigrations()
                let still = try await database.prepare()
                #expect(Array(still.keys) == ["shelf"])
                await database.close()
            }
            let mended = open(folder, schema("shelf", Self.first), other)
            #expect(try await mended.prepare().isEmpty)
        }
    }

    @Test func `a database of a newer hub is refused`() async throws {
        try await withTemporaryDirectory { folder in
            let new = open(folder, schema("shelf", Self.first, Self.grown))
            try await new.prepare()
            await new.close()
            let old = open(folder, schema("shelf", Self.first))
            let error = await #expect(throws: HubError.self) { try await old.prepare() }
            #expect(error?.code == "store-newer")
        }
    }

    @Test func `a step that was altered afterwards shuts its plugin out`() async throws {
        try await withTemporaryDirectory { folder in
            let one = open(folder, schema("shelf", Self.first))
            try await one.prepare()
            await one.close()
            let altered = Migration("first", Self.first.sql + " ")
            #expect(try await open(folder, schema("shelf", altered)).prepare()["shelf"]?.code == "migration-differs")
        }
    }

    @Test func `a database of another program is refused and left alone`() async throws {
        try await withTemporaryDirectory { folder in
            try Connection(folder + "/hub.db").execute("CREATE TABLE theirs (x)")
            let error = await #expect(throws: HubError.self) { try await open(folder).prepare() }
            #expect(error?.code == "foreign-database")
        }
    }

    @Test(arguments: [
        "CREATE TABLE other_b (id TEXT)", "CREATE TABLE b (id TEXT)", "ALTER TABLE shelf_a RENAME TO other_b",
        "CREATE VIEW shelf_v AS SELECT * FROM core_operation",
        "CREATE TRIGGER shelf_t AFTER INSERT ON shelf_a BEGIN DELETE FROM shelf_a; END",
        "CREATE TABLE shelf_b (id TEXT REFERENCES core_operation)", "DROP TABLE core_operation",
        "CREATE INDEX shelf_i ON core_operation (id)", "ATTACH ':memory:' AS x", "DELETE FROM core_operation",
        "COMMIT", "PRAGMA user_version = 3", "CREATE TEMP TABLE shelf_b (id TEXT)",
    ])
    func `a migration keeps to the tables of its owner`(sql: String) async throws {
        let migrations = [Self.first, Migration("bad", sql)]
        let database = Database(
            at: .memory, plugins: [PluginSchema(owner: "shelf", migrations: migrations)], clock: SystemClock())
        #expect(try await database.prepare()["shelf"] != nil)
        #expect(try await database.integrityProblems() == [])
    }

    @Test(arguments: [
        "CREATE TABLE shelf_b (id TEXT NOT NULL PRIMARY KEY, a TEXT REFERENCES shelf_a, UNIQUE (a)) STRICT",
        "CREATE VIRTUAL TABLE shelf_f USING fts5 (x)", "CREATE VIEW shelf_v AS SELECT id FROM shelf_a",
        "CREATE INDEX shelf_i ON shelf_a (x)", "ALTER TABLE shelf_a RENAME COLUMN x TO z",
        "ALTER TABLE shelf_a DROP COLUMN x", "ALTER TABLE shelf_a RENAME TO shelf_b", "DROP TABLE shelf_a",
        """
        CREATE TABLE shelf_new (id TEXT NOT NULL PRIMARY KEY, x INTEGER) STRICT;
        INSERT INTO shelf_new SELECT id, CAST(x AS INTEGER) FROM shelf_a;
        DROP TABLE shelf_a; ALTER TABLE shelf_new RENAME TO shelf_a
        """,
    ])
    func `a migration may do to these what SQLite can`(sql: String) async throws {
        let migrations = [Self.first, Migration("good", sql)]
        let database = Database(
            at: .memory, plugins: [PluginSchema(owner: "shelf", migrations: migrations)], clock: SystemClock())
        #expect(try await database.prepare()["shelf"]?.description == nil)
    }

    @Test(arguments: [
        (Self.grown, true),
        (Migration("dropped", "ALTER TABLE shelf_a DROP COLUMN x"), false),
        (Migration("swapped", "ALTER TABLE shelf_a DROP COLUMN x; ALTER TABLE shelf_a ADD COLUMN z TEXT"), false),
    ])
    func `undo passes a migration that adds columns, and no other`(step: Migration, isPossible: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let old = open(folder, schema("shelf", Self.first, recorded: Self.recorded))
            try await old.store(for: "shelf").write(Operation("add")) {
                try $0.run("INSERT INTO shelf_a VALUES ('1', 'one')")
            }
            try await old.store(for: "shelf").write(Operation("edit")) { try $0.run("UPDATE shelf_a SET x = 'two'") }
            await old.close()
            let new = open(folder, schema("shelf", Self.first, step, recorded: Self.recorded))
            if isPossible {
                for _ in 0..<2 {
                    let report = try await new.history.undo(as: Operation("undo"))
                    #expect(report.isPossible)
                }
            } else {
                let error = await #expect(throws: HubError.self) { try await new.history.undo(as: Operation("undo")) }
                #expect(error?.code == "history-closed")
            }
            let count = try await new.store(for: "shelf").read {
                try $0.row("SELECT count(*) FROM shelf_a") { $0.int(0) }
            }
            #expect(count == (isPossible ? 0 : 1))
        }
    }

    @Test func `many that come at once find one database made once`() async throws {
        try await withTemporaryDirectory { folder in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask { try await Shelf.open(folder).0.prepare() }
                }
                try await group.waitForAll()
            }
            let count = try await Shelf.open(folder).0.store(for: "core").read {
                try $0.row("SELECT count(*) FROM core_migration WHERE owner = 'shelf'") { $0.int(0) }
            }
            #expect(count == 1)
        }
    }
}
