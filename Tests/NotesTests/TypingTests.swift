import JSON
import NotesDomain
import SQLite
import Storage
import System
import TestSupport
import Testing
import TextCRDT

@testable import Notes

/// Edits of hub's protocol, from one page or several.
struct TypingTests {
    private let folder: TemporaryFolder
    private let fixture: NotesFixture
    private let id: String

    init() async throws {
        folder = try TemporaryFolder()
        fixture = try NotesFixture(at: .directory(folder.path))
        id = try await fixture.make("Plan", "one two").id
    }

    /// A page that has the note open.
    private struct Page {
        let fixture: NotesFixture
        let note: String
        let agent: String
        let operation: System.Operation
        var session = ServerSession(actor: .local, epoch: "e", latest: 0)
        var version = Version([])
        var count = 0
        private var number = 0

        init(_ agent: String, _ note: String, _ fixture: NotesFixture) async throws {
            (self.agent, self.note, self.fixture) = (agent, note, fixture)
            operation = System.Operation("notes edit", commandLine: agent)
            _ = session.receive(ClientFrame.hello(agent: agent, mode: .edits, cursor: nil).text)
            try await open()
        }

        private mutating func perform(_ kind: NoteRequest.Kind) async -> ServerSession.Outcome {
            number += 1
            let request = NoteRequest(number, note, kind)
            _ = session.receive(ClientFrame.request(request).text)
            let outcome = await fixture.notes.perform(request, of: session.client, as: "you", operation: operation)
            _ = session.finished(request, outcome)
            return outcome
        }

        /// Reads the newest text.
        mutating func open() async throws {
            guard case .texts(let texts) = await perform(.open(nil)) else {
                throw HubError(.internal, code: "not-opened", "the note cannot be opened")
            }
            for text in texts where text.field == .content { version = text.to }
        }

        /// Sends edits of the version that the page knows.
        mutating func type(_ edits: [TextEdit]) async throws -> (others: TextDelta?, own: TextDelta) {
            let request = EditRequest(field: .content, sequence: count, base: version, edits: edits)
            guard case .edited(let others, let own) = await perform(.edit(request)) else {
                throw HubError(.internal, code: "refused", "the edits were refused")
            }
            version = own.to
            count = own.acknowledged
            return (others, own)
        }
    }

    private func isSound() async throws -> Bool { try await fixture.store.read { [id] in try $0.matchesHistory(id) } }

    @Test func `keys of one person are undone at once`() async throws {
        var page = try await Page("page", id, fixture)
        for (place, letter) in "zero ".enumerated() {
            let (others, own) = try await page.type([TextEdit(position: place, inserted: String(letter))])
            #expect(others == nil && own.acknowledged == place + 1)
            #expect(own.edits == [TextEdit(position: place, inserted: String(letter))])
        }
        #expect(try await fixture.get(id).content == "zero one two")
        #expect(try await isSound())
        try await fixture.undo()
        #expect(try await fixture.get(id).content == "one two")
        #expect(try await isSound())
        try await fixture.redo()
        #expect(try await fixture.get(id).content == "zero one two")
    }

    @Test(arguments: 1...8)
    func `undo and redo of many keys keep the order of what they bring back`(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var page = try await Page("page", id, fixture)
        for _ in 0..<20 {
            let length = try await fixture.get(id).content.unicodeScalars.count
            let place = Int.random(in: 0...length, using: &random)
            let isDeletion = place < length && Bool.random(using: &random)
            let letter = ["a", "b", "c", "d"].randomElement(using: &random) ?? ""
            _ = try await page.type([
                isDeletion ? TextEdit(position: place, deletedCount: 1) : TextEdit(position: place, inserted: letter)
            ])
        }
        let typed = try await fixture.get(id).content
        for _ in 0..<2 {
            try await fixture.undo()
            #expect(try await fixture.get(id).content == "one two")
            try await fixture.redo()
            #expect(try await fixture.get(id).content == typed)
        }
        #expect(try await isSound())
    }

    @Test func `a note that was just made and typed in can be undone as a whole`() async throws {
        var page = try await Page("page", id, fixture)
        _ = try await page.type([TextEdit(position: 0, inserted: "x")])
        for _ in 0..<2 { #expect(try await fixture.undo().conflicts.isEmpty) }
        let left = try await fixture.store.read { [id] transaction in try transaction.note(id) }
        #expect(left == nil)
    }

    @Test func `a repeated request changes nothing`() async throws {
        var page = try await Page("page", id, fixture)
        let base = page.version
        for place in 0..<9 { _ = try await page.type([TextEdit(position: place, inserted: "x")]) }
        // As after a lost answer.
        (page.version, page.count) = (base, 0)
        let (_, own) = try await page.type([TextEdit(position: 0, inserted: "x")])
        #expect(own.from == own.to && own.acknowledged == 9)
        #expect(try await fixture.get(id).content == "xxxxxxxxxone two")
        #expect(try await isSound())
    }

    @Test func `an edit of a place that the text lacks is refused`() async throws {
        var page = try await Page("page", id, fixture)
        await #expect(throws: HubError.self) { try await page.type([TextEdit(position: 5, deletedCount: 9)]) }
        #expect(try await fixture.get(id).content == "one two")
    }

    @Test(arguments: 1...8)
    func `two pages, a client of NoteApp and a command write in one note, and nothing is lost`(_ seed: UInt64)
        async throws
    {
        var random = SeededGenerator(seed: seed)
        var pages = [try await Page("first", id, fixture), try await Page("second", id, fixture)]
        var letters: [Character: Int] = [:]
        for _ in 0..<60 {
            let writer = Int.random(in: 0..<4, using: &random)
            let letter: Character = ["f", "s", "a", "c"][writer]
            letters[letter, default: 0] += 1
            switch writer {
            case 0, 1:
                if Bool.random(using: &random) { try await pages[writer].open() }
                _ = try await pages[writer].type([TextEdit(position: 0, inserted: String(letter))])
            case 2:
                let isNew = Bool.random(using: &random)
                if !isNew { letters["c", default: 0] += 1 }
                #expect(try await write(String(letter), isNew: isNew) == .updated)
            default:
                _ = try await fixture.notes.append(String(letter), to: id, operation: fixture.operation("notes append"))
            }
            if Int.random(in: 0..<10, using: &random) == 0 { _ = try await fixture.notes.search("plan", limit: 1) }
        }
        #expect(try await isSound())
        let text = try await fixture.get(id).content
        for (letter, count) in letters {
            // The text has no such letter at first.
            #expect(text.count { $0 == letter } == count, "\(letter)")
        }
    }

    /// Writes the whole note with a letter before the text that the client has read; `isNew` says that it reads it again before.
    private func write(_ letter: String, isNew: Bool) async throws -> NoteAppReply {
        let note = try await fixture.get(id)
        if note.access.owner.isEmpty {
            _ = try await fixture.notes.share(id, with: ["A"], operation: fixture.operation("notes share"))
        }
        let found = try await fixture.store.read { [id] transaction in try transaction.wireID(of: id) }
        let wire = try #require(found)
        let read = try await fixture.notes.answer(
            NoteAppRequest("GET", "/api/notes/\(wire.text)", client: "a"), legacy: .open)
        guard case .note(let known) = read.reply else { return read.reply }
        if !isNew { _ = try await fixture.notes.append("c", to: id, operation: fixture.operation("notes append")) }
        var json = JSONWriter()
        NoteAppNote(
            id: wire, title: known.title, content: letter + known.content, access: known.access, owner: known.owner
        ).write(to: &json)
        let answer = try await fixture.notes.answer(
            NoteAppRequest(
                "PUT", "/api/notes/\(wire.text)", contentType: "application/json", body: json.bytes, client: "a"),
            legacy: .open)
        return answer.reply
    }
}
