import Glibc
import SQLite
import TestSupport
import Testing

@testable import Storage

/// With chunks of few entities and of many, which the history notes in different ways.
struct BulkWriteTests {
    private static let sizes = [10, 40]

    private func fill(_ bulk: BulkWrite, _ chunks: Range<Int>, size: Int = 10) async throws {
        for chunk in chunks {
            try await bulk.chunk { transaction in
                for number in 0..<size { try transaction.save("c\(chunk)-\(number)", "Book \(number)") }
                try transaction.addChapter("c\(chunk)-0", 1, "First")
            }
        }
    }

    @Test(arguments: sizes)
    func `many chunks are one operation, and undo takes back all of them`(size: Int) async throws {
        let (database, store) = Shelf.inMemory()
        try await store.write(Operation("before")) { try $0.save("b1", "Walden") }
        let before = try await store.contents()
        try await store.bulk(Operation("import")) { try await fill($0, 0..<7, size: size) }
        let full = try await store.contents()
        #expect(full.books.count == 7 * size + 1)
        #expect(try await database.history.operations(limit: 9).map(\.name) == ["import", "before"])
        let report = try await database.history.undo(as: Operation("undo"))
        #expect(report.subjects["shelf"]?.count == 7 * size)
        #expect(try await store.contents() == before)
        _ = try await database.history.redo(as: Operation("redo"))
        #expect(try await store.contents() == full)
    }

    @Test func `items are divided into chunks by time`() async throws {
        let (_, store) = Shelf.inMemory()
        try await store.bulk(Operation("import")) { bulk in
            try await bulk.forEach(in: 0..<2000) { try $0.save("b\($1)", "Book") }
        }
        #expect(try await store.contents().books.count == 2000)
    }

    @Test(arguments: sizes)
    func `a failure takes back all chunks at once`(size: Int) async throws {
        struct Stop: Error {}
        let (database, store) = Shelf.inMemory()
        try await store.write(Operation("before")) { try $0.save("c1-1", "Mine") }
        let before = try await store.contents()
        await #expect(throws: Stop.self) {
            try await store.bulk(Operation("import")) { bulk in
                try await fill(bulk, 0..<3, size: size)
                throw Stop()
            }
        }
        #expect(try await store.contents() == before)
        #expect(try await database.history.operations(limit: 9).map(\.state) == [.abandoned, .done])
        #expect(try await database.history.undo(as: Operation("undo")).target.name == "before")
    }

    @Test func `a cancelled operation is taken back`() async throws {
        let (_, store) = Shelf.inMemory()
        let (started, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await store.bulk(Operation("import")) { bulk in
                for chunk in 0... {
                    try await fill(bulk, chunk..<chunk + 1)
                    continuation.yield()
                }
            }
        }
        for await _ in started { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await store.contents() == Contents())
    }

    @Test(arguments: sizes)
    func `what somebody else changed meanwhile stays whole`(size: Int) async throws {
        struct Stop: Error {}
        let (database, store) = Shelf.inMemory()
        await #expect(throws: Stop.self) {
            try await store.bulk(Operation("import")) { bulk in
                try await fill(bulk, 0..<2, size: size)
                try await store.write(Operation("edit")) { transaction in
                    try transaction.save("c0-3", "Mine now")
                    try transaction.addChapter("c1-0", 2, "Added")
                }
                throw Stop()
            }
        }
        let left = try await store.contents()
        #expect(left.books == ["c0-3": ["Mine now", "-"], "c1-0": ["Book 0", "-"]])
        #expect(left.chapters == ["c1-0 1 First", "c1-0 2 Added"])
        #expect(left.titles == ["c0-3": "MINE NOW", "c1-0": "BOOK 0"])
        let versions = try await database.history.versions(of: "c0-3", owner: "shelf")
        #expect(versions.map(\.operation.name) == ["edit", "import"])
        #expect(try await database.integrityProblems() == [])
    }

    @Test(arguments: sizes)
    func `a row that something later belongs to stays, found by its foreign key alone`(size: Int) async throws {
        struct Stop: Error {}
        let (database, store) = Shelf.inMemory()
        await #expect(throws: Stop.self) {
            try await store.bulk(Operation("import")) { bulk in
                try await fill(bulk, 0..<2, size: size)
                try await store.write(Operation("lend")) {
                    try $0.run("INSERT INTO shelf_loan (book, reader) VALUES ('c1-4', 'r1')")
                }
                throw Stop()
            }
        }
        #expect(try await store.contents().books == ["c1-4": ["Book 4", "-"]])
        #expect(try await database.integrityProblems() == [])
    }

    @Test func `whoever waits comes between two chunks, however close together they are`() async throws {
        try await withTemporaryDirectory { folder in
            let (_, store) = Shelf.open(folder)
            try await store.write(Operation("before")) { try $0.save("b1", "Walden") }
            let chunks = 100
            let queue = open(DataDirectory(path: folder).writerLock, O_RDWR | O_CLOEXEC)
            try #require(queue >= 0)
            defer { close(queue) }
            let other = Task.detached {
                let (_, store) = Shelf.open(folder)
                var writes = 0
                while try await store.titles().count <= chunks {
                    writes += 1
                    let pages = writes
                    try await store.write(Operation("count")) { try $0.save("b1", "Walden", pages: pages) }
                }
                return writes
            }
            try await store.bulk(Operation("import")) { bulk in
                for chunk in 0..<chunks {
                    try await bulk.chunk { transaction in
                        try transaction.save("c\(chunk)", "Book")
                        // The other holds the lock of the queue while it waits for the database; it gets time to come
                        // to that, and no more than is enough where there is no queue: on a busy machine each look may
                        // take a while, in which nobody else can write.
                        var looks = 50
                        while looks > 0, flock(queue, LOCK_EX | LOCK_NB) == 0 {
                            flock(queue, LOCK_UN)
                            usleep(500)
                            looks -= 1
                        }
                    }
                }
            }
            // One for each chunk, were both always ready to run.
            #expect(try await other.value > chunks / 4)
        }
    }

    @Test(arguments: [false, true])
    func `what a dead process left half done is taken back by the next, not while it lives`(isDaemon: Bool) async throws
    {
        try await withTemporaryDirectory { folder in
            let (_, store) = Shelf.open(folder)
            try await store.write(Operation("before")) { try $0.save("b1", "Walden") }
            let operation = Operation("import")
            try await store.bulk(operation) { bulk in
                try await fill(bulk, 0..<2)
                let titles = try await Shelf.open(folder).1.titles()
                #expect(titles.count == 21)
            }
            // A process that died leaves the mark of an open operation and no lock.
            let (daemon, daemonStore) = Shelf.open(folder)
            try await daemon.store(for: "core").write(Operation("mark", kind: .cache)) {
                try $0.run("UPDATE core_operation SET state = 'open' WHERE id = ?", operation.id)
            }
            if isDaemon {
                try await daemon.rollBackAbandoned()
            } else {
                try await Shelf.open(folder).0.prepare()
            }
            let titles = try await daemonStore.titles()
            #expect(titles == ["Walden"])
            let states = try await daemon.history.operations(limit: 9).map(\.state)
            #expect(states == [.abandoned, .done])
        }
    }
}
