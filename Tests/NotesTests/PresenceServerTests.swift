import HubKit
import HubRuntime
import NotesDomain
import Synchronization
import Testing
import TextCRDT
import WebSocket

@testable import Notes

/// The cursors of people on the pages of several machines, which are clients of a server over real sockets.
@Suite(.timeLimit(.minutes(20)))
struct PresenceServerTests {
    /// A machine whose daemon stays connected to its servers.
    private final class Machine: Sendable {
        let shell: NotesHub
        let notes: NotesPlugin
        private let hub: Hub
        private let watch: Mutex<Task<Void, any Error>?> = Mutex(nil)

        init(_ shell: NotesHub) throws {
            self.shell = shell
            hub = Hub(
                plugins: [NotesPlugin.self], environment: shell.environment, log: Log(label: "test") { _, _, _ in })
            notes = try hub.plugin(NotesPlugin.self)
        }

        deinit { watch.withLock { $0?.cancel() } }

        /// Connects to the servers; returns once everything was exchanged.
        func connect() async throws {
            let reports = try notes.watchServers([])
            let (connected, source) = AsyncStream<Void>.makeStream()
            let task = Task {
                for try await report in reports where report.words == "connected" { source.yield() }
                source.finish()
            }
            watch.withLock { $0 = task }
            for await _ in connected { return }
        }

        /// Loses the connections to the servers.
        func disconnect() {
            watch.withLock { task in
                task?.cancel()
                task = nil
            }
        }

        func page(_ agent: String, _ note: String) async throws -> Page {
            let page = Page(agent, note, of: notes)
            try await page.open()
            return page
        }
    }

    /// A page of a machine that has a note open.
    private final class Page: WebSocketPeer {
        let agent: String
        private let note: String
        private let inbox = AsyncStream<String>.makeStream()
        private let outbox = AsyncStream<String>.makeStream()
        private let serving = Mutex<Task<Void, any Error>?>(nil)
        private let state: Mutex<State>

        private struct State {
            var editor: EditClient
            var number = 0
            var cursors: [Cursor] = []
        }

        /// Where another has shown the page its cursor, in the text that the page knew.
        struct Cursor {
            let user: String
            let place: Int
            let text: [Character]
        }

        init(_ agent: String, _ note: String, of notes: NotesPlugin) {
            self.agent = agent
            self.note = note
            state = Mutex(State(editor: EditClient(note: note)))
            let task = Task { try await notes.serve(self, as: .local) }
            serving.withLock { $0 = task }
        }

        func receive() async -> WebSocketConnection.Message? {
            for await text in inbox.stream { return .text(text) }
            return nil
        }

        func send(_ messages: [WebSocketConnection.Message]) -> Bool {
            for case .text(let text) in messages { outbox.continuation.yield(text) }
            return true
        }

        func flushed() async {}

        func close(_ code: WebSocketCloseCode, reason: String) { inbox.continuation.finish() }

        /// Leaves, as a page that is closed.
        func leave() async throws {
            inbox.continuation.finish()
            try await serving.withLock(\.self)?.value
        }

        private func write(_ frame: ClientFrame) { inbox.continuation.yield(frame.text) }

        private func number() -> Int {
            state.withLock { state in
                state.number += 1
                return state.number
            }
        }

        /// What the page knows of the text.
        var known: EditClient.Snapshot { state.withLock { $0.editor.snapshot } }

        /// The cursors that came so far.
        var cursors: [Cursor] { state.withLock { $0.cursors } }

        func open() async throws {
            write(.hello(agent: agent, mode: .edits, cursor: nil))
            let request = state.withLock { $0.editor.opening(number: 1) }
            write(.request(request))
            state.withLock { $0.number = 1 }
            while try await next() != .acknowledged(1) {}
            state.withLock { _ = $0.editor.opened(acknowledged: 0, number: 1) }
        }

        /// Returns the next frame, after taking it in.
        func next() async throws -> ServerFrame {
            for await text in outbox.stream {
                guard let frame = try ServerFrame(text) else { continue }
                if case .text(let delta) = frame, delta.field == .content {
                    let isTaken = state.withLock { $0.editor.receive(delta) != nil }
                    #expect(isTaken, "each text follows the one before")
                }
                if case .presence(let presence, let user, _) = frame, let place = presence.selection?.lowerBound {
                    state.withLock { state in
                        let text = Array(state.editor.snapshot.text)
                        state.cursors.append(Cursor(user: user, place: place, text: text))
                    }
                }
                return frame
            }
            throw CancellationError()
        }

        /// Inserts text, and waits until hub has it.
        func type(_ text: String, at position: Int) async throws {
            let number = number()
            let request = state.withLock { state in
                state.editor.type([TextEdit(position: position, inserted: text)])
                return state.editor.request(number: number)
            }
            write(.request(try #require(request)))
            while try await next() != .acknowledged(number) {}
        }

        /// Shows a selection in the text that is known.
        func show(_ selection: Range<Int>) {
            write(.presence(Presence(note: note, selection: selection, version: known.version)))
        }

        /// Returns the next cursor that another shows; nil for one who has left.
        func cursor(of user: String) async throws -> Range<Int>? {
            while true {
                guard case .presence(let presence, user, _) = try await next() else { continue }
                return presence.selection
            }
        }
    }

    /// A server, and two people who share the note `Plan` on it.
    private func world(_ text: String) async throws -> (NotesServer, ada: Machine, bob: Machine, note: String) {
        let server = try NotesServer()
        let (ada, bob) = (try await server.machine("ada"), try await server.machine("bob"))
        await ada.run("notes new Plan -m '\(text)'")
        await ada.run("notes share plan bob")
        for machine in [ada, bob] { #expect(await machine.run("notes sync").exit == 0) }
        let machines = (try Machine(ada), try Machine(bob))
        let note = try #require(try await machines.0.notes.list(NoteFilter()).rows.first?.id)
        try await machines.0.connect()
        try await machines.1.connect()
        return (server, machines.0, machines.1, note)
    }

    @Test func `people on the pages of two machines see each other come, move and leave`() async throws {
        let (server, ada, bob, note) = try await world("one two")
        let (one, two) = (try await ada.page("page-a", note), try await bob.page("page-b", note))
        one.show(1..<3)
        #expect(try await two.cursor(of: "ada") == 1..<3)
        two.show(7..<7)
        #expect(try await one.cursor(of: "bob") == 7..<7)
        one.show(4..<4)
        #expect(try await two.cursor(of: "ada") == 4..<4)
        // Two pages of a machine are two.
        let third = try await ada.page("page-c", note)
        third.show(5..<5)
        #expect(try await two.cursor(of: "ada") == 5..<5)
        try await third.leave()
        #expect(try await two.cursor(of: "ada") == nil)
        one.show(2..<2)
        #expect(try await two.cursor(of: "ada") == 2..<2)
        try await one.leave()
        #expect(try await two.cursor(of: "ada") == nil)
        withExtendedLifetime(server) {}
    }

    @Test func `a lost connection takes the cursors away, and the next one brings them back`() async throws {
        let (server, ada, bob, note) = try await world("one two")
        let (one, two) = (try await ada.page("page-a", note), try await bob.page("page-b", note))
        one.show(1..<3)
        #expect(try await two.cursor(of: "ada") == 1..<3)
        two.show(4..<4)
        #expect(try await one.cursor(of: "bob") == 4..<4)
        ada.disconnect()
        #expect(try await two.cursor(of: "ada") == nil)
        #expect(try await one.cursor(of: "bob") == nil)
        try await ada.connect()
        #expect(try await two.cursor(of: "ada") == 1..<3, "without a word of the page")
        withExtendedLifetime((server, bob)) {}
    }

    @Test func `who may no longer open the note sees nobody there, and is not seen`() async throws {
        let (server, ada, bob, note) = try await world("one two")
        let (one, two) = (try await ada.page("page-a", note), try await bob.page("page-b", note))
        one.show(1..<3)
        two.show(2..<2)
        #expect(try await two.cursor(of: "ada") == 1..<3)
        #expect(try await one.cursor(of: "bob") == 2..<2)
        await ada.shell.run("notes unshare plan bob")
        #expect(try await two.cursor(of: "ada") == nil)
        #expect(try await one.cursor(of: "bob") == nil)
        withExtendedLifetime(server) {}
    }

    /// Each page writes letters of its own and shows its cursor directly after the last one, while the other writes too. So
    /// wherever the other page is shown it, the letter before is one of the writer's.
    @Test func `a cursor is shown where its writer has put it, while both write`() async throws {
        let (server, ada, bob, note) = try await world("........")
        let (one, two) = (try await ada.page("page-a", note), try await bob.page("page-b", note))
        let rounds = 20

        func write(_ page: Page, _ letters: [Character], from other: String, _ others: Set<Character>) async throws {
            for (round, letter) in letters.enumerated() {
                let count = page.known.text.unicodeScalars.count
                try await page.type(String(letter), at: (round * 7 + 3) % count)
                let text = Array(page.known.text)
                let place = try #require(text.lastIndex(of: letter)) + 1
                page.show(place..<place)
            }
            // The last cursor of the other stays, and is the only one that has to come.
            while page.cursors.last.map({ $0.text[$0.place - 1] }) != others.max() { _ = try await page.next() }
            for cursor in page.cursors {
                #expect(cursor.user == other)
                #expect(others.contains(cursor.text[cursor.place - 1]), "\(cursor)")
            }
        }

        let small = (0..<rounds).map { Character(Unicode.Scalar(UInt8(97 + $0))) }
        let large = (0..<rounds).map { Character(Unicode.Scalar(UInt8(65 + $0))) }
        try await withThrowingTaskGroup { group in
            group.addTask { try await write(one, small, from: "bob", Set(large)) }
            group.addTask { try await write(two, large, from: "ada", Set(small)) }
            try await group.waitForAll()
        }
        withExtendedLifetime(server) {}
    }
}
