import Glibc
import HubKitTesting
import SQLite
import TestSupport
import Testing

@testable import Storage

/// The database of a process: when it opens, what it tells of itself, and how its log moves.
struct DatabaseTests {
    @Test func `nothing is opened or made before the first use, and again after a close`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Shelf.open(folder + "/data")
            #expect(!(await database.isOpen) && database.currentWriter() == nil && fileNames(in: folder).isEmpty)
            #expect(try await store.titles().isEmpty)
            #expect(await database.isOpen)
            let replica = try await database.replica()
            for _ in 0..<2 {
                await database.close()
                #expect(!(await database.isOpen))
                #expect(try await database.replica() == replica && !replica.isEmpty)
            }
            #expect(try await Shelf.inMemory().0.replica() != replica)
        }
    }

    @Test func `the file names its program and has a log`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, _) = Shelf.open(folder)
            try await database.prepare()
            let file = try Connection(folder + "/hub.db", mode: .readOnly)
            #expect(try file.row("PRAGMA application_id") { $0.int(0) } == 0x6875_6231)
            #expect(try file.row("PRAGMA journal_mode") { $0.text(0) } == "wal")
            #expect(try await !database.isReadOnly())
            #expect(try await database.writeRefusal() == nil)
            #expect(try await database.rollbackFailure() == nil)
            #expect(try await database.integrityProblems() == [])
        }
    }

    @Test func `the log moves into the file when no other reads it`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Shelf.open(folder)
            try await store.write(Operation("add")) { try $0.save("b1", "Walden") }
            let reader = try Connection(folder + "/hub.db", mode: .readOnly)
            try reader.run("BEGIN")
            #expect(try reader.row("SELECT count(*) FROM shelf_book") { $0.int(0) } == 1)
            try await store.write(Operation("add")) { try $0.save("b2", "Emma") }
            try await database.writer.use { try $0.connection.setBusyLimit(.zero) }
            #expect(try await database.checkpoint() == false)
            try reader.run("ROLLBACK")
            #expect(try await database.checkpoint())
            #expect(DataDirectory(path: folder).logSize == 0)
        }
    }

    @Test func `a part, or what can be fetched again, need not wait for the disk, and all else does`() async throws {
        let (database, store) = Shelf.inMemory()
        func synchronous() async throws -> Int? {
            try await database.writer.use { try $0.connection.row("PRAGMA synchronous") { $0.int(0) } }
        }
        try await store.write(Operation("add")) { try $0.save("b1", "Walden") }
        #expect(try await synchronous() == 2)
        try await store.bulk(Operation("import")) { bulk in
            try await bulk.chunk { try $0.save("b2", "Emma") }
            #expect(try await synchronous() == 1)
        }
        #expect(try await synchronous() == 2)
        try await store.write(Operation("prices", kind: .fetched)) { try $0.save("b3", "Persuasion") }
        #expect(try await synchronous() == 1)
        try await store.write(Operation("note", kind: .cache)) { try $0.save("b4", "Middlemarch") }
        #expect(try await synchronous() == 2)
    }

    @Test func `an event waits for the disk`() async throws {
        let (_, store) = Shelf.inMemory()
        await #expect(throws: HubError.self) {
            try await store.write(Operation("prices", kind: .fetched)) {
                try $0.emit(Event("domain.shelf/added", subject: "b1"))
            }
        }
    }

    @Test func `the log stays short while bulk work is taken back, whatever else is written`() async throws {
        let (database, store) = Shelf.inMemory()
        func pages() async throws -> Int? {
            try await database.writer.use { try $0.connection.row("PRAGMA wal_autocheckpoint") { $0.int(0) } }
        }
        try await store.write(Operation("add")) { try $0.save("b1", "Walden") }
        let usual = try await pages()
        try await database.writer.use { try $0.makeRoomForRollback() }
        let few = try await pages()
        #expect(few != usual)
        try await store.write(Operation("prices", kind: .fetched)) { try $0.save("b2", "Emma") }
        #expect(try await pages() == few)
        try await store.write(Operation("add")) { try $0.save("b3", "Persuasion") }
        #expect(try await pages() == few)
        try await database.writer.use { try $0.endRollback() }
        #expect(try await pages() == usual)
    }

    @Test func `a file that lost its content is not taken for a new one`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Shelf.open(folder)
            try await store.write(Operation("add")) { try $0.save("b1", "Walden") }
            await database.close()
            #expect(!fileNames(in: folder).contains("hub.db-wal"))
            truncate(folder + "/hub.db", 0)
            for _ in 0..<2 {
                let error = await #expect(throws: HubError.self) { try await Shelf.open(folder).1.titles() }
                #expect(error?.code == "store-damaged" && error?.hint?.contains("hub restore") == true)
            }
            unlink(folder + "/hub.db")
            #expect(try await Shelf.open(folder).1.titles().isEmpty, "one that is gone is made")
        }
    }

    @Test func `a missing file beside its log is not made anew`() async throws {
        try await withTemporaryDirectory { folder in
            close(open(folder + "/hub.db-wal", O_WRONLY | O_CREAT, 0o600))
            let titles = try await Shelf.open(folder).1.titles()
            #expect(titles.isEmpty, "an empty log holds nothing")
        }
        try await withTemporaryDirectory { folder in
            let log = open(folder + "/hub.db-wal", O_WRONLY | O_CREAT, 0o600)
            #expect(write(log, "x", 1) == 1)
            close(log)
            let error = await #expect(throws: HubError.self) { try await Shelf.open(folder).1.titles() }
            #expect(error?.code == "store-damaged" && error?.details.first?.contains("is missing") == true)
            #expect(fileNames(in: folder) == ["hub.db-wal"])
        }
    }

    /// One look at the clock: seconds since the first one, the age that is asked for, and the trusted second.
    private struct Look {
        let second: Int
        let age: Int
        let trusted: Int?

        init(_ second: Int, age: Int = 100, _ trusted: Int?) {
            (self.second, self.age, self.trusted) = (second, age, trusted)
        }
    }

    private static let lives: [[Look]] = [
        [Look(0, nil), Look(50, nil), Look(99, nil), Look(100, 100), Look(150, 150)],
        // A jump ahead, of more than two weeks, begins the wait again; a pause of less does not.
        [
            Look(0, nil), Look(1_209_600, 1_209_600), Look(2_419_201, nil), Look(2_419_300, nil),
            Look(2_419_301, 2_419_301),
        ],
        // So does one back; and it begins at the new time.
        [Look(0, nil), Look(100, 100), Look(50, nil), Look(149, nil), Look(150, 150)],
        // An age of nothing is trusted from the second look on.
        [Look(0, age: 0, nil), Look(0, age: 0, 0), Look(1, age: 0, 1)],
    ]

    @Test(arguments: lives.indices)
    func `the clock is trusted after it ran for as long as the age in question`(life: Int) async throws {
        let clock = ManualClock()
        let start = clock.now
        let database = Database(at: .memory, plugins: [Shelf.schema], clock: clock)
        for look in Self.lives[life] {
            clock.advance(by: start + .seconds(look.second) - clock.now)
            let trusted = try await database.trustedNow(forAge: .seconds(look.age))
            #expect(trusted == look.trusted.map { start + .seconds($0) }, "\(look)")
        }
        // It is never later than the newest operation.
        let last = clock.now
        try await database.store(for: "shelf").write(Operation("add")) { try $0.save("b1", "Walden") }
        clock.advance(by: .seconds(1000))
        #expect(try await database.trustedNow(forAge: .zero) == last)
    }

    @Test(arguments: 0..<40)
    func `a scope is kept as a number`(plugin: Int) {
        let scopes: [Scope] = [.store, .plugin(plugin), .migration(plugin)]
        #expect(scopes.map { Scope(rawValue: $0.rawValue) } == scopes)
        #expect(Set(scopes.map(\.rawValue)).count == 3)
    }

    @Test func `what the holder of a lock wrote is read, and nothing else is`() throws {
        let holder = try #require(FileLock.Holder(text: "12\n1700000000000\nhub contacts sync"))
        #expect(holder.process == 12 && holder.command == "hub contacts sync")
        #expect(holder.start == Instant(milliseconds: 1_700_000_000_000))
        #expect(FileLock.Holder(text: "12\n0\n")?.command == "")
        #expect(FileLock.Holder(text: "12\n0\ntwo\nlines")?.command == "two\nlines")
        for text in ["", "12", "12\n0", "x\n0\nhub", "12\nx\nhub", "99999999999\n0\nhub"] {
            #expect(FileLock.Holder(text: text) == nil, "\(text)")
        }
    }
}
