import SQLite
import Storage
import TestSupport
import Testing

/// Random edits, undos and redos against a model that keeps every state it has been in.
struct UndoModelTests {
    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `any mix of edits, undos and redos ends where an editor would`(seed: UInt64) async throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let (database, store) = Shelf.inMemory()
        var past: [Contents] = []
        var future: [Contents] = []
        for _ in 0..<120 {
            let before = try await store.contents()
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<3 where !past.isEmpty:
                _ = try await database.history.undo(as: Operation("undo"))
                future.append(before)
                #expect(try await store.contents() == past.removeLast())
            case 3..<5 where !future.isEmpty:
                _ = try await database.history.redo(as: Operation("redo"))
                past.append(before)
                #expect(try await store.contents() == future.removeLast())
            default:
                let steps = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                    (
                        kind: Int.random(in: 0..<5, using: &generator),
                        id: "b\(Int.random(in: 0..<5, using: &generator))",
                        number: Int.random(in: 0..<9, using: &generator)
                    )
                }
                try await store.write(Operation("edit")) { transaction in
                    for step in steps { try transaction.play(step.kind, step.id, step.number) }
                }
                guard try await store.contents() != before else { continue }
                past.append(before)
                future = []
            }
        }
        #expect(try await database.integrityProblems() == [])
    }
}

extension Transaction {
    /// One random step.
    fileprivate func play(_ kind: Int, _ id: String, _ number: Int) throws {
        switch kind {
        case 0, 1: try save(id, "Title \(number)", pages: number)
        case 2: try remove(id)
        case 3:
            guard try row("SELECT 1 FROM shelf_book WHERE id = ?", id, body: { _ in true }) == true else { return }
            try run(
                "INSERT INTO shelf_chapter VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET heading = heading || '+'", id,
                number, "Chapter")
        default: try run("DELETE FROM shelf_chapter WHERE book = ? AND number > ?", id, number)
        }
    }
}
