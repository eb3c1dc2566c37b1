import HubKitTesting
import SQLite
import Storage
import TestSupport
import Testing

/// What the history still knows after rows are gone, and after parts of it have expired.
struct HistoryLimitTests {
    private let clock = ManualClock()
    private let database: Database
    private let store: Store
    private var history: History { database.history }

    init() {
        database = Database(at: .memory, plugins: [Shelf.schema], clock: clock, executors: .queues)
        store = database.store(for: "shelf")
    }

    private func run(_ name: String, _ sql: String) async throws -> String {
        let operation = Operation(name)
        clock.advance(by: .seconds(1))
        try await store.write(operation) { try $0.run(sql) }
        return operation.id
    }

    /// The ids of the operations that can no longer be undone.
    private func expired() async throws -> Set<String> {
        Set(
            try await database.store(for: "core").read { transaction in
                try transaction.rows(
                    """
                    SELECT o.id FROM core_operation AS o JOIN core_change AS c ON c.operation = o.seq
                    WHERE c.changeset IS NULL
                    """
                ) { $0.text(0) }
            })
    }

    @Test func `the entity of a row that is gone is known from the history`() async throws {
        _ = try await run("lend", "INSERT INTO shelf_loan (book, reader) VALUES (NULL, 'r1'), (NULL, 'r2')")
        _ = try await run("book", "INSERT INTO shelf_book VALUES ('b1', 'Walden', 1)")
        // A change that names no reader, of a row that is removed later.
        let target = try await run("choose", "UPDATE shelf_loan SET book = 'b1' WHERE reader = 'r2'")
        _ = try await run("other", "UPDATE shelf_loan SET book = 'b1' WHERE reader = 'r1'")
        _ = try await run("return", "DELETE FROM shelf_loan WHERE reader = 'r2'")
        let report = try await history.undo(target, as: Operation("undo"))
        let conflict = try #require(report.conflicts.first)
        #expect(report.conflicts.count == 1 && conflict.reason == .changedLater && conflict.table == "shelf_loan")
        #expect(conflict.subject == "r2" && conflict.later.map(\.name) == ["return"])
    }

    @Test func `a later change that was undone is no reason, unless there is no other`() async throws {
        _ = try await run("add", "INSERT INTO shelf_book VALUES ('b1', 'One', 1)")
        let target = try await run("second", "UPDATE shelf_book SET title = 'Two'")
        _ = try await run("third", "UPDATE shelf_book SET title = 'Three'")
        let fourth = try await run("fourth", "UPDATE shelf_book SET title = 'Four'")
        _ = try await history.undo(fourth, as: Operation("undo"))
        let report = try await history.undo(target, as: Operation("undo"), isDryRun: true)
        #expect(report.conflicts.map { $0.later.map(\.name) } == [["third"]])
        #expect(try await store.titles() == ["Three"])
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `the newest operations that fit keep their undo, and no older one does`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var ids: [String] = []
        for number in 0..<20 {
            let text = String(repeating: "x", count: Int.random(in: 1...400, using: &generator))
            ids.append(try await run("add", "INSERT INTO shelf_book VALUES ('b\(number)', '\(text)', 1)"))
        }
        let sizes = try await database.store(for: "core").read { transaction in
            try transaction.rows("SELECT length(changeset) FROM core_change ORDER BY id") { $0.int(0) }
        }
        #expect(sizes.count == 20)
        var lost: Set<String> = []
        for limit in [sizes.reduce(0, +), 3000, 1000, 999, 1, 0] {
            var (total, expected) = (0, Set<String>())
            for (id, size) in zip(ids, sizes).reversed() {
                // What has expired before takes no room.
                if !lost.contains(id) { total += size }
                if total > limit { expected.insert(id) }
            }
            let count = try await history.expire(before: Instant(milliseconds: 0), keepingBytes: limit)
            #expect(count == expected.subtracting(lost).count, "seed \(seed), \(limit) bytes")
            lost.formUnion(expected)
            #expect(try await expired() == lost, "seed \(seed), \(limit) bytes")
            // The lines stay, and so does the data.
            #expect(try await history.operations(limit: 99).count == 20)
        }
        #expect(try await store.contents().books.count == 20)
    }

    @Test func `what is older than a moment expires, as of the oldest one that is not`() async throws {
        let first = try await run("one", "INSERT INTO shelf_book VALUES ('b1', 'One', 1)")
        let second = try await run("two", "INSERT INTO shelf_book VALUES ('b2', 'Two', 1)")
        let moment = clock.now
        // An operation of a clock that was set back is as young as the one before it.
        clock.advance(by: .seconds(-100))
        _ = try await run("three", "INSERT INTO shelf_book VALUES ('b3', 'Three', 1)")
        #expect(try await history.expire(before: moment, keepingBytes: .max) == 1)
        #expect(try await expired() == [first])
        #expect(try await history.expire(before: moment, keepingBytes: .max) == 0)
        #expect(try await history.expire(before: moment + .milliseconds(1), keepingBytes: .max) == 2)
        #expect(try await expired().contains(second))
        #expect(try await history.versions(of: "b2", owner: "shelf").isEmpty)
        let touched = try await history.subjects(of: try #require(try await history.operations(limit: 1).first))
        #expect(touched.isEmpty, "nothing says any more what it changed")
    }
}
