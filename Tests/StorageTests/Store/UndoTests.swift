import SQLite
import Storage
import Testing

struct UndoTests {
    let database: Database
    let store: Store
    var history: History { database.history }

    init() { (database, store) = Shelf.inMemory() }

    @discardableResult
    private func edit(
        _ name: String = "edit", by who: Operation.Author = .person,
        _ body: @escaping @Sendable (Transaction) throws -> Void
    ) async throws -> String {
        let operation = Operation(name, who: who, commandLine: "shelf \(name)")
        try await store.write(operation, body)
        return operation.id
    }

    @discardableResult
    private func undo(_ id: String? = nil, isDryRun: Bool = false) async throws -> UndoReport {
        try await history.undo(id, as: Operation("undo"), isDryRun: isDryRun)
    }

    @discardableResult
    private func redo() async throws -> UndoReport { try await history.redo(as: Operation("redo")) }

    @Test func `undo walks back and redo walks forward`() async throws {
        var states = [try await store.contents()]
        for number in 1...4 {
            try await edit { try $0.save("b\(number % 2)", "Title \(number)") }
            states.append(try await store.contents())
        }
        for state in states.dropLast().reversed() {
            try await undo()
            #expect(try await store.contents() == state)
        }
        await #expect(throws: HubError.self) { try await undo() }
        for state in states.dropFirst() {
            try await redo()
            #expect(try await store.contents() == state)
        }
        await #expect(throws: HubError.self) { try await redo() }
        try await undo()
        try await undo()
        try await redo()
        #expect(try await store.contents() == states[3])
    }

    @Test func `something new ends what can be redone, and what services do does not`() async throws {
        try await edit { try $0.save("b1", "One") }
        try await undo()
        try await edit("sync", by: .service("serve")) { try $0.save("b2", "Two") }
        try await redo()
        #expect(try await store.titles() == ["One", "Two"])
        try await undo()
        try await edit { try $0.save("b3", "Three") }
        let error = await #expect(throws: HubError.self) { try await redo() }
        #expect(error?.code == "nothing-to-redo")
    }

    @Test func `what services did is skipped unless it is named`() async throws {
        try await edit { try $0.save("b1", "One") }
        let sync = try await edit("sync", by: .service("serve")) { try $0.save("b2", "Two") }
        #expect(try await undo().target.name == "edit")
        #expect(try await store.titles() == ["Two"])
        let report = try await undo(String(sync.prefix(8)))
        #expect(report.target.who == .service("serve") && report.subjects == ["shelf": ["b2"]])
        #expect(try await store.titles() == [])
        try await redo()
        #expect(try await store.titles() == ["Two"])
    }

    @Test func `a name of one letter undoes nothing`() async throws {
        let (database, store) = Shelf.inMemory()
        let operation = Operation("add")
        try await store.write(operation) { try $0.save("b1", "Walden") }
        for length in 1...2 {
            let error = await #expect(throws: HubError.self) {
                try await database.history.undo(String(operation.id.prefix(length)), as: Operation("undo"))
            }
            #expect(error?.code == "operation-too-short" && error?.kind == .usage)
        }
        #expect(try await database.history.undo(String(operation.id.prefix(3)), as: Operation("undo")).isPossible)
    }

    @Test func `an undo can be undone by its name, and a redo too`() async throws {
        try await edit { try $0.save("b1", "One") }
        let undoing = Operation("undo")
        _ = try await history.undo(as: undoing)
        let report = try await history.undo(undoing.id, as: Operation("undo"))
        #expect(report.direction == .redo)
        #expect(try await store.titles() == ["One"])
        let again = await #expect(throws: HubError.self) { try await undo(undoing.id) }
        #expect(again?.code == "already-undone")
        let newest = try await history.operations(limit: 1)
        #expect(try await undo(newest.first?.id).direction == .undo)
        #expect(try await store.titles() == [])
    }

    @Test func `derived rows follow and the change is told`() async throws {
        let (topics, continuation) = AsyncStream.makeStream(of: Set<Topic>.self)
        try await edit { try $0.save("b1", "One") }
        database.onCommit { continuation.yield($0) }
        try await undo()
        #expect(try await store.contents() == Contents())
        try await redo()
        #expect(try await store.contents().titles == ["b1": "ONE"])
        var iterator = topics.makeAsyncIterator()
        #expect(await iterator.next() == ["domain.shelf/book-changed"])
        #expect(await iterator.next() == ["domain.shelf/book-changed"])
    }

    @Test func `an operation without changes leaves no line`() async throws {
        try await edit { try $0.save("b1", "One") }
        try await edit { try $0.save("b1", "One") }
        try await edit { transaction in
            try transaction.save("b1", "Two")
            try transaction.save("b1", "One")
        }
        try await store.write(Operation("fetch", kind: .cache)) { try $0.save("b9", "Nine") }
        #expect(try await history.operations(limit: 10).count == 1)
    }

    /// The first column of the table in the notes on conflicts: what is undone after which later change.
    @Test func `an update is refused when the same column changed later, and names who did it`() async throws {
        try await edit { try $0.save("b1", "One") }
        let target = try await edit("second") { try $0.save("b1", "Two") }
        try await edit("sync", by: .service("serve")) { try $0.save("b1", "Three") }
        let before = try await store.contents()
        let report = try await undo(target)
        #expect(!report.isPossible)
        #expect(report.subjects == ["shelf": ["b1"]])
        let conflict = try #require(report.conflicts.first)
        #expect(conflict.subject == "b1" && conflict.reason == .changedLater && report.conflicts.count == 1)
        #expect(conflict.later.map(\.commandLine) == ["shelf sync"])
        #expect(try await store.contents() == before)
        #expect(try await history.operations(limit: 9).count == 3)
    }

    @Test func `an update is undone when another column changed later, and both live`() async throws {
        try await edit { try $0.save("b1", "One", pages: 1) }
        let target = try await edit { try $0.save("b1", "Two", pages: 1) }
        try await edit { try $0.save("b1", "Two", pages: 2) }
        #expect(try await undo(target).isPossible)
        #expect(try await store.contents().books == ["b1": ["One", "2"]])
    }

    @Test func `an insert is refused when the row was edited or removed later`() async throws {
        let target = try await edit { try $0.save("b1", "One") }
        try await edit("change") { try $0.save("b1", "Two") }
        #expect(try await undo(target).conflicts.map(\.reason) == [.changedLater])
        try await edit("remove") { try $0.remove("b1") }
        let report = try await undo(target)
        #expect(report.conflicts.map(\.subject) == ["b1"])
        #expect(report.conflicts.first?.later.map(\.name) == ["change", "remove"])
    }

    @Test func `an insert is refused when something was attached later, which stays`() async throws {
        let target = try await edit { try $0.save("b1", "One") }
        try await edit("attach") { try $0.addChapter("b1", 1, "Economy") }
        let before = try await store.contents()
        let report = try await undo(target)
        #expect(report.conflicts.map(\.reason) == [.neededByLater])
        #expect(report.conflicts.first?.later.map(\.name) == ["attach"])
        #expect(try await store.contents() == before)
    }

    @Test func `a removal is refused when another row took the id`() async throws {
        try await edit { try $0.save("b1", "One") }
        let target = try await edit { try $0.remove("b1") }
        try await edit { try $0.save("b1", "Another") }
        #expect(try await undo(target).conflicts.map(\.reason) == [.changedLater])
        #expect(try await store.titles() == ["Another"])
    }

    @Test func `a child does not come back without its parent`() async throws {
        try await edit { transaction in
            try transaction.save("b1", "One")
            try transaction.addChapter("b1", 1, "Economy")
        }
        let target = try await edit { try $0.run("DELETE FROM shelf_chapter") }
        try await edit { try $0.remove("b1") }
        #expect(try await undo(target).conflicts.map(\.reason) == [.neededByLater])
        #expect(try await store.contents() == Contents())
    }

    @Test func `a cascading removal goes and comes whole, several times`() async throws {
        try await edit { transaction in
            try transaction.save("b1", "One")
            try transaction.addChapter("b1", 1, "Economy")
            try transaction.run("INSERT INTO shelf_loan (book, reader) VALUES ('b1', 'r1')")
        }
        let full = try await store.contents()
        try await edit { try $0.remove("b1") }
        for _ in 0..<3 {
            try await undo()
            #expect(try await store.contents() == full)
            #expect(try await store.read { try $0.row("SELECT book FROM shelf_loan") { $0.optionalText(0) } } == "b1")
            try await redo()
            #expect(try await store.contents() == Contents())
            #expect(
                try await store.read { try $0.row("SELECT book FROM shelf_loan") { $0.optionalText(0) } } == .some(nil))
        }
    }

    @Test func `a redo accepts that a cascaded row is gone already`() async throws {
        try await edit { transaction in
            try transaction.save("b1", "One")
            try transaction.addChapter("b1", 1, "Economy")
        }
        try await edit { try $0.remove("b1") }
        try await undo()
        try await edit("sync", by: .service("serve")) { try $0.run("DELETE FROM shelf_chapter") }
        #expect(try await redo().isPossible)
        #expect(try await store.contents() == Contents())
    }

    @Test func `a redo is refused when another row took the id`() async throws {
        try await edit { try $0.save("b1", "One") }
        try await undo()
        try await edit("sync", by: .service("serve")) { try $0.save("b1", "Other") }
        #expect(try await redo().conflicts.map(\.reason) == [.changedLater])
        #expect(try await store.titles() == ["Other"])
    }

    @Test func `a changed key goes back`() async throws {
        try await edit { try $0.save("b1", "One") }
        try await edit { transaction in
            try transaction.run("UPDATE shelf_book SET id = 'b2'")
            try transaction.reindex(["b1", "b2"])
        }
        let report = try await undo()
        #expect(report.subjects == ["shelf": ["b1", "b2"]])
        #expect(try await store.contents() == Contents(books: ["b1": ["One", "-"]], titles: ["b1": "ONE"]))
    }

    @Test func `a dry run finds the same and does nothing`() async throws {
        try await edit { try $0.save("b1", "One") }
        let report = try await undo(isDryRun: true)
        #expect(report.isPossible && report.subjects == ["shelf": ["b1"]])
        #expect(try await store.titles() == ["One"])
        #expect(try await history.operations(limit: 9).map(\.state) == [.done])
    }

    @Test func `several writes of one operation are one step`() async throws {
        let operation = Operation("long")
        for number in 0..<3 { try await store.write(operation) { try $0.save("b\(number)", "Book") } }
        #expect(try await undo().subjects == ["shelf": ["b0", "b1", "b2"]])
        #expect(try await store.titles() == [])
    }

    @Test(arguments: ["zz9", "9zz"])
    func `an operation that does not exist is not found`(id: String) async throws {
        let error = await #expect(throws: HubError.self) { try await undo(id) }
        #expect(error?.kind == .notFound)
    }
}
