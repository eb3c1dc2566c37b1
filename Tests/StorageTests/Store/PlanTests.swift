import HubKitTesting
import SQLite
import Storage
import Testing

/// Writes that are rolled back once their result is known, as in a dry run.
struct PlanTests {
    @Test func `a plan answers what it would have done, and does nothing`() async throws {
        let (database, store) = Shelf.inMemory()
        try await store.write(Operation("add")) { try $0.save("b1", "Walden") }
        let before = try await store.contents()
        let (topics, continuation) = AsyncStream.makeStream(of: Set<Topic>.self)
        database.onCommit { continuation.yield($0) }
        let planned = try await store.write(Operation("edit", isPlan: true)) { transaction in
            try transaction.save("b1", "Emma")
            try transaction.save("b2", "Persuasion")
            try transaction.emit(Event("domain.shelf/book-added", subject: "b2"))
            transaction.afterCommit("domain.shelf/planned")
            return try transaction.contents()
        }
        #expect(planned.books == ["b1": ["Emma", "-"], "b2": ["Persuasion", "-"]])
        #expect(try await store.contents() == before)
        #expect(try await database.history.operations(limit: 9).map(\.name) == ["add"])
        let events = try await database.store(for: "core").read { try $0.latestEvent() }
        #expect(events == 0)
        try await store.write(Operation("x")) { $0.afterCommit("domain.shelf/done") }
        var iterator = topics.makeAsyncIterator()
        #expect(await iterator.next() == ["domain.shelf/done"], "a plan has no news")
    }

    @Test func `a plan fails as the change would`() async throws {
        enum Rule: Error { case broken }
        let (_, store) = Shelf.inMemory()
        await #expect(throws: Rule.broken) {
            try await store.write(Operation("x", isPlan: true)) { _ in throw Rule.broken }
        }
        let error = await #expect(throws: HubError.self) {
            try await store.write(Operation("x", isPlan: true)) { try $0.save("b1", "") }
        }
        #expect(error?.code == "store-failed")
        #expect(try await store.titles().isEmpty)
    }

    @Test func `a plan among other writes takes nothing of theirs with it`() async throws {
        let (_, store) = Shelf.inMemory()
        let planned = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await store.write(Operation("add", isPlan: number % 2 == 0)) { transaction in
                        try transaction.save("b\(number)", "Book")
                        return try transaction.row("SELECT count(*) FROM shelf_book WHERE id = ?", "b\(number)") {
                            $0.int(0)
                        } ?? 0
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(planned == 40)
        let books = try await store.contents().books.keys
        #expect(books.count == 20 && !books.contains("b0") && books.contains("b1"))
    }
}
