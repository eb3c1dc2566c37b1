import HubKit
import NotesDomain
import SQLite
import Storage
import Synchronization
import System
import TestSupport
import Testing
import TextCRDT
import WebSocket

@testable import Notes

/// One note that several people edit at once: it is in memory, and each edit goes to the others without a look at the store.
struct BusyNoteTests {
    private let folder: TemporaryFolder
    private let fixture: NotesFixture
    private let id: String

    init() async throws {
        folder = try TemporaryFolder()
        fixture = try NotesFixture(at: .directory(folder.path))
        id = try await fixture.make("Plan", "one two").id
    }

    /// A page that has the note open over a WebSocket, and types at the end of what it knows.
    private final class Page: WebSocketPeer {
        private struct State {
            var editor: EditClient
            var number = 1
            var acknowledged = 0
            var notes = 0
        }

        private let agent: String
        private let state: Mutex<State>
        private let inbox = AsyncStream<String>.makeStream()

        init(_ agent: String, _ note: String) {
            self.agent = agent
            state = Mutex(State(editor: EditClient(note: note)))
            inbox.continuation.yield(ClientFrame.hello(agent: agent, mode: .edits, cursor: nil).text)
            let request = state.withLock { $0.editor.opening(number: 1) }
            inbox.continuation.yield(ClientFrame.request(request).text)
        }

        var text: String { state.withLock { $0.editor.text } }
        var isSaved: Bool { state.withLock { $0.editor.isSaved && $0.acknowledged == $0.number } }
        /// The number of frames `note`.
        var noteFrames: Int { state.withLock(\.notes) }

        func type(_ text: String) {
            state.withLock { state in
                let length = state.editor.text.unicodeScalars.count
                state.editor.type([TextEdit(position: length, inserted: text)])
            }
            flush()
        }

        private func flush() {
            state.withLock { state in
                guard let request = state.editor.request(number: state.number + 1) else { return }
                state.number += 1
                inbox.continuation.yield(ClientFrame.request(request).text)
            }
        }

        func end() { inbox.continuation.finish() }

        func receive() async -> WebSocketConnection.Message? {
            for await text in inbox.stream { return .text(text) }
            return nil
        }

        func send(_ messages: [WebSocketConnection.Message]) -> Bool {
            for case .text(let text) in messages {
                switch try? ServerFrame(text) {
                case .text(let delta) where delta.field == .content:
                    let isKnown = state.withLock { $0.editor.receive(delta) != nil }
                    if !isKnown { Issue.record("a text does not follow what is known") }
                case .acknowledged(let number):
                    state.withLock { state in
                        state.acknowledged += 1
                        if number == 1 { _ = state.editor.opened(acknowledged: 0, number: 1) }
                    }
                case .note: state.withLock { $0.notes += 1 }
                case .refused(_, let code, let message): Issue.record("\(code): \(message)")
                default: break
                }
            }
            flush()
            return true
        }

        func close(_ code: WebSocketCloseCode, reason: String) {}
        func flushed() async {}
    }

    private func withPages(_ count: Int, _ body: ([Page]) async throws -> Void) async throws {
        let pages = (0..<count).map { Page("page\($0)", id) }
        try await withThrowingTaskGroup { group in
            for page in pages {
                group.addTask { [notes = fixture.notes] in try await notes.serve(page, as: .local) }
            }
            while !pages.allSatisfy({ $0.text == "one two" }) { await Task.yield() }
            try await body(pages)
            for page in pages { page.end() }
            try await group.waitForAll()
        }
    }

    private func isSound() async throws -> Bool { try await fixture.store.read { [id] in try $0.matchesHistory(id) } }

    @Test(.timeLimit(.minutes(20))) func `each page gets what the others type, which nobody announces or reads`()
        async throws
    {
        try await withPages(6) { pages in
            // The log cannot be read any more.
            try await damageLog()
            for round in 0..<10 { for (number, page) in pages.enumerated() { page.type("\(number)-\(round) ") } }
            while !pages.allSatisfy({ $0.isSaved && $0.text == pages[0].text }) || pages[0].text.count < 7 + 240 {
                await Task.yield()
            }
            for number in 0..<6 {
                for round in 0..<10 { #expect(pages[0].text.contains("\(number)-\(round) ")) }
            }
            #expect(try await fixture.get(id).content == pages[0].text)
            // A change of the text alone of a note that is open is no news of the note.
            #expect(pages.allSatisfy { $0.noteFrames == 0 })
        }
    }

    private func damageLog() async throws {
        try await fixture.store.write(fixture.operation()) { [id] transaction in
            for table in ["log", "events"] {
                _ = try transaction.run("UPDATE notes_\(table) SET events = x'00' WHERE note = ?", id)
            }
        }
    }

    @Test(.timeLimit(.minutes(20))) func `what a command and another process write comes in between`() async throws {
        let other = try NotesFixture(at: .directory(folder.path))
        try await withPages(3) { pages in
            for round in 0..<5 {
                for (number, page) in pages.enumerated() { page.type("\(number)-\(round) ") }
                let writer = round % 2 == 0 ? fixture : other
                _ = try await writer.notes.append("line\(round)", to: id, operation: writer.operation("notes append"))
                while !pages.allSatisfy({ $0.isSaved && $0.text.contains("line\(round)") }) {
                    fixture.bus.announceLocally(.some([NotesEvents.changed]))
                    await Task.yield()
                }
            }
            while !pages.allSatisfy({ $0.text == pages[0].text }) {
                fixture.bus.announceLocally(.some([NotesEvents.changed]))
                await Task.yield()
            }
            #expect(try await fixture.get(id).content == pages[0].text)
        }
        #expect(try await isSound())
    }

    // MARK: In memory

    private struct Failure: Error {}

    private func type(_ text: String, fails: Bool = false) async throws {
        try await fixture.store.write(fixture.operation()) { [id, notes = fixture.notes] transaction in
            _ = try notes.openNotes.change(id, in: transaction) { note in
                let before = note.texts.version
                let request = EditRequest(
                    field: .content, sequence: note.texts.document.content.nextSequence(of: "page"),
                    base: before.content, edits: [TextEdit(position: 0, inserted: text)])
                let own = try note.texts.perform(request, in: id, by: "page", known: nil).own
                try transaction.store(
                    NoteEdits(content: own.edits), of: &note, since: before, by: "ada", telling: notes.committed)
            }
            if fails { throw Failure() }
        }
    }

    @Test func `an edit that is rolled back is not seen by the next`() async throws {
        try await type("a")
        await #expect(throws: Failure.self) { try await type("b", fails: true) }
        try await type("c")
        #expect(try await fixture.get(id).content == "caone two")
        #expect(try await isSound())
    }

    @Test func `an open note follows what others change beside its text`() async throws {
        try await type("a")
        _ = try await fixture.notes.share(id, with: ["bob"], operation: fixture.operation())
        let access = try await fixture.store.write(fixture.operation()) { [id, notes = fixture.notes] transaction in
            try notes.openNotes.change(id, in: transaction) { $0.metadata.access.members }
        }
        #expect(access?.contains("bob") == true)
    }

    // MARK: The stored form

    private func count(_ table: String) async throws -> Int {
        try await fixture.store.read { [id] transaction in
            try transaction.row("SELECT count(*) FROM \(table) WHERE note = ?", id) { $0.int(0) } ?? 0
        }
    }

    @Test func `many edits are packed, and few are not`() async throws {
        let before = try await count("notes_events")
        for number in 1...20 { try await type("\(number) ") }
        #expect(try await count("notes_events") == before + 20)
        try await type(String(repeating: "long text ", count: 1000))
        #expect(try await count("notes_events") == 0)
        try await type("more ")
        #expect(try await count("notes_events") == 1)
        #expect(try await isSound())
        try await fixture.undo()
        #expect(try await isSound())
    }

    @Test func `edits that an older version has left beside the log are read, and packed with the next edit`()
        async throws
    {
        try await fixture.store.write(fixture.operation()) { [id] transaction in
            let document = try transaction.document(of: id)
            try TextLog(transaction: transaction, note: id).pack(document)
            // Position 3, nothing deleted, one byte: "x"; then the last two letters give way to "y".
            let edits: [[UInt8]] = [[3, 0, 1, 0x78], [6, 2, 1, 0x79]]
            for (place, bytes) in edits.enumerated() {
                try transaction.run(
                    """
                    INSERT INTO notes_addition (note, place, field, agent, edits, first, last, at, change, inserted, deleted)
                    VALUES (?, ?, 'content', 'old', ?, ?, 0, 0, 0, 0, 0)
                    """, id, place, bytes, 3 * place)
            }
            try transaction.restoreText(of: id)
        }
        #expect(try await fixture.get(id).content == "onex ty")
        #expect(try await isSound())
        try await type("new ")
        #expect(try await fixture.get(id).content == "new onex ty")
        #expect(try await count("notes_addition") == 0)
        #expect(try await isSound())
    }
}
