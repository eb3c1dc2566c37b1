import HubKit
import HubKitTesting
import NotesDomain
import Storage
import TestSupport
import Testing

@testable import Notes

/// What others type over the server, and when a search finds it.
struct IndexedNotesTests {
    private let folder: TemporaryFolder
    private let fixture: NotesFixture
    private let id: String
    private let wireID: String

    init() async throws {
        folder = try TemporaryFolder()
        fixture = try NotesFixture(at: .directory(folder.path))
        let answer = try await Self.send("POST", "", "Plan", "apples", to: fixture)
        guard case .inserted(let made) = answer.reply else { throw HubError(.internal, code: "no-note", "not made") }
        wireID = made.text
        id = try #require(try await fixture.store.read { try $0.note(withWireID: made)?.id })
    }

    private static func send(
        _ method: String, _ path: String, _ title: String, _ content: String, to fixture: NotesFixture
    ) async throws -> NoteAppAnswer {
        try await fixture.notes.answer(
            NoteAppRequest(
                method, "/api/notes" + path, contentType: "application/json",
                body: Array(#"{"title":"\#(title)","content":"\#(content)","access":["A"],"owner":"A"}"#.utf8),
                client: "a"
            ), legacy: .open)
    }

    private func put(_ title: String, _ content: String) async throws {
        #expect(try await Self.send("PUT", "/" + wireID, title, content, to: fixture).reply == .updated)
    }

    private func isWaiting() async throws -> Bool { try await fixture.store.read { try $0.hasWaiting() } }

    /// The notes that the full-text table has as it is.
    private func indexed(_ words: String) async throws -> [String] {
        try await fixture.store.read { try $0.listNotes(NoteFilter(words: words)) }.map(\.id)
    }

    @Test func `a search, a list and the page find what was just typed, and no longer what it replaced`() async throws {
        for (number, word) in ["pears", "plums", "cherries"].enumerated() {
            try await put("Plan", word)
            #expect(try await isWaiting())
            #expect(try await indexed(word) == [])
            let old = ["apples", "pears", "plums"][number]
            switch number {
            case 0:
                #expect(try await fixture.notes.search(word, limit: 9).hits.map(\.note.id) == [id])
                #expect(try await fixture.notes.search(old, limit: 9).total == 0)
            case 1:
                #expect(try await fixture.notes.list(NoteFilter(words: word)).rows.map(\.id) == [id])
                #expect(try await fixture.notes.list(NoteFilter(words: old)).rows.isEmpty)
            default:
                let page = try await fixture.notes.rows(NoteFilter(words: word), offset: 0, limit: 9)
                #expect(page.rows.map(\.note.id) == [id] && page.total == 1)
                #expect(try await fixture.notes.rows(NoteFilter(words: old), offset: 0, limit: 9).total == 0)
            }
            #expect(try await !isWaiting())
        }
    }

    @Test func `a selector by words of the text knows what was just typed`() async throws {
        try await put("Plan", "pears")
        #expect(try await fixture.notes.notes.resolve("pears").map(\.id) == [id])
        #expect(try await !isWaiting())
    }

    @Test func `a title, a tag and the links of a text are known at once`() async throws {
        try await put("Errand", "apples, see [[Shop]]")
        #expect(try await indexed("errand") == [id])
        try await put("Errand", "apples, see [[Market]]")
        #expect(try await isWaiting())
        #expect(try await fixture.notes.links(of: id).map(\.title) == ["Market"])
        let shop = try await fixture.make("Market")
        #expect(try await fixture.notes.links(of: shop.id).map(\.note?.id) == [id])
        #expect(try await fixture.notes.notes.resolve("errand").map(\.id) == [id])
        // A change of another kind takes the words along.
        _ = try await fixture.notes.notes.setTags(of: [id], adding: ["Weekly"], operation: fixture.operation())
        #expect(try await !isWaiting())
        #expect(try await indexed("market").contains(id))
        #expect(try await indexed("weekly") == [id])
    }

    @Test func `a note without a title is known by its first line at once`() async throws {
        try await put("", "pears\\nfrom the garden")
        #expect(try await fixture.notes.list(NoteFilter()).rows.map(\.name) == ["pears"])
        #expect(try await indexed("garden") == [id])
        try await put("", "pears\\nfrom the market")
        #expect(try await indexed("market") == [])
    }

    @Test func `words that waited when a process ended are found by the next`() async throws {
        try await put("Plan", "pears")
        await fixture.database.close()
        let next = try NotesFixture(at: .directory(folder.path))
        #expect(try await next.store.read { try $0.hasWaiting() })
        #expect(try await next.notes.search("pears", limit: 9).hits.map(\.note.id) == [id])
    }

    @Test func `what a killed server has not recorded is in the history when the next one begins`() async throws {
        let before = try await fixture.database.history.operations(limit: 9).count
        try await put("Plan", "pears")
        #expect(try await fixture.database.history.operations(limit: 9).count == before)
        await fixture.database.close()
        let next = try NotesFixture(at: .directory(folder.path))
        await next.notes.recordWaiting()
        #expect(try await next.database.history.operations(limit: 9).count == before + 1)
        #expect(try await next.store.read { try !$0.hasWaiting() })
    }

    @Test func `a note that goes while its words wait leaves none`() async throws {
        try await put("Plan", "pears")
        _ = try await fixture.notes.notes.delete([id], operation: fixture.operation())
        #expect(try await fixture.notes.search("pears", limit: 9).total == 0)
        _ = try await fixture.notes.notes.restore([id], operation: fixture.operation())
        #expect(try await indexed("pears") == [id])
        #expect(try await indexed("apples") == [])
    }

    @Test func `an undo of what was typed finds the words before it`() async throws {
        try await put("Plan", "pears")
        #expect(try await fixture.notes.search("pears", limit: 9).total == 1)
        try await fixture.undo(#require(try await fixture.database.history.operations(limit: 1).first).id)
        #expect(try await indexed("apples") == [id])
        #expect(try await !isWaiting())
    }

    @Test func `what waits is indexed after a pause, once for all changes in it`() async throws {
        let clock = ManualClock()
        let notes = IndexedNotes(fixture.store, clock: clock, log: Log(label: "test") { _, _, _ in })
        for word in ["pears", "plums"] {
            try await put("Plan", word)
            notes.catchUpLater()
        }
        await clock.sleepers(atLeast: 1)
        #expect(try await isWaiting())
        clock.advance(by: IndexedNotes.pause)
        while try await isWaiting() { await Task.yield() }
        #expect(try await indexed("plums") == [id])
        // The next change begins another pause.
        try await put("Plan", "cherries")
        notes.catchUpLater()
        await clock.sleepers(atLeast: 1)
        clock.advance(by: IndexedNotes.pause)
        while try await isWaiting() { await Task.yield() }
        #expect(try await indexed("cherries") == [id])
    }

    @Test func `more notes than one write takes are all indexed`() async throws {
        for number in 0..<120 {
            let made = try await Self.send("POST", "", "Note \(number)", "old", to: fixture)
            guard case .inserted(let wire) = made.reply else { continue }
            _ = try await Self.send("PUT", "/\(wire.text)", "Note \(number)", "new", to: fixture)
        }
        #expect(try await fixture.notes.search("new", limit: 1).total == 120)
        #expect(try await !isWaiting())
    }
}
