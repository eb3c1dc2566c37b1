import Glibc
import Hashing
import HubKit
import NotesDomain
import PostgreSQL
import PostgresTestSupport
import Storage
import Synchronization
import System
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
            let end = frames.continuation
            task.withLock {
                $0 = Task {
                    defer { end.finish() }
                    try await server.notes.serve(self, as: .account(name))
                }
            }
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

        /// Shows the others a cursor.
        func show(_ selection: Range<Int>, in note: String) {
            let version = state.withLock { $0.texts[note]?.content.version }
            let presence = Presence(note: note, selection: selection, version: version)
            inbox.continuation.yield(ClientFrame.presence(presence).text)
        }

        /// Sends everything that it has of a note.
        func pushAll(_ note: String) async throws {
            let patch = state.withLock { $0.texts[note]?.patch(since: NoteVersion()) ?? NotePatch() }
            try await ask(note, .push(patch))
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

    @Test func `cursors cross servers, and those of a server that says nothing are gone`() async throws {
        let servers = try await servers(2)
        try await invite("ada", "bob", at: servers[0])
        let (ada, bob, note) = (
            Client("ada", at: servers[0]), Client("bob", at: servers[1]), Identifier.make()
        )
        try await ada.add("begin", to: note)
        try await ada.ask(note, .set(NoteChange(access: AccessChange(granted: ["bob"]))))
        try await bob.until(note, is: "begin\n")
        func isShown(_ selection: Range<Int>?, by user: String) -> (ServerFrame) -> Bool {
            { frame in
                guard case .presence(let presence, let who, _) = frame else { return false }
                return who == user && presence.note == note && presence.selection == selection
            }
        }
        // What is told before another server listens is lost, so it is told again, as servers do.
        func telling(_ server: NotesFixture, _ body: () async throws -> Void) async throws {
            let task = Task {
                while !Task.isCancelled {
                    server.notes.cursors.refresh()
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            defer { task.cancel() }
            try await body()
        }
        ada.show(1..<3, in: note)
        try await telling(servers[0]) { try await bob.until(isShown(1..<3, by: "ada")) }
        bob.show(2..<2, in: note)
        try await telling(servers[1]) { try await ada.until(isShown(2..<2, by: "bob")) }
        // What is told again is no news, but says that it is still there.
        servers[0].notes.cursors.refresh()
        ada.show(0..<0, in: note)
        try await bob.until(isShown(0..<0, by: "ada"))
        // A server that was killed can no longer say that its clients are gone.
        servers[1].notes.cursors.refresh(at: .now + .seconds(60))
        try await bob.until(isShown(nil, by: "ada"))
        await bob.disconnect()
        try await ada.until(isShown(nil, by: "bob"))
        await ada.disconnect()
    }

    @Test func `a database that was restored gets back what clients have, and connected clients begin again`()
        async throws
    {
        let database = try await BackgroundThread.run { try PostgresServer() }
        let servers = try (0..<2).map { _ in
            let server = try NotesFixture()
            try server.notes.useServerStore(database.url())
            return server
        }
        try await invite("ada", "bob", at: servers[0])
        let (ada, bob, note) = (
            Client("ada", at: servers[0]), Client("bob", at: servers[1]), Identifier.make()
        )
        try await ada.add("kept", to: note)
        try await ada.ask(note, .set(NoteChange(access: AccessChange(granted: ["bob"]))))
        try await bob.until(note, is: "kept\n")
        try await BackgroundThread.run { try database.save() }
        for number in 0..<3 { try await ada.add("lost \(number)", to: note) }
        try await bob.until(note, is: ada.text(note) ?? "")
        try await BackgroundThread.run { try database.restore() }
        // Both are sent away, whatever number the changes have by then.
        for client in [ada, bob] { await #expect(throws: Lost.self) { try await client.until { _ in false } } }
        for client in [ada, bob] { await client.disconnect() }
        #expect(try await StoreClient("ada", of: servers[1].notes.serverStore).content(note).text == "kept\n")
        let (next, other) = (
            Client("ada", at: servers[1], after: ada), Client("bob", at: servers[0], after: bob)
        )
        for client in [next, other] {
            try await client.until { if case .welcome = $0 { true } else { false } }
            #expect(client.isResync)
        }
        // As the protocol asks for, it sends what it has.
        try await next.pushAll(note)
        try await other.add("and on", to: note)
        try await next.until(note, is: "kept\nlost 0\nlost 1\nlost 2\nand on\n")
        let stored = try await StoreClient("ada", of: servers[0].notes.serverStore).content(note).text
        #expect(stored == next.text(note))
        for client in [next, other] { await client.disconnect() }
    }

    @Test func `tables of the release before are updated, and servers of both write into them`() async throws {
        let url = try await PostgresServer.emptyURL()
        let pool = PostgresPool(try PostgresAddress(url), maximum: 1)
        defer { pool.close() }
        // As the first release has made them.
        let old = [
            "CREATE TABLE hub_meta (key text COLLATE \"C\" PRIMARY KEY, value text NOT NULL)",
            "INSERT INTO hub_meta VALUES ('version', '1'), ('min_writer', '1'), ('epoch', 'e')",
        ]
        for query in old + PostgresSchema.steps[0] { _ = try await pool.run(PostgresQuery(query)) }
        let server = try NotesFixture()
        try server.notes.useServerStore(url)
        let note = try await StoreClient("ada", of: server.notes.serverStore).make("text")
        #expect(try await server.notes.serverStore.position().epoch.hasPrefix("e-"))
        func meta(_ key: String) async throws -> String? {
            try await pool.run(PostgresQuery("SELECT value FROM hub_meta WHERE key = $1", key))[0].first?.text(0)
        }
        #expect(try await meta("version") == String(PostgresSchema.version))
        #expect(try await meta("epoch") == "e")
        #expect(try await meta("min_writer") == "1")
        // What the first release writes of a server with each transaction.
        _ = try await pool.run(
            PostgresQuery("INSERT INTO hub_server (name, seen_at, turn) VALUES ('old', 1, 'turn')"))
        #expect(try await server.notes.serverStatus().group?.servers == 0)
        // A release that writes otherwise says so, and this one leaves the tables alone.
        _ = try await pool.run(
            PostgresQuery("UPDATE hub_meta SET value = $1 WHERE key IN ('version', 'min_writer')", "99"))
        let late = try NotesFixture()
        try late.notes.useServerStore(url)
        let error = await #expect(throws: HubError.self) { try await late.notes.serverStore.access(of: note) }
        #expect(error?.code == "database-newer")
    }

    @Test func `what nothing needs is removed, and clients that come back late still get everything`() async throws {
        let url = try await PostgresServer.emptyURL()
        let fixtures = try (0..<2).map { _ in try NotesFixture() }
        for fixture in fixtures { try fixture.notes.useServerStore(url) }
        try await invite("ada", "bob", at: fixtures[0])
        let (ada, note) = (Client("ada", at: fixtures[0]), Identifier.make())
        try await ada.add("0", to: note)
        try await ada.ask(note, .set(NoteChange(access: AccessChange(granted: ["bob"]))))
        let early = Client("bob", at: fixtures[1])
        try await early.until(note, is: "0\n")
        try await early.until { if case .cursor = $0 { true } else { false } }
        await early.disconnect()
        for number in 1..<12 { try await ada.add("\(number)", to: note) }
        let pool = PostgresPool(try PostgresAddress(url), maximum: 1)
        defer { pool.close() }
        let upkeep = PostgresUpkeep(pool: pool, server: "s")
        func count(_ table: String) async throws -> Int {
            try await pool.run(PostgresQuery("SELECT count(*) FROM \(table)"))[0].first?.int(0) ?? 0
        }
        #expect(try await count("hub_change") == 13)
        #expect(try await count("hub_batch") == 12)
        #expect(try await upkeep.prune(keptChanges: 4, keptBatches: 3) >= 9 + 7)
        #expect(try await count("hub_change") == 4)
        // Those of the newest changes are as they were.
        #expect(try await count("hub_batch") == 5)
        // Another server has just done it.
        #expect(try await upkeep.prune(keptChanges: 1, keptBatches: 1) == 0)
        let late = Client("bob", at: fixtures[1], after: early)
        try await late.until(note, is: ada.text(note) ?? "")
        #expect(!late.isResync)
        // Contents that no note and no sender has, and those that did not come to an end, go after a day.
        let contents = fixtures[0].notes.serverStore.contents
        let (used, sent, left) = ("used", "sent", "left")
        for name in [used, sent, left] {
            let hash = try SHA256.hexadecimal(name.utf8)
            _ = try await contents.add(Array(name.utf8), to: hash, at: 0, from: "ada")
            #expect(try await contents.complete(hash, from: "ada") != nil)
        }
        _ = try await contents.add([1, 2], to: String(repeating: "0", count: 64), at: 0, from: "ada")
        for name in [used, sent] {
            let hash = try SHA256.hexadecimal(name.utf8)
            try await fixtures[0].notes.serverStore.addUpload(hash, size: 4, by: "ada")
        }
        try await ada.ask(
            note,
            .set(
                NoteChange(attached: [AttachmentReference(path: "a", hash: try SHA256.hexadecimal(used.utf8), size: 4)])
            ))
        _ = try await upkeep.prune(after: .zero)
        #expect(try await count("hub_content") == 4)
        _ = try await pool.run(PostgresQuery("UPDATE hub_content SET at = 0"))
        #expect(try await upkeep.prune(after: .zero) == 2)
        #expect(try await count("hub_content") == 2)
        #expect(try await count("hub_piece") == 2)
        #expect(try await !upkeep.tell(connections: 3, change: 11))
        let group = try await fixtures[0].notes.serverStatus().group
        #expect(group == ServerGroup(servers: 1, connections: 3, lag: 3, backlog: 5))
        let instance = try #require(try await fixtures[0].notes.serverInstances().first)
        #expect(instance.connections == 3 && instance.lag == 3 && !instance.isDraining)
        #expect(try await fixtures[1].notes.drainInstance("s").name == "s")
        #expect(try await upkeep.tell(connections: 3, change: 11), "it hears of it when it says that it is there")
        #expect(try await fixtures[0].notes.serverInstances().first?.isDraining == true)
        let unknown = await #expect(throws: HubError.self) { _ = try await fixtures[1].notes.drainInstance("t") }
        #expect(unknown?.code == "server-not-found")
        try await upkeep.leave()
        #expect(try await fixtures[0].notes.serverStatus().group?.servers == 0)
        for client in [ada, late] { await client.disconnect() }
    }

    @Test(arguments: [false, true])
    func `a database whose tables were just made is the same for the next connections`(byOther: Bool) async throws {
        let changes = Mutex(0)
        let address = try PostgresAddress(try await PostgresServer.emptyURL())
        let pool = PostgresPool(address, maximum: 3, identity: PostgresSchema.identity) { changes.withLock { $0 += 1 } }
        let other = PostgresPool(address, identity: PostgresSchema.identity)
        defer { for pool in [pool, other] { pool.close() } }
        // Another server makes them after the first connection, before the first question.
        if byOther { try await pool.withConnection { _ in _ = try await PostgresSchema.prepare(other) } }
        for _ in 0..<2 {
            _ = try await PostgresSchema.prepare(pool)
            try await withThrowingTaskGroup { group in
                for _ in 0..<3 { group.addTask { _ = try await pool.run(PostgresQuery("SELECT pg_sleep(0.02)")) } }
                try await group.waitForAll()
            }
        }
        #expect(changes.withLock(\.self) == 0)
    }

    @Test func `servers that start together bring an older database up to date once, with what it has`() async throws {
        let url = try await PostgresServer.emptyURL()
        let pool = PostgresPool(try PostgresAddress(url), maximum: 1)
        defer { pool.close() }
        // As a server left it that knew two of the steps.
        let old =
            ["CREATE TABLE hub_meta (key text COLLATE \"C\" PRIMARY KEY, value text NOT NULL)"]
            + PostgresSchema.steps.prefix(2).joined() + [
                "INSERT INTO hub_meta VALUES ('version', '2'), ('min_writer', '1'), ('epoch', 'old')",
                "INSERT INTO hub_token (hash, person, created_at) VALUES (decode(repeat('07', 32), 'hex'), 'ada', 1)",
            ]
        for statement in old { _ = try await pool.run(PostgresQuery(statement)) }
        let servers = try (0..<3).map { _ in
            let server = try NotesFixture()
            try server.notes.useServerStore(url)
            return server
        }
        try await withThrowingTaskGroup { group in
            for server in servers { group.addTask { try await server.notes.serverStore.accounts() } }
            for try await accounts in group { #expect(accounts.map(\.name) == ["ada"]) }
        }
        let version = try await pool.run(PostgresQuery("SELECT value FROM hub_meta WHERE key = 'version'"))[0]
        #expect(version.first?.text(0) == String(PostgresSchema.version))
        let note = try await StoreClient("ada", of: servers[0].notes.serverStore).make("text")
        #expect(try await servers[1].notes.serverStore.access(of: note)?.owner == "ada")
        #expect(try await servers[2].notes.serverStore.audit(of: nil, limit: 9).isEmpty)
    }

    @Test func `a pooler that keeps connections apart can be used, and another is refused`() async throws {
        let database = try await BackgroundThread.run { try PostgresServer() }
        for mode in ["transaction", "session"] {
            let pooler = try await BackgroundThread.run { try PgBouncer(database, mode: mode) }
            let server = try NotesFixture()
            try server.notes.useServerStore(pooler.url)
            if mode == "session" {
                let note = try await StoreClient("ada", of: server.notes.serverStore).make("text")
                #expect(try await server.notes.serverStore.access(of: note)?.owner == "ada")
            } else {
                let error = await #expect(throws: HubError.self) { _ = try await server.notes.serverStore.noteCount() }
                #expect(error?.code == "database-pooler" && error?.hint?.contains("pool_mode = session") == true)
            }
            withExtendedLifetime(pooler) {}
        }
    }

    @Test func `a server moves to PostgreSQL and back with all that it has`() async throws {
        let url = try await PostgresServer.emptyURL()
        let (old, operation) = (try NotesFixture(), System.Operation("notes server migrate"))
        _ = try await old.notes.invite("ada", operation: operation)
        let ada = StoreClient("ada", of: old.notes.serverStore)
        let (first, second) = (try await ada.make("one", with: ["bob", "rita"]), try await ada.make("two"))
        #expect(
            try await ada.perform(
                .set(NoteChange(addedTags: ["Łódź"], access: AccessChange(readers: ["rita"]), folder: "a/b")), first)
                == .done)
        #expect(try await ada.perform(.set(NoteChange(isDeleted: true)), second) == .done)
        let id = try #require(try await old.notes.serverStore.wireID(of: first))
        _ = try await old.notes.serverStore.requestAccess(
            to: id, by: "eve", reason: "please",
            caller: NoteAppCaller(
                actor: .account("eve"), client: "eve", reader: "eve", connection: nil, legacy: nil))
        let own = try await old.make("Diary", "private")
        // A picture of more than one piece, and one that is not here.
        let picture = (0..<(3 << 20) + 5).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        let stored = try await old.notes.blobs.store(picture)
        let files = [
            StoredAttachment(path: "a.png", blob: stored.id, size: picture.count),
            StoredAttachment(
                path: "lost.png", blob: try #require(BlobID(String(repeating: "ab", count: 32))), size: 7),
        ]
        try await old.notes.store.write(operation) { for file in files { try $0.setAttachment(file, of: first) } }
        withExtendedLifetime(stored) {}
        let report = try await old.notes.migrate(from: "sqlite", to: url, operation: operation)
        #expect(report.copied == 2 && report.tokens == 1 && report.merged == 0)
        #expect(report.contents == 1 && report.missingContents == 1)
        let again = try await old.notes.migrate(from: "sqlite", to: url, operation: operation)
        #expect(again.copied == 0 && again.unchanged == 2 && again.digest == report.digest)
        #expect(again.contents == 0 && again.missingContents == 1)
        // Served from there: people, access and texts are as they were.
        let server = try NotesFixture()
        try server.notes.useServerStore(url)
        let store = server.notes.serverStore
        #expect(try await store.accounts().map(\.name) == ["ada"])
        #expect(try await store.access(of: first)?.readers == ["rita"])
        #expect(try await store.access(of: own.id) == nil)
        #expect(try await store.pendingRequests().map(\.request.requester) == ["eve"])
        #expect(try await store.noteCount() == 1)
        var served: [UInt8] = []
        while served.count < picture.count, served.count < 2 * picture.count {
            let piece = try await server.notes.attachmentPiece(stored.id.text, at: served.count, for: "bob")
            guard case .piece(let bytes) = piece, !bytes.isEmpty else { break }
            served += bytes
        }
        #expect(served == picture)
        let bob = StoreClient("bob", .edits, agent: "bob", of: store)
        let base = try await StoreClient("bob", of: store).content(first)
        #expect(base.text == "one")
        let edit = EditRequest(
            field: .content, sequence: 0, base: base.version, edits: [TextEdit(position: 3, inserted: " more")])
        guard case .edited = try await bob.perform(.edit(edit), first) else { return #expect(Bool(false), "no edit") }
        // The old server went on as well: nothing of either is lost.
        let own2 = try await ada.content(first)
        let late = EditRequest(
            field: .content, sequence: 0, base: own2.version, edits: [TextEdit(position: 0, inserted: "late ")])
        let writer = StoreClient("ada", .edits, agent: "late", of: old.notes.serverStore)
        guard case .edited = try await writer.perform(.edit(late), first) else {
            return #expect(Bool(false), "no edit")
        }
        let merged = try await old.notes.migrate(from: "sqlite", to: url, operation: operation)
        #expect(merged.copied == 1 && merged.merged == 1)
        #expect(try await StoreClient("ada", of: store).content(first).text == "late one more")
        let back = try await old.notes.migrate(from: url, to: "sqlite", operation: operation)
        #expect(back.copied == 1 && back.unchanged == 1)
        #expect(try await old.get(first).content == "late one more")
        #expect(try await old.get(first).tags == ["Łódź"])
        #expect(try await old.get(own.id).content == "private")
        #expect(try await old.notes.firstDamagedNote() == nil)
        // Into another machine, with the contents.
        let new = try NotesFixture()
        let moved = try await new.notes.migrate(from: url, to: "sqlite", operation: operation)
        #expect(moved.copied == 2 && moved.contents == 1 && moved.missingContents == 1)
        #expect(try await new.notes.blobs.bytes(of: stored.id, limit: picture.count) == picture)
        // What is typed in the new store between reading and storing is not replaced.
        let ends: [any NoteTransferEnd] = [
            SQLiteTransfer(
                store: old.notes.store, blobs: old.notes.blobs, contents: old.notes.serverStore.contents,
                operation: operation),
            PostgresTransfer(
                database: try #require((store as? PostgresNoteServerStore)?.database), contents: store.contents),
        ]
        for end in ends {
            let note = try #require(try await end.note(first))
            #expect(try await end.put(note, over: note.revision))
            #expect(try await !end.put(note, over: note.revision))
            #expect(try await !end.put(note, over: nil))
        }
        let error = await #expect(throws: HubError.self) {
            try await old.notes.migrate(from: "sqlite", to: "sqlite", operation: operation)
        }
        #expect(error?.code == "same-store")
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
