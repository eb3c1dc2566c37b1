import HubKit
import NotesDomain
import PostgreSQL
import PostgresTestSupport
import Synchronization
import System
import TestSupport
import Testing
import TextCRDT
import WebSocket

@testable import Notes

/// Changes of other servers, which a server reads once for all of its clients.
@Suite(.timeLimit(.minutes(10)))
struct SharedChangesTests {
    /// A client that has a note open, or follows all notes that it may read.
    private final class Client: WebSocketPeer {
        private struct State {
            var editor: EditClient?
            var document = NoteDocument()
            var number = 1
            var acknowledged = 0
            var closed: UInt16?
            /// What waits for the text to have a part.
            var waiting: (part: String, continuation: CheckedContinuation<Void, Never>)?

            var text: String { editor?.text ?? document.content.text }
        }

        private let note: String
        private let state: Mutex<State>
        private let inbox = AsyncStream<String>.makeStream()
        private let task = Mutex<Task<Void, any Error>?>(nil)

        init(
            _ agent: String, _ mode: ClientFrame.Mode, of account: String = "ada", _ note: String,
            at server: NotesFixture
        ) {
            self.note = note
            state = Mutex(State(editor: mode == .edits ? EditClient(note: note) : nil))
            inbox.continuation.yield(
                ClientFrame.hello(agent: agent, mode: mode, cursor: mode == .edits ? nil : "").text)
            if let request = state.withLock({ $0.editor?.opening(number: 1) }) {
                inbox.continuation.yield(ClientFrame.request(request).text)
            }
            task.withLock { $0 = Task { try await server.notes.serve(self, as: .account(account)) } }
        }

        var text: String { state.withLock(\.text) }

        /// Waits until the text has a part.
        func until(_ part: String) async {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if state.text.contains(part) { return true }
                    state.waiting = (part, continuation)
                    return false
                }
                if isThere { continuation.resume() }
            }
        }

        func type(_ text: String) {
            state.withLock { state in
                let length = state.text.unicodeScalars.count
                state.editor?.type([TextEdit(position: length, inserted: text)])
            }
            flush()
        }

        private func flush() {
            state.withLock { state in
                guard let request = state.editor?.request(number: state.number + 1) else { return }
                state.number += 1
                inbox.continuation.yield(ClientFrame.request(request).text)
            }
        }

        func end() async throws {
            inbox.continuation.finish()
            try await task.withLock(\.self)?.value
        }

        func receive() async -> WebSocketConnection.Message? {
            for await text in inbox.stream { return .text(text) }
            return nil
        }

        func send(_ messages: [WebSocketConnection.Message]) -> Bool {
            for case .text(let text) in messages {
                guard let frame = try? ServerFrame(text) else { continue }
                state.withLock { take(frame, &$0) }
            }
            flush()
            let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard let waiting = state.waiting, state.text.contains(waiting.part) else { return nil }
                state.waiting = nil
                return waiting.continuation
            }
            waiting?.resume()
            return true
        }

        private func take(_ frame: ServerFrame, _ state: inout State) {
            switch frame {
            case .text(let delta) where delta.field == .content:
                if state.editor?.receive(delta) == nil { Issue.record("a text does not follow what is known") }
            case .acknowledged(1): _ = state.editor?.opened(acknowledged: 0, number: 1)
            case .note(let delta, _) where delta.note == note && state.editor == nil:
                do { _ = try state.document.merge(delta.patch) } catch { Issue.record(error) }
            case .refused(_, let code, let message): Issue.record("\(code): \(message)")
            default: break
            }
        }

        func close(_ code: WebSocketCloseCode, reason: String) { Issue.record("closed: \(reason)") }
        func flushed() async {}
    }

    private func servers() async throws -> (url: String, [NotesFixture]) {
        let url = try await PostgresServer.emptyURL()
        let servers = try (0..<2).map { _ in
            let server = try NotesFixture()
            try server.notes.useServerStore(url)
            return server
        }
        _ = try await servers[0].notes.invite("ada", operation: servers[0].operation())
        return (url, servers)
    }

    private func statements(_ server: NotesFixture) -> Int {
        (server.notes.serverStore as? PostgresNoteServerStore)?.database.statements ?? 0
    }

    /// Lets clients of one server see what is typed at the other one.
    /// - Returns: the statements of the server that types nothing.
    private func statements(clients count: Int, edits: Int) async throws -> Int {
        let (_, servers) = try await servers()
        let note = try await StoreClient("ada", of: servers[0].notes.serverStore).make("begin")
        let writer = Client("writer", .edits, note, at: servers[0])
        // Half of them follow events, the others edits.
        let readers = (0..<count).map { Client("r\($0)", $0 % 2 == 0 ? .edits : .log, note, at: servers[1]) }
        for client in readers + [writer] { await client.until("begin") }
        let before = statements(servers[1])
        for number in 0..<edits {
            writer.type(" edit\(number).")
            for reader in readers { await reader.until(" edit\(number).") }
        }
        let used = statements(servers[1]) - before
        for client in readers + [writer] {
            #expect(client.text == readers[0].text)
            try await client.end()
        }
        return used
    }

    @Test func `an edit of another server is read once, however many clients a server has`() async throws {
        let edits = 6
        // A look for news, its place, the page, the texts and NOTIFY of itself, and the looks of each second that passes.
        let (few, many) = (
            try await statements(clients: 2, edits: edits), try await statements(clients: 40, edits: edits)
        )
        #expect(few >= edits, "it reads what the other has stored")
        #expect(many <= 12 * edits, "and 40 clients are no more than 2 (\(few))")
    }

    @Test func `what a server stores itself reaches its clients without a read of the note`() async throws {
        let (url, servers) = try await servers()
        let note = try await StoreClient("ada", of: servers[0].notes.serverStore).make("begin")
        let clients = (0..<6).map { Client("c\($0)", .edits, note, at: servers[0]) }
        for client in clients { await client.until("begin") }
        // Its log cannot be read any more.
        let pool = PostgresPool(try PostgresAddress(url), maximum: 1)
        defer { pool.close() }
        for table in ["hub_event", "hub_log"] {
            _ = try await pool.run(PostgresQuery("UPDATE \(table) SET events = '\\x00'"))
        }
        for round in 0..<5 {
            for (number, client) in clients.enumerated() { client.type(" \(number)-\(round).") }
        }
        for round in 0..<5 {
            for number in 0..<6 { for client in clients { await client.until(" \(number)-\(round).") } }
        }
        for client in clients {
            #expect(client.text == clients[0].text)
            try await client.end()
        }
    }

    @Test func `a write of a damaged note fails alone`() async throws {
        let (url, servers) = try await servers()
        // The second server has none of them in memory.
        let (maker, writer) = (
            StoreClient("ada", of: servers[0].notes.serverStore), StoreClient("ada", of: servers[1].notes.serverStore)
        )
        let (bad, good) = (try await maker.make("bad"), try await maker.make("good"))
        try await PostgresServer.damage(bad, at: url)
        // Those that come while the first is written are one transaction.
        let stored = await withTaskGroup { group in
            for number in 0..<12 {
                group.addTask {
                    let change = NoteChange(access: AccessChange(granted: ["member\(number)"]))
                    return try? await writer.perform(.set(change), number % 3 == 1 ? bad : good) == .done
                }
            }
            return await group.reduce(0) { $0 + ($1 == true ? 1 : 0) }
        }
        #expect(stored == 8)
    }

    @Test func `a note that is damaged for one client leaves the others alone`() async throws {
        let (url, servers) = try await servers()
        let store = servers[0].notes.serverStore
        let (bad, good) = (
            try await StoreClient("ada", of: store).make("bad"), try await StoreClient("ada", of: store).make("good")
        )
        let reader = Client("reader", .edits, good, at: servers[1])
        await reader.until("good")
        try await PostgresServer.damage(bad, at: url)
        let writers = [bad, good].map { Client("w\($0)", .edits, $0, at: servers[0]) }
        for (writer, text) in zip(writers, ["bad", "good"]) {
            await writer.until(text)
            writer.type(" more")
        }
        // Nobody here has the damaged one open, so nobody reads it.
        await reader.until("good more")
        for client in writers + [reader] { try await client.end() }
    }
}
