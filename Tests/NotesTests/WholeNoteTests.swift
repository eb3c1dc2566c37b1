import HubKit
import NotesDomain
import SQLite
import Storage
import TestSupport
import Testing
import TextCRDT

@testable import Notes

/// Writes over NoteApp's routes, and what of them comes into the history later.
struct WholeNoteTests {
    private let folder: TemporaryFolder
    private let fixture: NotesFixture
    private let id: String
    private let wireID: String

    init() async throws {
        folder = try TemporaryFolder()
        fixture = try NotesFixture(at: .directory(folder.path))
        let answer = try await Self.send("POST", "", "one", to: fixture)
        guard case .inserted(let made) = answer.reply else { throw HubError(.internal, code: "no-note", "not made") }
        wireID = made.text
        id = try #require(try await fixture.store.read { try $0.note(withWireID: made)?.id })
    }

    @discardableResult
    private static func send(
        _ method: String, _ path: String, _ content: String, title: String = "Plan", access: String = #""A""#,
        by client: String = "a", to fixture: NotesFixture
    ) async throws -> NoteAppAnswer {
        try await fixture.notes.answer(
            NoteAppRequest(
                method, "/api/notes" + path, contentType: "application/json",
                body: Array(#"{"title":"\#(title)","content":"\#(content)","access":[\#(access)],"owner":"A"}"#.utf8),
                client: client
            ), legacy: .open)
    }

    private func put(
        _ content: String, title: String = "Plan", access: String = #""A""#, by client: String = "a"
    ) async throws {
        let answer = try await Self.send(
            "PUT", "/" + wireID, content, title: title, access: access, by: client, to: fixture)
        #expect(answer.reply == .updated)
    }

    /// The client reads the note.
    private func get(by client: String) async throws {
        _ = try await Self.send("GET", "/" + wireID, "", by: client, to: fixture)
    }

    private func content() async throws -> String { try await fixture.get(id).content }

    /// Does what waits.
    private func catchUp() async { await fixture.notes.indexed.catchUp() }

    private func served() async throws -> [OperationRecord] {
        try await fixture.database.history.operations(limit: 100).filter { $0.name == "notes serve" }
    }

    private func isSound() async throws -> Bool { try await fixture.store.read { [id] in try $0.matchesHistory(id) } }

    @Test func `writes are a part of the history of the text`() async throws {
        for number in 1...20 { try await put("one \(number)") }
        #expect(try await content() == "one 20")
        #expect(try await isSound())
        let versions = try await fixture.notes.textVersions(of: id)
        #expect(versions.last?.person == "a")
        let text = try await fixture.notes.text(of: id, at: #require(versions.last).change)
        #expect(text.lines.contains { $0.text == "one 20" })
    }

    @Test
    func `all writes of one client until someone looks are one operation, whose undo takes back its edits alone`()
        async throws
    {
        let before = try await served().count
        try await put("one\\ntwo")
        try await put("one\\ntwo\\nthree")
        try await get(by: "b")
        try await put("zero\\none\\ntwo\\nthree", by: "b")
        #expect(try await served().count == before)
        await catchUp()
        let operations = try await served()
        #expect(operations.count == before + 2)
        let mine = try #require(operations.first { $0.who == .service("a") })
        try await fixture.undo(mine.id)
        #expect(try await content() == "zero\none")
        #expect(try await isSound())
        try await fixture.undo(#require(try await fixture.database.history.operations(limit: 1).first).id)
        #expect(try await content() == "zero\none\ntwo\nthree")
    }

    @Test func `a write that has to be merged keeps what others have written`() async throws {
        try await get(by: "b")
        try await put("one two")
        try await put("one two three")
        // Has not read it since.
        try await put("zero one", by: "b")
        #expect(try await content() == "zero one two three")
        #expect(try await isSound())
        await catchUp()
        let people = Set(try await fixture.notes.textVersions(of: id).map(\.person))
        #expect(people.isSuperset(of: ["a", "b"]))
        let mine = try #require(try await served().first { $0.who == .service("a") })
        try await fixture.undo(mine.id)
        #expect(try await content() == "zero one")
    }

    @Test func `a change of the members is recorded with the write`() async throws {
        let before = try await served().count
        try await put("one two", access: #""A","B""#)
        #expect(try await served().count == before + 1)
        #expect(try await fixture.get(id).access.members == ["A", "B"])
    }

    @Test func `a note in which others have just written does not go with its creation`() async throws {
        let creation = try #require(try await served().first)
        try await get(by: "b")
        try await put("one and more", by: "b")
        for _ in 0..<2 {
            let undone = try? await fixture.undo(creation.id)
            #expect(undone?.conflicts.isEmpty != true)
            #expect(try await content() == "one and more")
            await catchUp()
        }
    }

    @Test func `what an account named you has written is not your last command`() async throws {
        let note = try await fixture.make("Mine", "text")
        try await get(by: "you")
        try await put("one two", by: "you")
        await catchUp()
        #expect(try await served().contains { $0.who.text == "\"you\"" })
        try await fixture.undo()
        #expect(try await content() == "one two")
        #expect(try await fixture.store.read { try $0.note(note.id) } == nil)
    }

    @Test func `one event tells of all writes that were recorded together`() async throws {
        let changed = NotesEvents.changed.description
        for number in 1...5 { try await put("one \(number)") }
        #expect(try await fixture.topics().filter { $0 == changed }.isEmpty)
        for _ in 0..<2 {
            await catchUp()
            #expect(try await fixture.topics().filter { $0 == changed }.count == 1)
        }
    }

    @Test func `edits that waited when a process ended are recorded by the next`() async throws {
        let before = try await served().count
        try await put("one two")
        await fixture.database.close()
        let next = try NotesFixture(at: .directory(folder.path))
        #expect(try await next.notes.search("two", limit: 1).total == 1)
        let operations = try await next.database.history.operations(limit: 100).filter { $0.name == "notes serve" }
        #expect(operations.count == before + 1)
        #expect(try await next.store.read { try !$0.hasWaiting() })
    }

    @Test func `a text with many writes is packed while they wait, and each stays in its history`() async throws {
        for number in 1...200 { try await put("\(number) one \(number % 7)", title: "Plan \(number % 3)") }
        let log = try await fixture.store.read { [id] transaction in
            try transaction.row("SELECT count(*) FROM notes_log WHERE note = ?", id) { $0.int(0) }
        }
        #expect(log == 2)
        #expect(try await isSound())
        await catchUp()
        #expect(try await isSound())
        #expect(try await fixture.notes.textVersions(of: id).last?.person == "a")
        try await fixture.undo(#require(try await served().first { $0.who == .service("a") }).id)
        #expect(try await content() == "one")
    }

    @Test func `what waits for a note in the trash is recorded, and goes with one that is deleted for good`()
        async throws
    {
        try await put("one two")
        _ = try await fixture.notes.notes.delete([id], operation: fixture.operation())
        await catchUp()
        #expect(try await fixture.store.read { try !$0.hasWaiting() })
        _ = try await fixture.notes.notes.restore([id], operation: fixture.operation())
        try await put("one two three")
        try await fixture.store.write(fixture.operation()) { [id] in try $0.destroyNote(id) }
        #expect(try await fixture.store.read { try !$0.hasWaiting() })
    }

    @Test func `the titles and links of a text are those of the last write`() async throws {
        let shop = try await fixture.make("Shop")
        try await put("see [[Shop]]", title: "Errand")
        #expect(try await fixture.notes.links(of: shop.id).map(\.note?.id) == [id])
        try await put("see nothing", title: "Errand")
        #expect(try await fixture.notes.links(of: id).isEmpty)
        #expect(try await fixture.notes.notes.resolve("errand").map(\.id) == [id])
    }
}
