import HubKitTesting
import SQLite
import Storage
import TestSupport
import Testing

/// Random lives of a shelf whose rows also move from one entity to another, against copies of every moment.
struct HistoryModelTests {
    /// The entities: books, and readers, whose loans can go to another reader.
    private static let books = (0..<3).map { "b\($0)" }
    private static let readers = (0..<3).map { "r\($0)" }
    private static let all = books + readers

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `the rows of every entity can be had as they were at every moment`(seed: UInt64) async throws {
        let life = try await Life(seed: seed, length: 60)
        for (second, rows) in life.past.enumerated() {
            let moment = life.start + .seconds(second)
            for entity in Self.all {
                let found = try await life.history.rows(of: entity, owner: "shelf", at: moment)
                #expect(found.map(asSets) == rows[entity], "seed \(seed), \(entity) after \(second) steps")
            }
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `the changes of an entity lead from nothing to what it is`(seed: UInt64) async throws {
        let life = try await Life(seed: seed, length: 60)
        for entity in Self.all {
            // Rows that were another entity's before appear as updates, so only the columns that they name are known.
            var rows: [String: [String: Value]] = [:]
            for version in try await life.history.versions(of: entity, owner: "shelf").reversed() {
                for change in version.changes {
                    let id = "\(change.table) \(change.key.sorted { $0.key < $1.key })"
                    switch change.kind {
                    case .insert:
                        #expect(rows[id] == nil && change.before.isEmpty, "seed \(seed)")
                        rows[id] = change.after
                    case .delete:
                        if let known = rows[id] {
                            #expect(known.allSatisfy { change.before[$0.key] == $0.value }, "seed \(seed)")
                        }
                        rows[id] = nil
                    case .update:
                        if let known = rows[id] {
                            #expect(change.before.allSatisfy { known[$0.key] ?? $0.value == $0.value }, "seed \(seed)")
                        }
                        rows[id, default: [:]].merge(change.after) { $1 }
                        if let reader = change.after["reader"], reader != .text(entity) { rows[id] = nil }
                    }
                }
            }
            let now = try #require(life.past.last?[entity])
            #expect(rows.count == now.values.map(\.count).reduce(0, +), "seed \(seed), \(entity)")
            for row in rows.values {
                #expect(
                    now.values.joined().contains { all in row.allSatisfy { all[$0.key] == $0.value } }, "seed \(seed)")
            }
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `forgetting an entity takes its words from every change and no word of another`(seed: UInt64) async throws {
        let life = try await Life(seed: seed, length: 60)
        var generator = SeededGenerator(seed: seed)
        let gone = Set(Self.books.shuffled(using: &generator).prefix(Int.random(in: 1...2, using: &generator)))
        try await life.store.write(Operation("trash empty", kind: .cache)) { transaction in
            try transaction.forgetHistory(of: gone.sorted())
            for id in gone { try transaction.remove(id) }
        }
        let left = try await life.database.store(for: "core").read { transaction in
            try transaction.rows("SELECT changeset FROM core_change WHERE changeset IS NOT NULL") {
                String(decoding: $0.blob(0), as: UTF8.self)
            }
        }
        for id in gone {
            #expect(!left.contains { $0.contains("words of \(id)") }, "seed \(seed)")
            #expect(try await life.history.operations(of: id, owner: "shelf").isEmpty, "seed \(seed)")
        }
        for (second, rows) in life.past.enumerated() {
            for entity in Self.books where !gone.contains(entity) {
                let moment = life.start + .seconds(second)
                let found = try await life.history.rows(of: entity, owner: "shelf", at: moment)
                #expect(found.map(asSets) == rows[entity], "seed \(seed), \(entity) after \(second) steps")
            }
        }
    }

    @Test func `what a row was before it moved is unknown once a later change of it has expired`() async throws {
        let clock = ManualClock()
        let database = Database(at: .memory, plugins: [Shelf.schema], clock: clock, executors: .queues)
        let store = database.store(for: "shelf")
        let statements = [
            "INSERT INTO shelf_loan (book, reader) VALUES (NULL, 'r0')", "UPDATE shelf_loan SET reader = 'r1'",
            "DELETE FROM shelf_loan",
        ]
        for statement in statements {
            try await store.write(Operation("step")) { try $0.run(statement) }
            clock.advance(by: .seconds(1))
        }
        let lent = clock.now - .seconds(2.5)
        let rows = try await database.history.rows(of: "r0", owner: "shelf", at: lent)
        #expect(rows == ["shelf_loan": [["id": .integer(1), "book": .null, "reader": .text("r0")]]])
        _ = try await database.store(for: "core").write(Operation("expire", kind: .cache)) {
            try $0.run("UPDATE core_change SET changeset = NULL WHERE id = (SELECT max(id) FROM core_change)")
        }
        #expect(try await database.history.rows(of: "r0", owner: "shelf", at: lent) == nil)
        #expect(try await database.history.versions(of: "r0", owner: "shelf").isEmpty)
        #expect(try await database.history.rows(of: "r0", owner: "shelf", at: clock.now) == [:])
    }
}

/// A shelf after some random operations, one a second.
private struct Life {
    let database: Database
    let store: Store
    var history: History { database.history }
    /// Half a second after the moment before the first operation.
    let start: Instant
    /// The rows of every entity after each number of operations.
    var past: [[String: [String: Set<[String: Value]>]]] = []

    init(seed: UInt64, length: Int) async throws {
        let clock = ManualClock()
        database = Database(at: .memory, plugins: [Shelf.schema], clock: clock, executors: .queues)
        store = database.store(for: "shelf")
        start = clock.now + .milliseconds(500)
        var generator = SeededGenerator(seed: seed)
        past.append(try await store.read { try $0.rowsOfAll() })
        for _ in 0..<length {
            clock.advance(by: .seconds(1))
            let steps = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                (0..<4).map { _ in Int.random(in: 0..<60, using: &generator) }
            }
            try await store.write(Operation("step")) { transaction in
                for step in steps { try transaction.play(step) }
            }
            past.append(try await store.read { try $0.rowsOfAll() })
        }
    }
}

/// The rows of an entity without their order.
private func asSets(_ rows: EntityRows) -> [String: Set<[String: Value]>] { rows.mapValues { Set($0) } }

extension Transaction {
    /// One random step, by four random numbers.
    fileprivate func play(_ numbers: [Int]) throws {
        let (book, reader, number) = ("b\(numbers[1] % 3)", "r\(numbers[2] % 3)", numbers[3])
        let isThere = try row("SELECT 1 FROM shelf_book WHERE id = ?", book) { _ in true } == true
        switch numbers[0] % 8 {
        case 0, 1: try save(book, "words of \(book) \(number)", pages: number % 4)
        case 2: try remove(book)
        case 3 where isThere:
            try run(
                """
                INSERT INTO shelf_chapter VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET heading = heading || '+'
                """, book, number % 3, "words of \(book)")
        case 4: try run("DELETE FROM shelf_loan WHERE reader = ? AND id % 2 = ?", reader, number % 2)
        case 5:
            try run("INSERT INTO shelf_loan (book, reader) VALUES (?, ?)", isThere ? book : nil as String?, reader)
        case 6: try run("UPDATE shelf_loan SET reader = ? WHERE id % 3 = ?", reader, number % 3)
        default:
            try run(
                "UPDATE shelf_loan SET book = ? WHERE id % 3 = ?", isThere ? book : nil as String?, number % 3)
        }
    }

    /// The recorded rows of all books and readers.
    fileprivate func rowsOfAll() throws -> [String: [String: Set<[String: Value]>]] {
        let entities = (0..<3).flatMap { ["b\($0)", "r\($0)"] }
        return Dictionary(
            uniqueKeysWithValues: try entities.map { id in
                var result: [String: Set<[String: Value]>] = [:]
                for (table, column) in [("shelf_book", "id"), ("shelf_chapter", "book"), ("shelf_loan", "reader")] {
                    let rows = try rows("SELECT * FROM \(table) WHERE \(column) = ?", id) { row in
                        Dictionary(uniqueKeysWithValues: (0..<row.count).map { (row.name($0), row.value($0)) })
                    }
                    if !rows.isEmpty { result[table] = Set(rows) }
                }
                return (id, result)
            })
    }
}
