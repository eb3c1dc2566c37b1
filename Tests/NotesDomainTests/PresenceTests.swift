import NotesDomain
import Testing
import TextCRDT

/// The cursors of others: their places in texts that differ, and their ways over several hubs.
struct PresenceTests {
    private func document(_ text: String) throws -> NoteDocument {
        var document = NoteDocument()
        try document.set(content: text, by: "seed")
        return document
    }

    private func presence(_ selection: Range<Int>?, _ version: NoteVersion? = nil, note: String = "1ab") -> Presence {
        Presence(note: note, selection: selection, version: version?.content)
    }

    private func announcement(_ agent: String, _ selection: Range<Int>? = 1..<1) -> PresenceAnnouncement {
        PresenceAnnouncement(presence(selection), agent: agent, user: "ada", actor: nil)
    }

    private final class Hub {
        var registry = PresenceRegistry()

        func announce(_ announcement: PresenceAnnouncement, from source: Int) -> Bool {
            registry.announce(announcement, from: source)
        }

        func forget(_ source: Int, in note: String? = nil) -> [PresenceAnnouncement] {
            registry.forget(source, in: note)
        }
    }

    /// A session of a server.
    private final class Client {
        var session: ServerSession

        init(_ name: String = "ada", agent: String = "hub", _ mode: ClientFrame.Mode = .log, replica: String = "") {
            session = ServerSession(actor: .account(name), epoch: "e1", latest: 0, replica: replica)
            _ = session.receive(ClientFrame.hello(agent: agent, mode: mode, cursor: nil).text)
        }

        /// What others are told of a cursor of the client.
        func show(_ presence: Presence, _ agent: String?) -> [PresenceAnnouncement] {
            session.receive(ClientFrame.presence(presence, agent: agent).text).compactMap {
                if case .announce(let announcement) = $0 { announcement } else { nil }
            }
        }

        /// What the client is told of the cursor of another.
        func told(
            _ announcement: PresenceAnnouncement, on access: NoteAccess, _ server: SimulatedServer
        ) throws -> [ServerFrame] {
            let presence = announcement.presence
            let way = try server.delta(presence.note, presence.field, for: session.client)
            return try session.presence(announcement, on: access, after: way).compactMap {
                if case .send(let text) = $0 { try ServerFrame(text) } else { nil }
            }
        }
    }

    // MARK: Places

    @Test func `a cursor of an older text moves with the edits since`() throws {
        var text = try document("one two")
        let known = text.version
        try text.set(content: "xx one two", by: "other")
        #expect(text.placed(presence(4..<7, known))?.selection == 7..<10)
        // What is inserted at a caret comes after it.
        #expect(text.placed(presence(0..<0, known))?.selection == 0..<0)
        try text.set(content: "xx wo", by: "other")
        #expect(text.placed(presence(1..<5, known))?.selection == 3..<3, "what was selected is gone")
        let placed = try #require(text.placed(presence(4..<7, known)))
        #expect(placed.version == text.version.content)
        #expect(text.placed(placed) == placed)
    }

    @Test func `a cursor of a text with edits that are missing here has no place`() throws {
        let old = try document("one")
        var new = old
        try new.set(content: "one two", by: "other")
        let cursor = presence(7..<7, new.version)
        #expect(old.placed(cursor) == nil)
        var caughtUp = old
        try caughtUp.merge(new.patch(since: old.version))
        #expect(caughtUp.placed(cursor) == cursor)
        // It has left, wherever it was.
        #expect(old.placed(Presence(note: "1ab", selection: nil, version: new.version.content))?.selection == nil)
    }

    @Test func `a cursor comes to the same letter in replicas that have edited at once`() throws {
        var (one, other) = (try document("abcdef"), try document("abcdef"))
        try one.set(content: "XXabcdef", by: "one")
        try other.set(content: "abcdeYYf", by: "other")
        let cursor = presence(8..<8, one.version)
        #expect(other.placed(cursor) == nil)
        try other.merge(one.patch(since: NoteVersion()))
        #expect(other.content.text == "XXabcdeYYf")
        #expect(other.placed(cursor)?.selection == 10..<10)
    }

    // MARK: Ways

    @Test func `a path names the hubs that a cursor came over, and grows no longer than a name`() throws {
        let path = try #require(AgentPath("page").relayed(by: "b")?.relayed(by: "a"))
        #expect(path.text == "a/b/page")
        for agent in ["a", "b", "page"] { #expect(path.contains(agent)) }
        for agent in ["", "pag", "a/b", "c"] { #expect(!path.contains(agent)) }
        #expect(AgentPath(String(repeating: "x", count: NoteLimits.name)).relayed(by: "a") == nil)
    }

    @Test func `a cursor that comes on two ways counts on the first while it is there`() {
        let hub = Hub()
        #expect(hub.announce(announcement("page"), from: 1))
        #expect(!hub.announce(announcement("b/page"), from: 2))
        #expect(!hub.announce(announcement("b/page", nil), from: 2))
        #expect(hub.announce(announcement("page", 2..<2), from: 1))
        #expect(hub.registry.cursors(from: 1) == [announcement("page", 2..<2)])
        #expect(hub.announce(announcement("page", nil), from: 1))
        #expect(!hub.announce(announcement("page", nil), from: 1), "it has left before")
        #expect(hub.announce(announcement("b/page"), from: 2))
        #expect(hub.forget(2) == [announcement("b/page", nil)])
        #expect(hub.forget(2).isEmpty)
        #expect(hub.announce(announcement("c/page"), from: 1))
    }

    @Test func `the end of an old connection leaves the cursors of the new one`() {
        let hub = Hub()
        #expect(hub.announce(announcement("page"), from: 1))
        #expect(hub.announce(announcement("page", 3..<3), from: 2))
        #expect(!hub.announce(announcement("page", nil), from: 1))
        #expect(hub.forget(1).isEmpty)
        #expect(hub.registry.cursors(from: 2) == [announcement("page", 3..<3)])
    }

    @Test func `only the cursors of one note are forgotten with it`() {
        let hub = Hub()
        var other = announcement("page")
        other.presence.note = "2cd"
        #expect(hub.announce(announcement("page"), from: 1))
        #expect(hub.announce(other, from: 1))
        #expect(hub.forget(1, in: "2cd") == [other.left])
        #expect(hub.registry.cursors(from: 1) == [announcement("page")])
    }

    @Test func `a table keeps the latest of each cursor, and no more than its limit`() {
        var table = PresenceTable()
        let names = (0...PresenceTable.limit).map { "\($0)" }
        let taken = names.filter { table.set(announcement($0)) }
        #expect(taken.count == PresenceTable.limit)
        table.set(announcement("0", 7..<7))
        #expect(table.all.count == PresenceTable.limit)
        let (none, all) = (table.take(of: "2cd"), table.take())
        #expect(none.isEmpty)
        #expect(all.contains(announcement("0", 7..<7)))
        #expect(table.isEmpty)
    }

    // MARK: Sessions

    @Test func `a client speaks for several, each under its own name, and all leave with it`() {
        let client = Client()
        let here = presence(1..<2, NoteVersion(content: Version([EventID(agent: "x", sequence: 4)])))
        #expect(client.show(here, nil).map(\.agent) == ["hub"])
        let shown = client.show(here, "page")
        #expect(
            shown == [PresenceAnnouncement(here, agent: "hub/page", user: "ada", actor: .account("ada"))],
            "the name of the person is the account's")
        #expect(client.show(presence(nil), "other").isEmpty, "it was not there")
        #expect(client.show(presence(nil), "page").map(\.agent) == ["hub/page"])
        _ = client.show(here, "page")
        let left = client.session.disconnected()
        #expect(left.count == 2)
        #expect(left.allSatisfy { if case .announce(let one) = $0 { one.presence.selection == nil } else { false } })
    }

    @Test func `a client shows a limited number of cursors`() {
        let client = Client()
        for number in 0..<ServerSession.maximumCursors {
            #expect(client.show(presence(0..<0), "\(number)").count == 1)
        }
        #expect(client.show(presence(0..<0), "more").isEmpty)
        #expect(client.show(presence(3..<3), "0").count == 1)
        #expect(client.show(presence(nil), "0").count == 1)
        #expect(client.show(presence(0..<0), "more").count == 1)
    }

    @Test func `what went out from a hub does not come in again`() {
        let client = Client(replica: "me")
        #expect(client.show(presence(0..<0), "me/page").isEmpty)
        #expect(client.show(presence(0..<0), "page").count == 1)
        var replica = ClientSession(agent: "me")
        _ = replica.connected(cursor: nil)
        for (agent, isShown) in [("me/page", false), ("b/me/page", false), ("b/page", true)] {
            let actions = replica.receive(ServerFrame.presence(presence(0..<0), user: "bob", agent: agent).text)
            #expect(!actions.isEmpty == isShown)
        }
    }

    @Test func `a replica shows cursors once the server has answered`() {
        var client = ClientSession(agent: "hub")
        _ = client.connected(cursor: nil)
        #expect(client.present(presence(1..<1), by: "page").isEmpty)
        _ = client.receive(ServerFrame.welcome(user: "ada", isResync: false).text)
        #expect(
            client.present(presence(1..<1), by: "page")
                == [.send(ClientFrame.presence(presence(1..<1), agent: "page").text)])
    }

    @Test func `who loses access leaves the note`() throws {
        let server = SimulatedServer()
        var note = SimulatedServer.StoredNote(access: NoteAccess(owner: "ada", members: ["ada", "bob"]))
        note.document = try document("one")
        (note.change, note.accessChange, server.change) = (1, 1, 1)
        server.notes["1ab"] = note
        for (id, name) in [(1, "ada"), (2, "bob")] {
            server.connect(id, as: .account(name))
            server.receive(ClientFrame.hello(agent: name, mode: .log, cursor: nil).text, from: id)
        }
        server.receive(ClientFrame.presence(presence(1..<1)).text, from: 2)
        _ = server.take(1)
        let change = NoteChange(access: AccessChange(revoked: ["bob"]))
        server.receive(ClientFrame.request(NoteRequest(1, "1ab", .set(change))).text, from: 1)
        let frames = try server.take(1).compactMap { try ServerFrame($0) }
        #expect(frames.contains(.presence(presence(nil), user: "bob", agent: "bob")))
    }

    @Test func `a page gets the text that a cursor is in before the cursor`() throws {
        let server = SimulatedServer()
        var note = SimulatedServer.StoredNote(access: NoteAccess(owner: "ada", members: ["ada"]))
        note.document = try document("one")
        let known = note.document.version
        server.notes["1ab"] = note
        let page = Client(agent: "page", .edits)
        let open = NoteRequest(1, "1ab", .open(known))
        let texts = NoteField.allCases.map { field in
            TextDelta(note: "1ab", field: field, from: nil, to: known[field], edits: [], acknowledged: 0)
        }
        _ = page.session.receive(ClientFrame.request(open).text)
        _ = page.session.finished(open, .texts(texts))
        try server.notes["1ab"]?.document.set(content: "xx one", by: "other")
        let document = try #require(server.notes["1ab"]?.document)
        let placed = try #require(document.placed(presence(3..<3, known)))
        let cursor = PresenceAnnouncement(placed, agent: "a", user: "bob", actor: nil)
        let first = try page.told(cursor, on: note.access, server)
        guard case .text(let delta) = first.first else { return #expect(Bool(false), "\(first)") }
        #expect(delta.to == document.version.content)
        #expect(first.dropFirst() == [.presence(presence(6..<6), user: "bob", agent: "a")])
        #expect(try page.told(cursor, on: note.access, server).count == 1)
        // A replica is told the version instead.
        #expect(try Client().told(cursor, on: note.access, server) == [.presence(placed, user: "bob", agent: "a")])
    }
}
