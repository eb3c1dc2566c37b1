import HubKit
import NotesDomain
import SQLite
import Storage
import Synchronization
import TestSupport
import Testing
import WebSocket

@testable import Notes

/// The server's side of NoteApp, request by request.
struct NoteAppServerTests {
    private let folder: TemporaryFolder
    private let fixture: NotesFixture

    init() throws {
        folder = try TemporaryFolder()
        fixture = try NotesFixture(at: .directory(folder.path))
    }

    private func ask(
        _ method: String, _ path: String, _ body: String = "", client: String = "a", as actor: Actor = .anonymous,
        legacy: LegacyMode = .open
    ) async throws -> NoteAppAnswer {
        try await fixture.notes.answer(
            NoteAppRequest(
                method, path, contentType: body.isEmpty ? nil : "application/json", body: Array(body.utf8),
                client: client, actor: actor), legacy: legacy)
    }

    private func note(_ title: String, _ content: String, access: String = "\"A\"", owner: String = "A") -> String {
        #"{"title":"\#(title)","content":"\#(content)","access":[\#(access)],"owner":"\#(owner)"}"#
    }

    private func make(_ content: String, access: String = "\"A\"") async throws -> String {
        let answer = try await ask("POST", "/api/notes", note("T", content, access: access))
        guard case .inserted(let id) = answer.reply else { throw HubError(.internal, code: "no-note", "not made") }
        return id.text
    }

    private func content(_ id: String) async throws -> String? {
        guard case .note(let note) = try await ask("GET", "/api/notes/\(id)", client: "reader").reply else {
            return nil
        }
        return note.content
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `each route answers as the original does`(_ store: ServerStoreImplementation) async throws {
        try await store.serve(fixture.notes)
        let id = try await make("one")
        #expect(try await ask("GET", "/api/notes").reply.status == 200)
        #expect(try await ask("PUT", "/api/notes/\(id)", note("T", "two")).reply == .updated)
        #expect(try await content(id) == "two")
        #expect(try await ask("DELETE", "/api/notes/\(id)", note("T", "two")).reply == .deleted)
        #expect(try await ask("GET", "/api/notes/\(id)").reply == .notFound)
        #expect(try await ask("PUT", "/api/notes/\(id)", note("T", "x")).reply == .notFound)
        #expect(try await ask("GET", "/api/notes/zzz").reply.status == 400)
        #expect(try await ask("GET", "/api/notes/abcdefghijkl").reply == .notFound)
        #expect(try await ask("POST", "/api/notes", #"{"title":"only"}"#).reply.status == 400)
        #expect(try await ask("PUT", "/api/notes/\(id)", "[1").reply.status == 400)
        // No address of a client becomes an owner.
        for owner in ["", "  "] {
            #expect(try await ask("POST", "/api/notes", note("T", "x", owner: owner)).reply.status == 400)
        }
        #expect(try await ask("POST", "/api/notes", #"{"title":"T","content":"x"}"#).reply.status == 400)
        #expect(try await ask("GET", "/other").reply == .notFound)
        #expect(try await fixture.notes.serverStore.noteCount() == 0)
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `each change is told to all sockets once, and what is no change is not`(
        _ store: ServerStoreImplementation
    ) async throws {
        try await store.serve(fixture.notes)
        let other = try await make("other")
        let peer = Peer()
        let start = try await fixture.notes.listenStart()
        try await fixture.notes.noteAppClients.withClient(peer, .anonymous, since: start) {
            let id = try await make("one")
            try await told([.inserted(#require(NoteAppID(id)), owner: "A")], peer)
            for content in ["two", "three", "three"] {
                _ = try await ask("PUT", "/api/notes/\(id)", note("T", content))
            }
            _ = try await ask("PUT", "/api/notes/\(other)", note("T", "more"))
            let updates = [id, id, other].map { NoteAppEvent.updated($0, owner: "A") }
            try await told([.inserted(#require(NoteAppID(id)), owner: "A")] + updates, peer)
            _ = try await ask("DELETE", "/api/notes/\(id)", note("T", "two"))
            try await told([.inserted(#require(NoteAppID(id)), owner: "A")] + updates + [.deleted(id)], peer)
        }
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `a socket is told once of what happens after its handshake, and of nothing before`(
        _ store: ServerStoreImplementation
    ) async throws {
        try await store.serve(fixture.notes)
        let (notes, clients) = (fixture.notes, fixture.notes.noteAppClients)
        let (first, slow, later) = (Peer(), Peer(), Peer())
        let start = try await notes.listenStart()
        try await clients.withClient(first, .anonymous, since: start) {
            let id = try await make("one")
            let inserted = NoteAppEvent.inserted(try #require(NoteAppID(id)), owner: "A")
            let updated = NoteAppEvent.updated(id, owner: "A")
            try await told([inserted], first)
            // Its handshake was answered before, and it is served only now.
            try await clients.withClient(slow, .anonymous, since: start) {
                try await told([inserted], slow)
                try await clients.withClient(later, .anonymous, since: notes.listenStart()) {
                    _ = try await ask("PUT", "/api/notes/\(id)", note("T", "two"))
                    for peer in [first, slow] { try await told([inserted, updated], peer) }
                    try await told([updated], later)
                }
            }
        }
    }

    /// Waits until a socket was told of these events.
    private func told(_ events: [NoteAppEvent], _ peer: Peer) async throws {
        while peer.texts.count < events.count {
            // Commits of others are announced so.
            fixture.bus.announceLocally(.some([NotesEvents.changed]))
            await Task.yield()
        }
        #expect(peer.texts == events.map(\.text))
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `a stale PUT is merged at the version that this client read`(_ store: ServerStoreImplementation) async throws {
        try await store.serve(fixture.notes)
        let id = try await make("one\\ntwo\\nthree\\n")
        for client in ["a", "b"] { _ = try await ask("GET", "/api/notes/\(id)", client: client) }
        _ = try await ask("PUT", "/api/notes/\(id)", note("T", "1\\ntwo\\nthree\\n"), client: "a")
        _ = try await ask("PUT", "/api/notes/\(id)", note("T", "one\\ntwo\\n3\\n"), client: "b")
        #expect(try await content(id) == "1\ntwo\n3\n")
        // Neither has read the note again; each writes over what it wrote itself.
        _ = try await ask("PUT", "/api/notes/\(id)", note("T", "1\\ntwo\\nthree\\nfour\\n"), client: "a")
        _ = try await ask("PUT", "/api/notes/\(id)", note("T", "one\\ntwo!\\n3\\n"), client: "b")
        #expect(try await content(id) == "1\ntwo!\n3\nfour\n")
        #expect(try await fixture.notes.firstDamagedNote() == nil)
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `a stale PUT of a client that is not known is merged at the most similar version`(
        _ store: ServerStoreImplementation
    ) async throws {
        try await store.serve(fixture.notes)
        let id = try await make("one\\ntwo\\nthree\\n")
        _ = try await ask("PUT", "/api/notes/\(id)", note("T", "1\\ntwo\\nthree\\n"), client: "a")
        _ = try await ask("PUT", "/api/notes/\(id)", note("T", "one\\ntwo\\nthree\\nfour\\n"), client: "new")
        #expect(try await content(id) == "1\ntwo\nthree\nfour\n")
    }

    @Test func `a note that was read before is as it is now, whichever process has changed it`() async throws {
        let id = try await make("one")
        for _ in 0..<3 { #expect(try await content(id) == "one") }
        _ = try await ask("PUT", "/api/notes/\(id)", note("T", "two"))
        for _ in 0..<3 { #expect(try await content(id) == "two") }
        // As another process has it: a database of its own over the same file.
        let other = try NotesFixture(at: .directory(folder.path))
        let own = try #require(try await other.notes.list(NoteFilter()).rows.first?.id)
        try await other.write("three", to: own)
        for _ in 0..<3 { #expect(try await content(id) == "three") }
        // What one client may read is not kept for another.
        for _ in 0..<3 {
            #expect(try await ask("GET", "/api/notes/\(id)", as: .account("jan")).reply.status == 403)
            #expect(try await ask("GET", "/api/notes/\(id)", legacy: .off).reply.status == 401)
            #expect(try await content(id) == "three")
        }
        _ = try await ask("DELETE", "/api/notes/\(id)", note("T", "three"))
        #expect(try await ask("GET", "/api/notes/\(id)").reply == .notFound)
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `granting with a stale note undoes no text of others`(_ store: ServerStoreImplementation) async throws {
        try await store.serve(fixture.notes)
        let id = try await make("one\\n")
        _ = try await ask("GET", "/api/notes/\(id)", client: "b")
        _ = try await ask("PUT", "/api/notes/\(id)", note("T", "one\\ntwo\\n"), client: "a")
        _ = try await ask("PUT", "/api/notes/\(id)", note("T", "one\\n", access: "\"A\",\"B\""), client: "b")
        guard case .note(let note) = try await ask("GET", "/api/notes/\(id)").reply else { return }
        #expect(note.content == "one\ntwo\n" && note.access == ["A", "B"])
    }

    @Test func `notes of this machine are not served before they are shared`() async throws {
        let own = try await fixture.make("Diary", "private")
        #expect(try await ask("GET", "/api/notes").reply == .notes([]))
        _ = try await fixture.notes.share(own.id, with: ["maria"], operation: fixture.operation())
        guard case .notes(let notes) = try await ask("GET", "/api/notes", as: .account("maria")).reply else { return }
        #expect(notes.map(\.content) == ["private"] && notes.map(\.owner) == ["me"])
        guard case .notes(let locked) = try await ask("GET", "/api/notes", as: .account("jan")).reply else { return }
        #expect(locked.isEmpty, "not even the title")
    }

    /// Each route as a stranger, a reader, and the owner, where accounts count.
    @Test func `access is checked on each route`() async throws {
        let own = try await fixture.make("Plan", "text")
        _ = try await fixture.notes.share(own.id, with: ["reader"], operation: fixture.operation())
        let id = try #require(try await fixture.store.read { try $0.wireID(of: own.id) }).text
        let body = note("Plan", "changed", access: "\"reader\"", owner: "me")
        func status(_ method: String, _ actor: Actor, _ body: String = "") async throws -> Int {
            try await ask(method, "/api/notes/\(id)", body, as: actor, legacy: .off).reply.status
        }
        for method in ["GET", "PUT", "DELETE"] {
            #expect(try await status(method, .anonymous, method == "PUT" ? body : "") == 401, "\(method)")
            #expect(try await status(method, .account("stranger"), method == "PUT" ? body : "") == 403, "\(method)")
        }
        #expect(try await ask("POST", "/api/notes", body, legacy: .off).reply.status == 401)
        #expect(try await ask("POST", "/api/notes", body, legacy: .readonly).reply.status == 403)
        #expect(try await status("GET", .account("reader")) == 200)
        let widened = note("Plan", "text", access: "\"reader\",\"friend\"", owner: "reader")
        #expect(try await status("PUT", .account("reader"), widened) == 403)
        #expect(try await status("DELETE", .account("reader")) == 403)
        #expect(try await fixture.get(own.id).content == "text")
        #expect(try await status("PUT", .account("reader"), body) == 200)
        #expect(try await fixture.get(own.id).content == "changed")
        #expect(try await fixture.get(own.id).access.owner == "me")
        #expect(try await status("DELETE", .account("me")) == 200)
    }

    @Test func `a request for access waits for its answer`() async throws {
        let id = try await make("secret")
        let frame = NoteAppEvent(.accessRequest, id: id, deviceId: "B", reason: "please").text
        for _ in 0..<2 {
            let (note, requester) = try await fixture.notes.receive(
                Array(frame.utf8), from: .anonymous, legacy: .open)
            #expect(requester == "B")
            #expect(try await fixture.get(note).content == "secret")
        }
        let open = try await fixture.notes.openRequests()
        #expect(open.map(\.request.requester) == ["B"] && open.map(\.request.reason) == ["please"])
        #expect(try await fixture.topics().contains("app.notes/access-requested"))
        let note = try await fixture.notes.answerRequest(
            for: open[0].note.id, by: "B", allow: true, operation: fixture.operation())
        #expect(note.access.members == ["A", "B"])
        #expect(try await fixture.notes.openRequests().isEmpty)
    }

    /// A client's socket, to which nothing is sent after it was closed.
    private final class Peer: WebSocketPeer {
        private let sent = Mutex<(texts: [String], isClosed: Bool)>(([], false))
        private let end = AsyncStream<Never>.makeStream()
        var texts: [String] { sent.withLock { $0.texts } }

        /// Returns when it is closed.
        func receive() async -> WebSocketConnection.Message? {
            for await _ in end.stream {}
            return nil
        }
        func send(_ messages: [WebSocketConnection.Message]) -> Bool {
            sent.withLock { sent in
                for case .text(let text) in messages where !sent.isClosed { sent.texts.append(text) }
                return !sent.isClosed
            }
        }
        func close(_ code: WebSocketCloseCode, reason: String) {
            sent.withLock { $0.isClosed = true }
            end.continuation.finish()
        }
        func flushed() async {}
    }

    @Test func `clients that are sent away have been told of all that happened`() async throws {
        let (notes, clients) = (fixture.notes, fixture.notes.noteAppClients)
        let id = try await make("text")
        for round in 0..<5 {
            let peers = (0..<20).map { _ in Peer() }
            let start = try await notes.listenStart()
            try await withThrowingTaskGroup { group in
                for peer in peers {
                    group.addTask {
                        try await clients.withClient(peer, .anonymous, since: start) { _ = await peer.receive() }
                    }
                }
                // Each is told of what happens from here on with all others.
                while clients.count < peers.count { try await Task.sleep(for: .milliseconds(1)) }
                _ = try await ask("PUT", "/api/notes/\(id)", note("T", "\(round)"))
                while peers.contains(where: \.texts.isEmpty) { try await Task.sleep(for: .milliseconds(1)) }
                for number in 0..<4 { _ = try await ask("PUT", "/api/notes/\(id)", note("T", "\(round) \(number)")) }
                _ = try await make("made last")
                await clients.closeAll()
                try await group.waitForAll()
            }
            #expect(peers.map(\.texts.count) == peers.map { _ in 6 })
        }
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `each request for access is passed on, and waits for an owner who connects later`(
        _ store: ServerStoreImplementation
    ) async throws {
        try await store.serve(fixture.notes)
        let (notes, clients) = (fixture.notes, fixture.notes.noteAppClients)
        let id = try await make("secret")
        let event = NoteAppEvent(.accessRequest, id: id, deviceId: "B", reason: "please")
        try await notes.takeFrame(Array(event.text.utf8), from: .anonymous)
        let owner = Peer()
        try await clients.withClient(owner, .anonymous, since: notes.listenStart()) {
            #expect(owner.texts == [event.text])
            for _ in 0..<2 {
                fixture.clock.advance(by: AccessRequest.repeatTime)
                // The same at once is told once.
                try await notes.takeFrame(Array(event.text.utf8), from: .anonymous)
                try await notes.takeFrame(Array(event.text.utf8), from: .anonymous)
            }
        }
        #expect(owner.texts == [event.text, event.text, event.text])
        let stranger = Peer()
        try await clients.withClient(stranger, .account("eve"), since: notes.listenStart()) {}
        #expect(stranger.texts.isEmpty)
        // The owner's app grants access with a PUT.
        _ = try await ask("PUT", "/api/notes/\(id)", note("T", "secret", access: #""A","B""#))
        #expect(try await notes.serverStore.pendingRequests().isEmpty)
        let later = Peer()
        try await clients.withClient(later, .anonymous, since: notes.listenStart()) {}
        #expect(later.texts.isEmpty)
    }

    /// Sends a request of one of the clients that look the same.
    private func ask(_ method: String, _ id: String, _ content: String? = nil, over connection: UInt64?) async throws
        -> NoteAppReply
    {
        let body = content.map { Array(note("T", $0).utf8) } ?? []
        let request = NoteAppRequest(
            method, "/api/notes/\(id)", contentType: "application/json", body: body, client: "a", connection: connection
        )
        return try await fixture.notes.answer(request, legacy: .open).reply
    }

    /// What tells clients apart that look the same otherwise.
    enum Evidence: CaseIterable {
        /// Their connections, over which each sends several requests.
        case connections
        /// Each request has a connection of its own.
        case newConnections
        /// A proxy sends their requests over any of its connections, and none has a WebSocket.
        case proxy
        /// They are behind a proxy, and each hears of changes over a WebSocket.
        case proxyAndSockets
        /// One of them has lost its WebSocket.
        case proxyAndLostSocket
        /// All but one have lost theirs.
        case proxyAndOneSocket

        /// The number of WebSockets that were lost; nil if there were none.
        var lost: Int? {
            switch self {
            case .connections, .newConnections, .proxy: nil
            case .proxyAndSockets: 0
            case .proxyAndLostSocket: 1
            case .proxyAndOneSocket: 2
            }
        }
    }

    /// Texts of words, or of syllables without anything between them, each of which is there once.
    enum Script: CaseIterable {
        case words, syllables

        func word(_ number: Int, using generator: inout SeededGenerator) -> String {
            if self == .words { return "w\(number)" }
            let letters = (0..<3).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &generator) ?? "a" }
            return String(Unicode.Scalar(0x1401 + UInt32(number)) ?? "-") + String(letters)
        }

        func split(_ text: String) -> [String] {
            if self == .words { return text.split(separator: " ").map(String.init) }
            let letters = Array(text)
            return stride(from: 0, to: letters.count, by: 4).map {
                String(letters[$0..<min($0 + 4, letters.count)])
            }
        }

        func joined(_ words: [String]) -> String { words.joined(separator: self == .words ? " " : "") }
    }

    @Test(.seeded, arguments: 0..<4, Evidence.allCases)
    func `clients behind one address overwrite nothing of each other`(seed: UInt64, evidence: Evidence) async throws {
        // Each second seed, so each kind of text and of evidence.
        try await (seed / 2 % 2 == 0 ? ServerStoreImplementation.sqlite : .postgres).serve(fixture.notes)
        try await write(40, by: 3, seed: seed, evidence, seed % 2 == 0 ? .words : .syllables)
    }

    /// Lets clients that look the same read, and write words into what they have read.
    private func write(_ steps: Int, by clients: Int, seed: UInt64, _ evidence: Evidence, _ script: Script) async throws
    {
        var generator = SeededGenerator(seed: seed)
        let bases = fixture.notes.bases
        var hearing = 0..<0
        if let lost = evidence.lost {
            for _ in 0..<clients { bases.opened("a", at: fixture.clock.now) }
            fixture.clock.advance(by: .seconds(7200))
            for _ in 0..<lost { bases.ended("a", at: fixture.clock.now) }
            hearing = 0..<clients - lost
        }
        var words = [script.word(0, using: &generator)]
        let id = try await make(words[0])
        var last = UInt64(clients)
        func connection(_ index: Int) -> UInt64? {
            last += 1
            return evidence == .connections ? UInt64(index) : evidence == .newConnections ? last : nil
        }
        for index in 0..<clients { _ = try await ask("GET", id, over: connection(index)) }
        var texts = [String](repeating: words[0], count: clients)
        var unheard = [Int](repeating: 0, count: clients)
        for _ in 0..<steps {
            // Someone reads what they have heard of, or reads for no reason, or types.
            var index = Int.random(in: 0..<clients, using: &generator)
            let isRead = Int.random(in: 0..<3, using: &generator) == 0
            if let behind = hearing.randomElement(using: &generator), unheard[behind] > 0,
                Bool.random(using: &generator)
            {
                unheard[behind] -= 1
                index = behind
            } else if !isRead || !hearing.isEmpty {
                var parts = script.split(texts[index])
                words.append(script.word(words.count, using: &generator))
                parts.insert(words[words.count - 1], at: Int.random(in: 0...parts.count, using: &generator))
                texts[index] = script.joined(parts)
                _ = try await ask("PUT", id, texts[index], over: connection(index))
                for client in hearing { unheard[client] += 1 }
                continue
            }
            guard case .note(let note) = try await ask("GET", id, over: connection(index)) else { continue }
            texts[index] = note.content
        }
        let found = script.split(try #require(try await content(id)))
        #expect(found.sorted() == words.sorted())
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `a program that writes alone replaces its words at once`(_ store: ServerStoreImplementation) async throws {
        try await store.serve(fixture.notes)
        guard case .inserted(let made) = try await ask("POST", "/api/notes", note("T", "state"), client: "b").reply
        else { return #expect(Bool(false), "no note") }
        let id = made.text
        _ = try await ask("GET", id, over: nil)
        for state in ["state good", "state bad", "state bad again", "state fine"] {
            _ = try await ask("PUT", id, state, over: nil)
            #expect(try await content(id) == state)
        }
    }

    @Test(arguments: [1, 2, 3], ServerStoreImplementation.allCases)
    func `words that every client has read are replaced, and others are not`(
        count: Int, store: ServerStoreImplementation
    ) async throws {
        try await store.serve(fixture.notes)
        for _ in 0..<count { fixture.notes.bases.opened("a", at: fixture.clock.now) }
        let id = try await make("milk")
        for _ in 0..<count { _ = try await ask("GET", id, over: nil) }
        func words() async throws -> [String]? {
            try await content(id)?.split(separator: " ").map(String.init).sorted()
        }
        fixture.clock.advance(by: .seconds(7200))
        for word in ["bun", "cake"] {
            _ = try await ask("PUT", id, "milk \(word)", over: nil)
            for _ in 0..<count { _ = try await ask("GET", id, over: nil) }
        }
        #expect(try await words() == ["cake", "milk"])
        // One has not read it yet, unless there is but one.
        _ = try await ask("PUT", id, "milk egg", over: nil)
        for _ in 1..<count { _ = try await ask("GET", id, over: nil) }
        _ = try await ask("PUT", id, "milk ham", over: nil)
        #expect(try await words() == (count == 1 ? ["ham", "milk"] : ["egg", "ham", "milk"]))
        guard count > 2 else { return }
        // One hears nothing any more, but may still write.
        fixture.clock.advance(by: .seconds(60))
        fixture.notes.bases.ended("a", at: fixture.clock.now)
        guard case .note(let note) = try await ask("GET", id, over: nil) else { return #expect(Bool(false), "no note") }
        let text = note.content
        _ = try await ask("PUT", id, text + " jam", over: nil)
        for _ in 0..<count { _ = try await ask("GET", id, over: nil) }
        _ = try await ask("PUT", id, text + " leek", over: nil)
        #expect(try await words()?.filter { ["jam", "leek"].contains($0) } == ["jam", "leek"])
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `the reads after a change by someone else are not taken for those after a PUT`(
        _ store: ServerStoreImplementation
    ) async throws {
        try await store.serve(fixture.notes)
        for _ in 0..<2 { fixture.notes.bases.opened("a", at: fixture.clock.now) }
        let id = try await make("milk")
        for _ in 0..<2 { _ = try await ask("GET", id, over: nil) }
        fixture.clock.advance(by: .seconds(7200))
        _ = try await ask("PUT", id, "milk bun", over: nil)
        _ = try await ask("GET", id, over: nil)
        _ = try await ask("GET", "/api/notes/\(id)", client: "b")
        _ = try await ask("PUT", "/api/notes/\(id)", note("T", "fig milk bun"), client: "b")
        for _ in 0..<2 { _ = try await ask("GET", id, over: nil) }
        _ = try await ask("PUT", id, "milk egg", over: nil)
        #expect(try await content(id)?.split(separator: " ").sorted() == ["bun", "egg", "fig", "milk"])
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `someone who is known by the connection takes back what they wrote`(
        _ store: ServerStoreImplementation
    ) async throws {
        try await store.serve(fixture.notes)
        let id = try await make("milk")
        func put(_ content: String, connection: UInt64?) async throws {
            let request = NoteAppRequest(
                "PUT", "/api/notes/\(id)", contentType: "application/json", body: Array(note("T", content).utf8),
                client: "a", connection: connection)
            _ = try await fixture.notes.answer(request, legacy: .open)
        }
        for connection in [1, 2] as [UInt64] { _ = try await ask("GET", id, over: connection) }
        try await put("milk b", connection: 1)
        try await put("milk c", connection: 1)
        #expect(try await content(id) == "milk c")
        // Another one has read what was there before.
        try await put("milk d", connection: 2)
        #expect(try await content(id)?.split(separator: " ").sorted() == ["c", "d", "milk"])
    }

    @Test func `the person at this machine asks for access to a locked note`() async throws {
        let wire = try await make("secret")
        let frame = NoteAppEvent(.accessRequest, id: wire, deviceId: "B").text
        _ = try await fixture.notes.receive(Array(frame.utf8), from: .anonymous, legacy: .open)
        let id = try #require(try await fixture.notes.openRequests().first).note.id
        let own = fixture.notes.ownName
        #expect(try await fixture.notes.lock(of: fixture.get(id))?.request == nil)
        for reason in ["", "for the plan"] {
            _ = try await fixture.notes.requestAccess(to: id, reason: reason, operation: fixture.operation())
        }
        #expect(try await fixture.notes.lock(of: fixture.get(id))?.request?.reason == "for the plan")
        #expect(try await fixture.notes.openRequests().map(\.request.requester) == ["B", own])
        let note = try await fixture.notes.answerRequest(for: id, by: own, allow: true, operation: fixture.operation())
        #expect(try await fixture.notes.lock(of: note) == nil)
        let error = await #expect(throws: HubError.self) {
            _ = try await fixture.notes.requestAccess(to: id, reason: "", operation: fixture.operation())
        }
        #expect(error?.code == "note-not-locked")
    }

    @Test(arguments: ["insertOne", "update", "delete"], ServerStoreImplementation.allCases)
    func `a forged message changes nothing`(method: String, store: ServerStoreImplementation) async throws {
        try await store.serve(fixture.notes)
        let id = try await make("text")
        let frame = #"{"method":"\#(method)","id":"\#(id)","deviceId":"B"}"#
        await #expect(throws: NoteAppEvent.Rejection.self) {
            try await fixture.notes.receive(Array(frame.utf8), from: .anonymous, legacy: .open)
        }
        #expect(try await content(id) == "text")
    }
}
