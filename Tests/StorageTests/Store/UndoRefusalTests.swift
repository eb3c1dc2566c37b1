import HubKitTesting
import SQLite
import Storage
import TestSupport
import Testing

/// What cannot be undone, and what a person is told then.
struct UndoRefusalTests {
    let database: Database
    let store: Store
    var history: History { database.history }

    init() { (database, store) = Shelf.inMemory() }

    private func refusal(_ id: String? = nil) async -> HubError? {
        await #expect(throws: HubError.self) { try await history.undo(id, as: Operation("undo")) }
    }

    @Test func `the beginning of several ids names none of them, and lists them`() async throws {
        for (id, name) in [("9zz1", "one"), ("9zz2", "two"), ("9zy3", "three")] {
            try await store.write(Operation(id: id, "add", commandLine: "shelf \(name)")) { try $0.save(id, name) }
        }
        let error = await refusal("9zz")
        #expect(error?.code == "operation-ambiguous" && error?.kind == .usage)
        #expect(error?.details == ["9zz2  shelf two", "9zz1  shelf one"])
        #expect(try await history.undo("9zy", as: Operation("undo")).target.commandLine == "shelf three")
        #expect(try await store.titles() == ["one", "two"])
    }

    @Test func `an id is found by its beginning, ten at most, and by no other text`() async throws {
        for number in 0..<12 {
            try await store.write(Operation(id: "9q\(10 + number)", "add")) { try $0.save("b\(number)", "Book") }
        }
        #expect(try await history.operations(matching: "9q").map(\.id) == (2..<12).reversed().map { "9q\(10 + $0)" })
        #expect(try await history.operations(matching: "9q21").count == 1)
        for text in ["9r", "q1", "%", "9q__", "9Q"] {
            #expect(try await history.operations(matching: text).isEmpty, "\(text)")
        }
    }

    @Test func `the history is read page by page, and by author`() async throws {
        for number in 0..<7 {
            let who: Operation.Author = number % 3 == 0 ? .service("sync") : .person
            try await store.write(Operation("add \(number)", who: who)) { try $0.save("b\(number)", "Book") }
        }
        var names: [String] = []
        var last: String?
        while case let page = try await history.operations(limit: 3, before: last), let end = page.last {
            names += page.map(\.name)
            last = end.id
        }
        #expect(names == (0..<7).reversed().map { "add \($0)" })
        #expect(
            try await history.operations(limit: 9, by: .service("sync")).map(\.name) == ["add 6", "add 3", "add 0"])
        #expect(try await history.operations(limit: 2, by: .person).map(\.name) == ["add 5", "add 4"])
        #expect(try await history.operations(limit: 9, by: .service("other")).isEmpty)
        #expect(try await history.operations(limit: 3, before: "none").count == 3)
    }

    @Test func `old values that break a rule of the tables are named as such`() async throws {
        let unique = PluginSchema(
            owner: "shelf",
            migrations: [
                Migration("first", "CREATE TABLE shelf_a (id TEXT NOT NULL PRIMARY KEY, x TEXT UNIQUE) STRICT")
            ], recorded: [RecordedTable("shelf_a", subject: "id")])
        let database = Database(at: .memory, plugins: [unique], clock: SystemClock())
        let store = database.store(for: "shelf")
        try await store.write(Operation("add")) { try $0.run("INSERT INTO shelf_a VALUES ('1', 'x')") }
        let target = Operation("free")
        try await store.write(target) { try $0.run("UPDATE shelf_a SET x = 'y'") }
        try await store.write(Operation("take")) { try $0.run("INSERT INTO shelf_a VALUES ('2', 'x')") }
        let report = try await database.history.undo(target.id, as: Operation("undo"))
        #expect(report.conflicts.map(\.reason) == [.constraint] && !report.isPossible)
        let rows = try await store.read { try $0.rows("SELECT id || x FROM shelf_a ORDER BY id") { $0.text(0) } }
        #expect(rows == ["1y", "2x"])
    }

    @Test func `a derived row that needs what would go keeps it`() async throws {
        let schema = PluginSchema(
            owner: "shelf",
            migrations: [
                Migration(
                    "first",
                    """
                    CREATE TABLE shelf_a (id TEXT NOT NULL PRIMARY KEY) STRICT;
                    CREATE TABLE shelf_b (a TEXT NOT NULL PRIMARY KEY REFERENCES shelf_a) STRICT
                    """)
            ], recorded: [RecordedTable("shelf_a", subject: "id")])
        let database = Database(at: .memory, plugins: [schema], clock: SystemClock())
        let store = database.store(for: "shelf")
        try await store.write(Operation("add")) { try $0.run("INSERT INTO shelf_a VALUES ('1')") }
        try await store.write(Operation("derive", kind: .cache)) { try $0.run("INSERT INTO shelf_b VALUES ('1')") }
        let report = try await database.history.undo(as: Operation("undo"))
        #expect(report.conflicts.map(\.table) == ["shelf_b"])
        #expect(report.conflicts.map(\.subject) == [nil] && report.conflicts.map(\.reason) == [.neededByLater])
        #expect(try await database.integrityProblems() == [])
    }

    @Test func `an undo looks at the rows that it touches, and at no others`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Shelf.open(folder)
            try await store.write(Operation("add")) { try $0.save("b1", "Walden") }
            try await store.write(Operation("read")) { try $0.addChapter("b1", 1, "Economy") }
            let other = try Connection(folder + "/hub.db", mode: .readWrite)
            try other.execute("INSERT INTO shelf_chapter VALUES ('gone', 1, 'damaged before')")
            #expect(try await database.history.undo(as: Operation("undo")).isPossible)
            #expect(try await database.history.redo(as: Operation("redo")).isPossible)
        }
    }

    @Test func `what is pruned is undone no more, and its undo still is`() async throws {
        let clock = ManualClock()
        let database = Database(at: .memory, plugins: [Shelf.schema], clock: clock)
        let store = database.store(for: "shelf")
        try await store.write(Operation("add")) { try $0.save("b1", "Walden") }
        let undo = Operation("undo")
        clock.advance(by: .seconds(10))
        _ = try await database.history.undo(as: undo)
        #expect(try await database.history.prune(before: clock.now) == 1)
        for error in [
            await #expect(throws: HubError.self) { try await database.history.redo(as: Operation("redo")) },
            await #expect(throws: HubError.self) { try await database.history.undo(as: Operation("undo")) },
        ] { #expect(error?.kind == .notFound) }
        #expect(try await database.history.undo(undo.id, as: Operation("undo")).direction == .undo)
        #expect(try await store.titles() == ["Walden"])
    }

    @Test func `an undone operation that is named is not undone twice`() async throws {
        let target = Operation("add", commandLine: "shelf add")
        try await store.write(target) { try $0.save("b1", "Walden") }
        _ = try await history.undo(target.id, as: Operation("undo"))
        let error = await refusal(target.id)
        #expect(error?.code == "already-undone" && error?.message.contains("shelf add") == true)
        _ = try await history.redo(as: Operation("redo"))
        #expect(try await history.undo(target.id, as: Operation("undo")).isPossible)
        #expect(try await store.titles().isEmpty)
    }
}
