import HubKit
import NotesDomain
import PostgreSQL
import PostgresTestSupport
import Synchronization
import TestSupport
import Testing
import TextCRDT
import WebSocket

@testable import Notes

/// Several servers on one database of PostgreSQL: it does not matter which one a client is connected to.
@Suite(.timeLimit(.minutes(5)))
struct PostgresServersTests {
    private struct Lost: Error {}

    /// A client of mode `log` at one of the servers.
    private final class Client: WebSocketPeer {
        private struct State {
            var texts: [String: NoteDocument] = [:]
            var cursor: String?
            var number = 0
            var isResync = false
        }

        let name: String
        private let agent: String
        private let state: Mutex<State>
        private let inbox = AsyncStream<String>.makeStream()
        private let frames = AsyncStream<ServerFrame>.makeStream()
        private let task = Mutex<Task<Void, any Error>?>(nil)

        /// Connects; `old` is the same client at another server, with what it had.
        init(_ name: String, at server: NotesFixture, after old: Client? = nil) {
            (self.name, agent) = (name, old?.agent ?? name)
            state = Mutex(old?.state.withLock(\.self) ?? State())
            inbox.continuation.yield(ClientFrame.hello(agent: agent, mode: .log, cursor: cursor).text)
            task.withLock { $0 = Task { try await server.notes.serve(self, as: .account(name)) } }
        }

        var cursor: String? { state.withLock(\.cursor) }
        var isResync: Bool { state.withLock(\.isResync) }
        func text(_ note: String) -> String? { state.withLock { $0.texts[note]?.content.text } }

        func receive() async -> WebSocketConnection.Message? {
            for await text in inbox.stream { return .text(text) }
            return nil
        }
        func send(_ messages: [WebSocketConnection.Message]) -> Bool {
            for case .text(let text) in messages {
                if let frame = try? ServerFrame(text) { frames.continuation.yield(frame) }
            }
            return true
        }
        func close(_ code: WebSocketCloseCode, reason: String) { frames.continuation.finish() }
        func flushed() async {}

        /// Is cut off from its server.
        func disconnect() async {
            inbox.continuation.finish()
            let task = task.withLock(\.self)
            task?.cancel()
            try? await task?.value
            frames.continuation.finish()
        }

        /// Takes in what comes until it is what is awaited.
        func until(_ isAwaited: (ServerFrame) -> Bool) async throws {
            for await frame in frames.stream {
                try state.withLock { state in
                    switch frame {
                    case .welcome(_, let isResync, _): state.isResync = isResync
                    case .note(let delta, let cursor):
                        _ = try state.texts[delta.note, default: NoteDocument()].merge(delta.patch)
                        state.cursor = cursor ?? state.cursor
                    case .gone(_, _, let cursor), .cursor(let cursor): state.cursor = cursor
                    default: break
                    }
                }
                if isAwaited(frame) { return }
            }
            throw Lost()
        }

        func until(_ note: String, is text: String) async throws {
            while self.text(note) != text { try await until { _ in true } }
        }

        /// Asks for something, and waits until it is done.
        func ask(_ note: String, _ kind: NoteRequest.Kind) async throws {
            let number = state.withLock { state in
                state.number += 1
                return state.number
            }
            inbox.continuation.yield(ClientFrame.request(NoteRequest(number, note, kind)).text)
            try await until { frame in
                if case .refused(number, let code, _) = frame { Issue.record("\(code)") }
                return frame == .acknowledged(number)
            }
        }

        /// Adds a line.
        func add(_ line: String, to note: String) async throws {
            let patch = try state.withLock { state in
                let before = state.texts[note]?.version ?? NoteVersion()
                let text = state.texts[note]?.content.text ?? ""
                _ = try state.texts[note, default: NoteDocument()].set(content: text + line + "\n", by: agent)
                return state.texts[note]?.patch(since: before) ?? NotePatch()
            }
            try await ask(note, .push(patch))
        }
    }

    /// Makes servers on one empty database.
    private func servers(_ count: Int) async throws -> [NotesFixture] {
        let url = try await PostgresServer.emptyURL()
        return try (0..<count).map { _ in
            let server = try NotesFixture()
            try server.notes.useServerStore(url)
            return server
        }
    }

    private func invite(_ names: String..., at server: NotesFixture) async throws {
        for name in names { _ = try await server.notes.invite(name, operation: server.operation()) }
    }

    @Test func `clients of two servers edit one note, and one goes on at the other server`() async throws {
        let servers = try await servers(2)
        try await invite("ada", "bob", at: servers[0])
        let (ada, bob, note) = (
            Client("ada", at: servers[0]), Client("bob", at: servers[1]), Identifier.make()
        )
        try await ada.add("begin", to: note)
        try await ada.ask(note, .set(NoteChange(access: AccessChange(granted: ["bob"]))))
        try await bob.until(note, is: "begin\n")
        for number in 0..<5 {
            async let first: Void = ada.add("ada \(number)", to: note)
            async let second: Void = bob.add("bob \(number)", to: note)
            _ = try await (first, second)
        }
        func lines(_ client: Client) -> Set<Substring> { Set((client.text(note) ?? "").split(separator: "\n")) }
        for client in [ada, bob] { while lines(client).count < 11 { try await client.until { _ in true } } }
        #expect(ada.text(note) == bob.text(note))
        // The server of ada is gone.
        let cursor = try #require(ada.cursor)
        await ada.disconnect()
        try await bob.add("alone", to: note)
        let next = Client("ada", at: servers[1], after: ada)
        try await next.until(note, is: bob.text(note) ?? "")
        #expect(lines(next).count == 12 && !next.isResync && !cursor.isEmpty)
        try await next.add("back", to: note)
        try await bob.until(note, is: next.text(note) ?? "")
        for client in [bob, next] { await client.disconnect() }
    }

    @Test func `requests for access and the end of an account cross servers`() async throws {
        let servers = try await servers(2)
        try await invite("ada", "eve", at: servers[0])
        let (ada, eve, note) = (
            Client("ada", at: servers[0]), Client("eve", at: servers[1]), Identifier.make()
        )
        try await ada.add("secret", to: note)
        try await eve.ask(note, .unlock(reason: "please"))
        try await ada.until { $0 == .request(note: note, requester: "eve", reason: "please") }
        try await ada.ask(note, .answer(requester: "eve", allow: true))
        try await eve.until(note, is: "secret\n")
        try await ada.ask(note, .set(NoteChange(access: AccessChange(revoked: ["eve"]))))
        try await eve.until { if case .gone(note, .locked, _) = $0 { true } else { false } }
        try await servers[0].notes.removeAccount("eve", operation: servers[0].operation())
        await #expect(throws: Lost.self) { try await eve.until { _ in false } }
        for client in [ada, eve] { await client.disconnect() }
    }

    @Test func `what was acknowledged survives a database that stops at once, and nothing is there twice`() async throws
    {
        let database = try await BackgroundThread.run { try PostgresServer() }
        let servers = try (0..<2).map { _ in
            let server = try NotesFixture()
            try server.notes.useServerStore(database.url())
            return server
        }
        let (first, second) = (servers[0].notes.serverStore, servers[1].notes.serverStore)
        let note = try await StoreClient("ada", of: first).make("")
        let base = try await StoreClient("ada", of: first).content(note).version
        let (acknowledged, source) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup { group in
            for (number, store) in [first, second].enumerated() {
                group.addTask {
                    let writer = StoreClient("ada", .edits, agent: "writer\(number)", of: store)
                    for count in 0..<30 {
                        let known =
                            count == 0 ? base : Version([EventID(agent: "writer\(number)", sequence: count - 1)])
                        let edit = EditRequest(
                            field: .content, sequence: count, base: known,
                            edits: [TextEdit(position: count, inserted: number == 0 ? "a" : "b")])
                        // As clients do: the same again until it is acknowledged.
                        while true {
                            try Task.checkCancellation()
                            let outcome = try? await writer.perform(.edit(edit), note)
                            guard case .edited(_, let own)? = outcome else { continue }
                            #expect(own.acknowledged == count + 1)
                            break
                        }
                        source.yield()
                    }
                }
            }
            group.addTask {
                // In the midst of the edits, three times.
                var count = 0
                for await _ in acknowledged {
                    count += 1
                    if count % 12 == 0, count < 40 { try await BackgroundThread.run { try database.restart() } }
                    if count == 60 { return }
                }
            }
            try await group.waitForAll()
        }
        for store in [first, second] {
            let text = try await StoreClient("ada", of: store).content(note).text
            #expect(text.count { $0 == "a" } == 30 && text.count { $0 == "b" } == 30 && text.count == 60)
        }
    }
}
