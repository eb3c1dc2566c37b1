import Glibc
import HubKitTesting
import SQLite
import Storage
import TestSupport
import Testing

struct MaintenanceTests {
    private func filled(_ folder: String) async throws -> (Database, Store) {
        let (database, store) = Shelf.open(folder)
        for number in 0..<3 { try await store.write(Operation("add")) { try $0.save("b\(number)", "Book \(number)") } }
        return (database, store)
    }

    @Test func `a backup is whole, and restoring it keeps the replaced database`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = try await filled(folder)
            let copy = folder + "/copy.db"
            try await database.backup(to: copy)
            #expect(fileMode(copy) == 0o600)
            try await store.write(Operation("add")) { try $0.save("b9", "Later") }
            let replica = try await database.replica()
            let replaced = try await database.restore(from: copy).replaced
            let titles = try await store.titles()
            #expect(titles == ["Book 0", "Book 1", "Book 2"])
            let renewed = try await database.replica()
            #expect(replica != renewed)
            let count = try Connection(replaced, mode: .readOnly).row("SELECT count(*) FROM shelf_book") { $0.int(0) }
            #expect(count == 4)
            let undone = try await database.history.undo(as: Operation("undo"))
            #expect(undone.isPossible)
            #expect(!fileNames(in: folder).contains { $0.hasPrefix("restored") })
        }
    }

    @Test func `a restore waits for nobody: while another process has the store open it is refused`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, _) = try await filled(folder)
            let (other, store) = Shelf.open(folder)
            try await other.prepare()
            try await database.backup(to: folder + "/copy.db")
            let error = await #expect(throws: HubError.self) { try await database.restore(from: folder + "/copy.db") }
            #expect(error?.code == "store-in-use")
            let titles = try await store.titles()
            #expect(titles.count == 3)
        }
    }

    @Test(arguments: ["text", "empty", "foreign", "missing"])
    func `what is no backup is refused and nothing is lost`(kind: String) async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = try await filled(folder)
            let path = folder + "/bad.db"
            switch kind {
            case "text": write(Array("no database at all, but long enough to be read as one".utf8), to: path)
            case "empty": write([], to: path)
            case "foreign": try Connection(path).execute("CREATE TABLE theirs (x)")
            default: break
            }
            await #expect(throws: HubError.self) { try await database.restore(from: path) }
            let titles = try await store.titles()
            #expect(titles.count == 3)
        }
    }

    @Test func `a damaged database can be replaced`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = try await filled(folder)
            try await database.backup(to: folder + "/copy.db")
            await database.close()
            let garbage = [UInt8](repeating: 7, count: 9000)
            write(garbage, to: folder + "/hub.db")
            let error = await #expect(throws: HubError.self) { try await store.titles() }
            #expect(error?.code == "store-damaged")
            _ = try await database.restore(from: folder + "/copy.db")
            let titles = try await store.titles()
            #expect(titles.count == 3)
        }
    }

    @Test func `old operations lose their undo and keep their line, pruned ones lose both`() async throws {
        let (database, store) = Shelf.inMemory()
        for number in 0..<4 { try await store.write(Operation("add \(number)")) { try $0.save("b\(number)", "Book") } }
        #expect(try await database.history.expire(before: Instant(milliseconds: 0), keepingBytes: 1_000_000) == 0)
        #expect(try await database.history.expire(before: Instant(milliseconds: 0), keepingBytes: 80) > 0)
        #expect(try await database.history.operations(limit: 9).count == 4)
        let first = try await database.history.operations(of: "b0", owner: "shelf")
        let error = await #expect(throws: HubError.self) {
            try await database.history.undo(first[0].id, as: Operation("undo"))
        }
        #expect(error?.code == "history-gone")
        #expect(try await database.history.undo(as: Operation("undo")).isPossible)
        #expect(try await database.history.prune(before: SystemClock().now + .seconds(60)) == 5)
        #expect(try await database.history.operations(limit: 9).isEmpty)
        #expect(try await database.history.operations(of: "b0", owner: "shelf").isEmpty)
        #expect(try await store.contents().books.count == 3)
    }

    @Test func `a forgotten entity is in no record, and others keep theirs`() async throws {
        let (database, store) = Shelf.inMemory()
        try await store.write(Operation("add")) { transaction in
            try transaction.save("b1", "secret words")
            try transaction.save("b2", "Other")
            try transaction.addChapter("b1", 1, "secret chapter")
        }
        try await store.write(Operation("edit")) { try $0.run("UPDATE shelf_chapter SET heading = 'secret heading'") }
        try await store.write(Operation("trash empty", kind: .cache)) { transaction in
            try transaction.forgetHistory(of: ["b1"])
            try transaction.remove("b1")
        }
        let left = try await database.store(for: "core").read { transaction in
            try transaction.rows("SELECT changeset FROM core_change") { String(decoding: $0.blob(0), as: UTF8.self) }
        }
        #expect(left.count == 1 && !left[0].contains("secret"))
        #expect(try await database.history.operations(of: "b1", owner: "shelf").isEmpty)
        #expect(try await database.history.operations(limit: 9).map(\.name) == ["add"])
        #expect(try await database.history.undo(as: Operation("undo")).isPossible)
        #expect(try await store.contents() == Contents())
    }

    @Test func `one of many in a chunk is found and forgotten like any other`() async throws {
        let (database, store) = Shelf.inMemory()
        try await store.write(Operation("import")) { transaction in
            for number in 10..<90 { try transaction.save("b\(number)", "Book") }
        }
        let history = database.history
        #expect(try await history.operations(of: "b10", owner: "shelf").map(\.name) == ["import"])
        #expect(try await history.operations(of: "b1", owner: "shelf").isEmpty)
        try await store.write(Operation("trash empty", kind: .cache)) { transaction in
            try transaction.forgetHistory(of: ["b10", "b89"])
            for id in ["b10", "b89"] { try transaction.remove(id) }
        }
        #expect(try await history.operations(of: "b10", owner: "shelf").isEmpty)
        #expect(try await history.operations(of: "b11", owner: "shelf").count == 1)
        #expect(try await history.undo(as: Operation("undo")).subjects["shelf"]?.count == 78)
        #expect(try await store.contents() == Contents())
    }

    @Test func `a forgotten entity leaves nothing behind a change that has expired`() async throws {
        let clock = ManualClock()
        let database = Database(at: .memory, plugins: [Shelf.schema], clock: clock, executors: .queues)
        let store = database.store(for: "shelf")
        // The reader of a loan does not belong to its key: an update of another column names no reader.
        try await store.write(Operation("lend", commandLine: "lend to secret reader")) { transaction in
            try transaction.save("b1", "Walden")
            try transaction.run("INSERT INTO shelf_loan (book, reader) VALUES (NULL, 'secret reader')")
            try transaction.run("INSERT INTO shelf_loan (book, reader) VALUES (NULL, 'other')")
        }
        try await store.write(Operation("change")) { try $0.run("UPDATE shelf_loan SET book = 'b1'") }
        clock.advance(by: .seconds(100))
        try await store.write(Operation("rename")) {
            try $0.run("UPDATE shelf_loan SET book = NULL WHERE reader = 'secret reader'")
        }
        // As if the newest had grown too large to be kept.
        _ = try await database.store(for: "core").write(Operation("expire", kind: .cache)) {
            try $0.run("UPDATE core_change SET changeset = NULL WHERE id = (SELECT max(id) FROM core_change)")
        }
        try await store.write(Operation("trash empty", kind: .cache)) { transaction in
            try transaction.forgetHistory(of: ["secret reader"])
            try transaction.run("DELETE FROM shelf_loan WHERE reader = 'secret reader'")
        }
        let left = try await database.store(for: "core").read { transaction in
            try transaction.rows("SELECT coalesce(changeset, x'') FROM core_change") {
                String(decoding: $0.blob(0), as: UTF8.self)
            }
        }
        #expect(left.allSatisfy { !$0.contains("secret") })
        let lines = try await database.history.operations(limit: 9).map(\.commandLine)
        #expect(lines.contains("lend") && lines.allSatisfy { !$0.contains("secret") })
    }

    /// A year in the life of a store whose clock jumps now and then, far ahead and far back.
    @Test(arguments: 0..<20)
    func `a clock that jumps lets no operation lose its undo before its time`(seed: Int) async throws {
        let day = Duration.seconds(86_400)
        let life = day * 90
        var generator = SeededGenerator(seed: UInt64(seed))
        let clock = ManualClock()
        let database = Database(at: .memory, plugins: [Shelf.schema], clock: clock, executors: .queues)
        let store = database.store(for: "shelf")
        // The day on which each was really made.
        var made: [String: Int] = [:]
        func expire(on today: Int) async throws {
            guard let now = try await database.trustedNow(forAge: life) else { return }
            try await database.history.expire(before: now - life, keepingBytes: .max)
            let lost = try await database.store(for: "core").read { transaction in
                try transaction.rows(
                    """
                    SELECT o.id FROM core_operation AS o JOIN core_change AS c ON c.operation = o.seq
                    WHERE c.changeset IS NULL
                    """
                ) { $0.text(0) }
            }
            for id in lost {
                let age = today - (made[id] ?? today)
                #expect(age >= 90, "seed \(seed): lost its undo after \(age) days")
            }
        }
        for today in 0..<300 {
            clock.advance(by: day)
            if Int.random(in: 0..<40, using: &generator) == 0 {
                let days = Int.random(in: 15...400, using: &generator)
                clock.advance(by: day * (Bool.random(using: &generator) ? days : -days))
                try await expire(on: today)
            }
            let operation = Operation("add")
            made[operation.id] = today
            try await store.write(operation) { try $0.save("b\(today)", "Book") }
            try await expire(on: today)
        }
    }

    @Test func `an operation that was made under an old clock keeps its undo for as long as any other`() async throws {
        let day = Duration.seconds(86_400)
        let clock = ManualClock(now: Instant(milliseconds: 0))
        let database = Database(at: .memory, plugins: [Shelf.schema], clock: clock, executors: .queues)
        try await database.store(for: "shelf").write(Operation("add")) { try $0.save("b1", "Walden") }
        // The network sets the clock, and then the daemon looks for the first time.
        clock.advance(by: day * 20_000)
        try await database.store(for: "shelf").write(Operation("add")) { try $0.save("b2", "Emma") }
        var lost: [Int] = []
        for today in 0..<120 {
            if let now = try await database.trustedNow(forAge: day * 90),
                try await database.history.expire(before: now - day * 90, keepingBytes: .max) > 0
            {
                lost.append(today)
            }
            clock.advance(by: day)
            try await database.store(for: "shelf").write(Operation("add")) { try $0.save("c\(today)", "Book") }
        }
        #expect(lost.first.map { $0 >= 90 } == true, "\(lost)")
    }

    @Test func `with a clock that is right what is old loses its undo`() async throws {
        let day = Duration.seconds(86_400)
        let clock = ManualClock()
        let database = Database(at: .memory, plugins: [Shelf.schema], clock: clock, executors: .queues)
        let store = database.store(for: "shelf")
        var expired = 0
        for today in 0..<120 {
            try await store.write(Operation("add")) { try $0.save("b\(today)", "Book") }
            if let now = try await database.trustedNow(forAge: day * 90) {
                expired += try await database.history.expire(before: now - day * 90, keepingBytes: .max)
            }
            clock.advance(by: day)
        }
        #expect(expired == 29, "those of the first days, up to 90 days before the last")
    }

    private func write(_ bytes: [UInt8], to path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(descriptor) }
        #expect(bytes.isEmpty || Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    }
}
