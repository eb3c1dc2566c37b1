import HubKitTesting
import SQLite
import TestSupport
import Testing

@testable import Storage

/// Bulk work that fails after random chunks, while others change some of the same books.
struct BulkModelTests {
    private struct Stop: Error {}

    /// The books: some that are there before, and some that only the bulk work adds.
    private static let books = (0..<50).map { "b\($0)" }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func `what nobody else changed is as before, and what somebody changed stays`(seed: UInt64) async throws {
        let (database, store) = Shelf.inMemory()
        var generator = SeededGenerator(seed: seed)
        try await store.write(Operation("before")) { transaction in
            for id in Self.books.prefix(30) { try transaction.save(id, "before \(id)") }
        }
        var expected = try await store.contents()
        var byOthers: Set<String> = []
        var failed = Contents()
        await #expect(throws: Stop.self) {
            try await store.bulk(Operation("import")) { bulk in
                for chunk in 0..<6 {
                    // Chunks of few entities and of many are noted in different ways.
                    let count = [2, 40].randomElement(using: &generator) ?? 2
                    let steps = Self.books.shuffled(using: &generator).prefix(count)
                    let isRemoval = Int.random(in: 0..<4, using: &generator) == 0
                    try await bulk.chunk { transaction in
                        for id in steps {
                            if isRemoval { try transaction.remove(id) } else { try transaction.save(id, "\(chunk)") }
                        }
                    }
                    guard Bool.random(using: &generator) else { continue }
                    let theirs = Self.books.shuffled(using: &generator).prefix(2)
                    byOthers.formUnion(theirs)
                    try await store.write(Operation("edit")) { transaction in
                        for id in theirs { try transaction.save(id, "theirs \(chunk)") }
                    }
                }
                failed = try await store.contents()
                throw Stop()
            }
        }
        for id in byOthers {
            expected.books[id] = failed.books[id]
            expected.titles[id] = failed.titles[id]
        }
        #expect(try await store.contents() == expected, "seed \(seed)")
        #expect(try await database.history.openOperations().isEmpty)
        #expect(try await database.integrityProblems() == [])
        // What the rollback left in the history is what is left in the tables.
        for id in Self.books where !byOthers.contains(id) {
            let names = try await database.history.operations(of: id, owner: "shelf").map(\.name)
            #expect(!names.contains("import"), "seed \(seed), \(id)")
        }
    }

    @Test func `work on nothing leaves no operation`() async throws {
        let (database, store) = Shelf.inMemory()
        try await store.bulk(Operation("import")) { try await $0.forEach(in: [String]()) { try $0.save($1, "Book") } }
        #expect(try await database.history.operations(limit: 9).isEmpty)
        #expect(database.hasDoneBulk)
    }

    @Test func `what is not recorded is not rolled back`() async throws {
        let (database, store) = Shelf.inMemory()
        await #expect(throws: Stop.self) {
            try await store.bulk(Operation("fetch", kind: .cache)) { bulk in
                try await bulk.chunk { try $0.save("b1", "Walden") }
                throw Stop()
            }
        }
        #expect(try await store.titles() == ["Walden"])
        #expect(try await database.history.operations(limit: 9).isEmpty)
    }

    @Test func `an operation that is going on can be seen, and neither undone nor pruned`() async throws {
        let (database, store) = Shelf.inMemory()
        let operation = Operation("import", commandLine: "shelf import")
        try await store.bulk(operation) { bulk in
            try await bulk.chunk { try $0.save("b1", "Walden") }
            #expect(try await database.history.openOperations().map(\.id) == [operation.id])
            let error = await #expect(throws: HubError.self) {
                try await database.history.undo(operation.id, as: Operation("undo"))
            }
            #expect(error?.code == "operation-running" && error?.kind == .busy)
            let none = await #expect(throws: HubError.self) { try await database.history.undo(as: Operation("undo")) }
            #expect(none?.code == "nothing-to-undo")
            #expect(try await database.history.prune(before: SystemClock().now + .seconds(60)) == 0)
            #expect(try await database.history.expire(before: .init(milliseconds: .max), keepingBytes: 0) == 0)
        }
        #expect(try await database.history.openOperations().isEmpty)
        #expect(try await database.history.undo(as: Operation("undo")).isPossible)
    }

    @Test func `what a dead process left waits until its plugin is on again`() async throws {
        try await withTemporaryDirectory { folder in
            let operation = Operation("import")
            let (first, store) = Shelf.open(folder)
            try await store.bulk(operation) { try await $0.chunk { try $0.save("b1", "Walden") } }
            // A process that died leaves the mark of an open operation and no lock.
            try await first.store(for: "core").write(Operation("mark", kind: .cache)) {
                try $0.run("UPDATE core_operation SET state = 'open' WHERE id = ?", operation.id)
            }
            await first.close()
            let without = Database(at: .directory(folder), plugins: [], clock: SystemClock(), executors: .queues)
            try await without.prepare()
            #expect(try await without.history.openOperations().map(\.id) == [operation.id])
            #expect(try await without.rollbackFailure() == nil)
            await without.close()
            let (again, books) = Shelf.open(folder)
            #expect(try await books.titles().isEmpty)
            #expect(try await again.history.operations(limit: 9).map(\.state) == [.abandoned])
            let error = await #expect(throws: HubError.self) {
                try await again.history.undo(operation.id, as: Operation("undo"))
            }
            #expect(error?.code == "operation-abandoned")
        }
    }
}
