import CivilDate
import HubKitTesting
import SQLite
import Storage
import Synchronization
import Testing

struct VersionTests {
    @Test func `the versions of an entity tell who changed which column, also in its attached rows`() async throws {
        let (database, store) = Shelf.inMemory()
        try await store.write(Operation("import", who: .service("serve"))) { transaction in
            for number in 0..<5 { try transaction.save("b\(number)", "Book \(number)", pages: 1) }
            try transaction.addChapter("b1", 1, "One")
            try transaction.addChapter("b2", 1, "Other")
        }
        try await store.write(Operation("edit")) { transaction in
            try transaction.save("b1", "Walden", pages: 1)
            try transaction.run("UPDATE shelf_chapter SET heading = heading || '!'")
        }
        try await store.write(Operation("rm")) { try $0.remove("b1") }
        let versions = try await database.history.versions(of: "b1", owner: "shelf")
        #expect(versions.map(\.operation.name) == ["rm", "edit", "import"])
        #expect(versions.map { $0.changes.count } == [2, 2, 2])
        let edited = try #require(versions[1].changes.first { $0.table == "shelf_book" })
        #expect(edited.key == ["id": .text("b1")])
        #expect(edited.before["title"] == .text("Book 1") && edited.after["title"] == .text("Walden"))
        #expect(edited.after["pages"] == nil)
        let heading = try #require(versions[1].changes.first { $0.table == "shelf_chapter" })
        #expect(heading.before["heading"] == .text("One") && heading.key["number"] == .integer(1))
        #expect(versions[2].operation.who == .service("serve"))
    }

    @Test func `the rows of an entity can be had as they were at any moment`() async throws {
        let clock = ManualTime()
        let database = Database(at: .memory, plugins: [Shelf.schema], clock: clock, executors: .queues)
        let store = database.store(for: "shelf")
        let steps: [@Sendable (Transaction) throws -> Void] = [
            { try $0.save("b1", "One", pages: 1) },
            { try $0.addChapter("b1", 1, "Economy") },
            { try $0.save("b1", "Two", pages: 1) },
            { try $0.run("UPDATE shelf_chapter SET heading = 'Sounds'") },
            { try $0.remove("b1") },
            { try $0.save("b1", "Three", pages: 3) },
        ]
        var expected: [EntityRows] = [[:]]
        for (index, step) in steps.enumerated() {
            clock.set(1000 * (index + 1))
            try await store.write(Operation("step"), step)
            expected.append(try await store.read { try $0.rowsOfBook("b1") })
        }
        for (index, rows) in expected.enumerated() {
            let moment = Instant(milliseconds: Int64(1000 * index + 500))
            #expect(try await database.history.rows(of: "b1", owner: "shelf", at: moment) == rows)
        }
        try await database.history.expire(before: Instant(milliseconds: 2500), keepingBytes: .max)
        let gone = try await database.history.rows(of: "b1", owner: "shelf", at: Instant(milliseconds: 500))
        #expect(gone == nil)
        let kept = try await database.history.rows(of: "b1", owner: "shelf", at: Instant(milliseconds: 3500))
        #expect(kept == expected[3])
    }
}

extension Transaction {
    fileprivate func rowsOfBook(_ id: String) throws -> EntityRows {
        var result: EntityRows = [:]
        for (table, column) in [("shelf_book", "id"), ("shelf_chapter", "book")] {
            let rows = try rows("SELECT * FROM \(table) WHERE \(column) = ?", id) { row in
                Dictionary(uniqueKeysWithValues: (0..<row.count).map { (row.name($0), row.value($0)) })
            }
            if !rows.isEmpty { result[table] = rows }
        }
        return result
    }
}

/// A clock that shows what it is set to.
private final class ManualTime: Clock {
    private let milliseconds = Mutex<Int64>(0)

    var now: Instant { Instant(milliseconds: milliseconds.withLock { $0 }) }
    var monotonicNow: Duration { .milliseconds(now.milliseconds) }

    func set(_ value: Int) { milliseconds.withLock { $0 = Int64(value) } }
    var today: CivilDate { TimeZoneRules.utc.localTime(at: now).day }
    func sleep(for duration: Duration) async throws {}
}
