import SQLite
import Storage
import Synchronization
import TestSupport
import Testing

struct StoreTests {
    @Test(arguments: [Database.Executors.queues, .main])
    func `what is written can be read, in memory and in a file`(executors: Database.Executors) async throws {
        try await withTemporaryDirectory { folder in
            for (_, store) in [Shelf.inMemory(executors), Shelf.open(folder, executors)] {
                try await store.write(Operation("add")) { try $0.save("b1", "Walden", pages: 300) }
                #expect(try await store.titles() == ["Walden"])
            }
            let (_, again) = Shelf.open(folder, executors)
            #expect(try await again.titles() == ["Walden"])
        }
    }

    @Test func `a write that throws keeps nothing and disturbs no other in the same commit`() async throws {
        struct Stop: Error {}
        let (_, store) = Shelf.inMemory()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    do {
                        try await store.write(Operation("add")) { transaction in
                            try transaction.save("b\(number)", "Book \(number)")
                            if number % 2 == 1 { throw Stop() }
                        }
                    } catch is Stop {}
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.contents().books.count == 20)
        #expect(try await store.database.history.operations(limit: 100).count == 20)
    }

    private struct Failure: Error {}

    private final class Calls: Sendable {
        let places = Mutex<[Int]>([])
    }

    @Test func `what waits for the commit is called in the order of the writes, and only for those that are kept`()
        async throws
    {
        let (_, store) = Shelf.inMemory()
        let calls = Calls()
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    try? await store.write(Operation("add")) { transaction in
                        try transaction.save("b\(number)", "Walden")
                        let place = try transaction.contents().books.count
                        transaction.whenCommitted { calls.places.withLock { $0.append(place) } }
                        if number % 4 == 0 { throw Failure() }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(calls.places.withLock(\.self) == Array(1...15))
    }

    @Test func `the revision is another one after each commit of any process`() async throws {
        try await withTemporaryDirectory { folder in
            let (database, store) = Shelf.open(folder)
            #expect(store.revision == nil)
            let (_, other) = Shelf.open(folder)
            var (seen, others): (Set<Int>, Set<Int>) = ([], [])
            for (number, writer) in [store, other, store].enumerated() {
                try await writer.write(Operation("add")) { try $0.save("b\(number)", "Walden") }
                for reader in [store, other] { _ = try await reader.titles() }
                let (revision, theirs) = (try #require(store.revision), try #require(other.revision))
                #expect(seen.insert(revision).inserted && others.insert(theirs).inserted)
                #expect(store.revision == revision && other.revision == theirs)
            }
            await database.close()
            #expect(store.revision == nil && other.revision != nil)
        }
        let (_, store) = Shelf.inMemory()
        try await store.write(Operation("add")) { try $0.save("b1", "Walden") }
        #expect(store.revision == nil)
    }

    @Test func `a change inside a read is refused`() async throws {
        try await withTemporaryDirectory { folder in
            for (_, store) in [Shelf.inMemory(), Shelf.open(folder)] {
                await #expect(throws: HubError.self) { try await store.read { try $0.save("b1", "Walden") } }
                let titles = try await store.titles()
                #expect(titles.isEmpty)
            }
        }
    }

    @Test func `a domain error passes unchanged and a database error becomes one a person can read`() async throws {
        enum Rule: Error { case broken }
        let (_, store) = Shelf.inMemory()
        await #expect(throws: Rule.broken) { try await store.write(Operation("x")) { _ in throw Rule.broken } }
        let error = await #expect(throws: HubError.self) {
            try await store.write(Operation("x")) { try $0.run("SELECT nonsense") }
        }
        #expect(error?.kind == .internal)
        let name = try await store.write(Operation("x")) { transaction in
            do {
                try transaction.save("b1", "")
                return ""
            } catch let error as SQLiteError {
                return error.constraint ?? ""
            }
        }
        #expect(name == "title_blank")
    }

    @Test func `a commit names the topics of the writes that went well`() async throws {
        struct Stop: Error {}
        let (database, store) = Shelf.inMemory()
        let (topics, continuation) = AsyncStream.makeStream(of: Set<Topic>.self)
        database.onCommit { continuation.yield($0) }
        await #expect(throws: Stop.self) {
            try await store.write(Operation("x")) { transaction in
                transaction.afterCommit("domain.shelf/lost")
                throw Stop()
            }
        }
        try await store.write(Operation("x")) { $0.afterCommit("domain.shelf/kept") }
        var iterator = topics.makeAsyncIterator()
        #expect(await iterator.next() == ["domain.shelf/kept"])
    }

    @Test func `an owner that nobody knows has no store`() async throws {
        let (database, _) = Shelf.inMemory()
        let error = await #expect(throws: HubError.self) { try await database.store(for: "nobody").read { _ in } }
        #expect(error?.code == "plugin-disabled")
    }

    @Test func `two processes write at the same time and lose nothing`() async throws {
        try await withTemporaryDirectory { folder in
            let stores = (0..<2).map { _ in Shelf.open(folder).1 }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (process, store) in stores.enumerated() {
                    for task in 0..<4 {
                        group.addTask {
                            for number in 0..<25 {
                                try await store.write(Operation("add")) { transaction in
                                    try transaction.save("\(process)-\(task)-\(number)", "Book")
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            for store in stores { #expect(try await store.contents().books.count == 200) }
            #expect(try await stores[0].database.integrityProblems() == [])
        }
    }

    @Test func `the files are closed to others`() async throws {
        try await withTemporaryDirectory { folder in
            let (_, store) = Shelf.open(folder)
            try await store.write(Operation("add")) { try $0.save("b1", "Walden") }
            #expect(fileMode(folder + "/hub.db") == 0o600)
            #expect(fileMode(folder + "/hub.db-wal") == 0o600)
            #expect(fileMode(folder + "/locks") == 0o700)
        }
    }
}
