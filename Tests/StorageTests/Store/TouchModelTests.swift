import HubKitTesting
import SQLite
import TestSupport
import Testing

@testable import Storage

/// Which change touched which entity, noted in rows or in lists, against a dictionary.
struct TouchModelTests {
    /// Ids of which some are the beginning or the end of others, and two that a list cannot hold.
    private static let names = (0..<40).flatMap { ["e\($0)", "e\($0)0", "x e\($0)"] } + ["a\nb", "\n"]

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `touches in rows and in lists say the same`(seed: UInt64) async throws {
        let (database, _) = Shelf.inMemory()
        try await database.prepare()
        try await database.writer.use { store in
            var generator = SeededGenerator(seed: seed)
            var model = TouchModel()
            func some(_ count: Int) -> Set<String> { Set(Self.names.shuffled(using: &generator).prefix(count)) }
            for _ in 0..<30 {
                let owner = ["shelf", "other"].randomElement(using: &generator) ?? "shelf"
                let operation = Int.random(in: 1...4, using: &generator)
                switch Int.random(in: 0..<8, using: &generator) {
                case 0 where !model.touches.isEmpty:
                    // What a rollback of a chunk leaves.
                    let (change, touch) = try #require(model.touches.randomElement(using: &generator))
                    let kept = Set(touch.subjects.shuffled(using: &generator).prefix(touch.subjects.count / 2))
                    try store.retouch(touch.subjects, keeping: kept, owner: touch.owner, change: change)
                    model.touches[change]?.subjects = kept
                case 1:
                    let gone = some(Int.random(in: 1...3, using: &generator))
                    try store.removeTouches(of: gone, owner: owner)
                    for (change, touch) in model.touches where touch.owner == owner {
                        model.touches[change]?.subjects.subtract(gone)
                    }
                default:
                    // Around the size from which on a change has a list.
                    let subjects = some([1, 2, 31, 32, 33, 34, 80].randomElement(using: &generator) ?? 1)
                    let change = try store.addChange(owner: owner, operation: operation)
                    try store.touch(subjects, owner: owner, change: change)
                    model.touches[change] = TouchModel.Touch(owner: owner, operation: operation, subjects: subjects)
                }
                let asked = some(3)
                for owner in ["shelf", "other"] {
                    #expect(
                        try store.changes(touching: asked, owner: owner) == model.changes(touching: asked, owner),
                        "seed \(seed)")
                    let after = Int.random(in: 0...20, using: &generator)
                    #expect(
                        try store.touched(asked, owner: owner, after: after, except: operation)
                            == model.touched(asked, owner, after: after, except: operation), "seed \(seed)")
                    for subject in asked where !subject.contains("\n") {
                        let found = try store.connection.rows(StoreConnection.changesTouching, owner, subject) {
                            $0.int(0)
                        }
                        #expect(found.sorted(by: >) == model.changes(touching: [subject], owner), "seed \(seed)")
                    }
                }
            }
            try store.connection.run("DELETE FROM core_change WHERE id % 2 = 0")
            try store.removeDanglingTouches()
            model.touches = model.touches.filter { $0.key % 2 == 1 }
            let all = Set(Self.names)
            #expect(try store.changes(touching: all, owner: "shelf") == model.changes(touching: all, "shelf"))
            let tables = try ["core_touch", "core_touch_list"].map { table in
                try store.connection.rows("SELECT DISTINCT change FROM \(table)") { $0.int(0) }
            }
            #expect(Set(tables.joined()) == Set(model.touches.filter { !$0.value.subjects.isEmpty }.keys))
        }
    }
}

/// What was touched, as a dictionary.
private struct TouchModel {
    struct Touch {
        let owner: String
        let operation: Int
        var subjects: Set<String>
    }

    var touches: [Int: Touch] = [:]

    func changes(touching subjects: Set<String>, _ owner: String) -> [Int] {
        touches.filter { $0.value.owner == owner && !$0.value.subjects.isDisjoint(with: subjects) }.keys.sorted(by: >)
    }

    func touched(_ subjects: Set<String>, _ owner: String, after change: Int, except operation: Int) -> Set<String> {
        let later = touches.filter { $0.key > change && $0.value.owner == owner && $0.value.operation != operation }
        return subjects.filter { subject in later.values.contains { $0.subjects.contains(subject) } }
    }
}

extension StoreConnection {
    /// Adds a change without content.
    fileprivate func addChange(owner: String, operation: Int) throws -> Int {
        try connection.run(
            """
            INSERT INTO core_operation (seq, id, at, name, who, command_line, state)
            VALUES (?1, 'op' || ?1, 0, 'test', 'you', 'test', 'done') ON CONFLICT DO NOTHING
            """, operation)
        try connection.run(
            "INSERT INTO core_change (operation, owner, schema) VALUES (?, ?, 1)", operation, owner)
        return connection.lastInsertedRow
    }
}
