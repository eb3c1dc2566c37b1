import NotesDomain
import TestSupport
import Testing
import Text
import TextCRDT
import Time

/// The server's and the client's end of hub's protocol, frame by frame.
struct SessionTests {
    private static let requests: [NoteRequest.Kind] = [
        .push(NotePatch(content: [1])), .edit(EditRequest(field: .content, sequence: 0, base: Version([]), edits: [])),
        .set(NoteChange(addedTags: ["x"])), .set(NoteChange(access: AccessChange(granted: ["x"]))),
        .set(NoteChange(access: AccessChange(revoked: ["reader"]))), .set(NoteChange(isDeleted: true)), .open(nil),
        .unlock(reason: ""), .answer(requester: "x", allow: true),
    ]

    /// The code for each request of owner, reader and stranger; nil is taken in.
    private static let table: [[RefusalCode?]] = [
        [nil, nil, .locked], [nil, nil, .locked], [nil, nil, .locked], [nil, .ownerOnly, .locked],
        [nil, nil, .locked], [nil, .ownerOnly, .locked], [nil, nil, .locked], [.unlocked, .unlocked, nil],
        [nil, .ownerOnly, .locked],
    ]

    @Test func `each request of each account is checked on its own frame`() {
        let access = NoteAccess(owner: "owner", members: ["owner", "reader"])
        for (kind, expected) in zip(Self.requests, Self.table) {
            let codes: [RefusalCode?] = ["owner", "reader", "stranger"].map { name in
                let session = ServerSession(actor: .account(name), epoch: "e", latest: 0)
                return code(session.client.refusal(of: NoteRequest(1, "1ab", kind), on: access))
            }
            #expect(codes == expected, "\(kind)")
            let legacy = ServerSession(actor: .anonymous, epoch: "e", latest: 0)
            #expect(legacy.client.refusal(of: NoteRequest(1, "1ab", kind), on: access) != nil)
        }
        let unknown = ServerSession(actor: .account("a"), epoch: "e", latest: 0)
        #expect(
            unknown.client.refusal(of: NoteRequest(1, "1ab", Self.requests[0]), on: nil) == nil, "a push makes a note")
        #expect(
            unknown.client.refusal(of: NoteRequest(1, "1ab", Self.requests[1]), on: nil)
                == .refused(.notFound, "Note not found"))
    }

    @Test func `an agent belongs to the account that used it first`() {
        let session = ServerSession(actor: .account("ada"), epoch: "e", latest: 0)
        func owner(_ agent: AgentName) -> String? { agent == "old" ? "ada" : agent == "hers" ? "eve" : nil }
        #expect(session.client.refusal(ofAgents: ["old", "new"], owner: owner) == nil)
        #expect(code(session.client.refusal(ofAgents: ["old", "hers"], owner: owner)) == .agentTaken)
        let other = session.client.refusal(ofAgents: ["caf\u{E9}"]) { $0 == "cafe\u{301}" ? "eve" : nil }
        #expect(other == nil, "another Unicode form is another agent")
    }

    private func code(_ outcome: ServerSession.Outcome?) -> RefusalCode? {
        if case .refused(let code, _) = outcome { code } else { nil }
    }

    static let clientFrames: [ClientFrame] =
        [
            .hello(agent: "a", mode: .log, cursor: nil), .hello(agent: "a", mode: .edits, cursor: "e:1"),
            .close(note: "1ab"), .presence(Presence(note: "1ab", selection: 3..<5)),
            .presence(Presence(note: "1ab", field: .title, selection: nil)),
            .presence(
                Presence(note: "1ab", selection: 3..<5, version: Version([EventID(agent: "b", sequence: 2)])),
                agent: "page"),
            .request(NoteRequest(7, "1ab", .open(NoteVersion(content: Version([EventID(agent: "é", sequence: 3)]))))),
            .request(NoteRequest(8, "1ab", .unlock(reason: "please"))),
            .request(
                NoteRequest(
                    9, "1ab",
                    .edit(
                        EditRequest(
                            field: .title, sequence: 4, base: Version([EventID(agent: "b", sequence: 0)]),
                            edits: [TextEdit(position: 1, deletedCount: 2, inserted: "\u{1F600}\n")])))),
            .request(
                NoteRequest(
                    10, "1ab",
                    .set(
                        NoteChange(
                            addedTags: ["a"], removedTags: ["b"],
                            access: AccessChange(granted: ["c"], readers: ["e"], revoked: ["d"]),
                            folder: "x/y", isDeleted: false,
                            head: HeadChange(
                                base: FileHead("---\na: 1\n---\n"), head: FileHead("---\na: 2\n---\n"),
                                stem: "caf\u{e9}"))))),
            .request(NoteRequest(11, "1ab", .set(NoteChange(head: HeadChange(base: nil, head: FileHead("")))))),
        ] + requests.map { .request(NoteRequest(1, "1ab", $0)) }

    static let serverFrames: [ServerFrame] = [
        .welcome(user: "ada", isResync: true), .welcome(user: "", isResync: false, knowsFiles: false), .cursor("e:3"),
        .acknowledged(4),
        .refused(5, .agentTaken, message: "no"), .gone(note: "1ab", .deleted, cursor: "e:3"),
        .note(
            NoteDelta(
                note: "1ab",
                metadata: NoteMetadata(
                    access: NoteAccess(owner: "o", members: ["m", "r"], readers: ["r"]), tags: ["t"], folder: "f",
                    isDeleted: true,
                    changedAt: Instant(milliseconds: 5), file: NoteFile(head: FileHead("---\na: é\n---\n"), stem: "x")),
                patch: NotePatch(title: [1, 2], content: []),
                version: NoteVersion(title: Version([EventID(agent: "a", sequence: 1)]))), cursor: "e:4"),
        .note(NoteDelta(note: "1ab", patch: NotePatch(content: [3])), cursor: nil),
        .text(
            TextDelta(
                note: "1ab", field: .content, from: nil, to: Version([]), edits: [TextEdit(position: 0, inserted: "x")],
                acknowledged: 3)),
        .presence(Presence(note: "1ab", selection: 0..<0), user: "u", agent: "a"),
        .request(note: "1ab", requester: "b", reason: "r"),
    ]

    @Test func `what one end writes the other reads`() throws {
        for frame in Self.clientFrames { #expect(try ClientFrame(frame.text) == frame) }
        for frame in Self.serverFrames { #expect(try ServerFrame(frame.text) == frame) }
        #expect(try ClientFrame(#"{"t":"later","n":1}"#) == nil)
        #expect(try ServerFrame(#"{"t":"later"}"#) == nil)
    }

    @Test func `damaged frames are refused or read, and never end the process`() {
        var generator = SeededGenerator(seed: 77)
        for text in Self.clientFrames.map(\.text) + Self.serverFrames.map(\.text) {
            for _ in 0..<200 {
                var bytes = Array(text.utf8)
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let place = Int.random(in: 0..<bytes.count, using: &generator)
                    if Bool.random(using: &generator) {
                        bytes[place] = .random(in: 32...126, using: &generator)
                    } else {
                        bytes.remove(at: place)
                    }
                }
                let damaged = String(decoding: bytes, as: UTF8.self)
                if let frame = try? ClientFrame(damaged) { #expect((try? ClientFrame(frame.text)) == frame) }
                if let frame = try? ServerFrame(damaged) { #expect((try? ServerFrame(frame.text)) == frame) }
            }
        }
    }

    // MARK: Server

    private func server(_ members: [String] = ["ada", "bob"]) throws -> SimulatedServer {
        let server = SimulatedServer()
        server.change = 1
        var note = SimulatedServer.StoredNote(access: NoteAccess(owner: "ada", members: members))
        try note.document.set(title: "T", content: "one\n", by: "seed")
        (note.change, note.accessChange) = (1, 1)
        server.notes["1ab"] = note
        return server
    }

    private func frames(_ server: SimulatedServer, _ id: Int) throws -> [ServerFrame] {
        try server.take(id).compactMap { try ServerFrame($0) }
    }

    private func patches(_ frames: [ServerFrame]) -> [NotePatch] {
        var patches: [NotePatch] = []
        for case .note(let delta, _) in frames { patches.append(delta.patch) }
        return patches
    }

    private func connect(_ server: SimulatedServer, _ id: Int, _ name: String, cursor: String? = nil) {
        server.connect(id, as: .account(name))
        server.receive(ClientFrame.hello(agent: name, mode: .log, cursor: cursor).text, from: id)
    }

    @Test func `changes reach those with access, in one round trip, and a cursor resumes`() throws {
        let server = try server()
        for (id, name) in [(1, "ada"), (2, "bob"), (3, "eve")] { connect(server, id, name) }
        for id in 1...2 {
            let got = try frames(server, id)
            #expect(got.first == .welcome(user: id == 1 ? "ada" : "bob", isResync: false))
            #expect(got.count == 3)
            #expect(got.last == .cursor("e1:1"))
            let patch = try #require(patches(got).first)
            let document = try NoteDocument(title: #require(patch.title), content: #require(patch.content))
            #expect(document.content.text == "one\n")
        }
        #expect(try frames(server, 3) == [.welcome(user: "eve", isResync: false), .cursor("e1:1")])
        // One keystroke of ada.
        var mine = try #require(server.notes["1ab"]?.document)
        let before = mine.version
        try mine.set(content: "one\nx", by: "ada")
        let push = ClientFrame.request(NoteRequest(1, "1ab", .push(mine.patch(since: before)))).text
        server.receive(push, from: 1)
        #expect(try frames(server, 1) == [.acknowledged(1), .cursor("e1:2")], "no echo")
        let told = server.take(2)
        #expect(told.count == 1)
        #expect((told.first?.utf8.count ?? 999) < 250)
        #expect(push.utf8.count < 150)
        #expect(try frames(server, 3) == [.cursor("e1:2")])
        // The same again, as after a lost answer.
        server.receive(push, from: 1)
        #expect(try frames(server, 1) == [.acknowledged(1)])
        // Resumed from the cursor, nothing comes twice; a foreign one begins again.
        connect(server, 4, "bob", cursor: "e1:2")
        #expect(try frames(server, 4) == [.welcome(user: "bob", isResync: false), .cursor("e1:2")])
        connect(server, 5, "bob", cursor: "other:2")
        let again = try frames(server, 5)
        #expect(again.first == .welcome(user: "bob", isResync: true))
        #expect(again.count == 3)
    }

    @Test func `what a client has written before it came is sent to it, for its store may be an older copy`() throws {
        let server = try server()
        connect(server, 1, "ada")
        var mine = try #require(server.notes["1ab"]?.document)
        let before = mine.version
        try mine.set(content: "one\ntwo", by: "ada")
        server.receive(ClientFrame.request(NoteRequest(1, "1ab", .push(mine.patch(since: before)))).text, from: 1)
        server.disconnect(1)
        connect(server, 2, "ada", cursor: "e1:1")
        let patch = try #require(patches(try frames(server, 2)).first)
        var older = try self.server().notes["1ab"]?.document
        try older?.merge(patch)
        #expect(older?.content.text == "one\ntwo")
    }

    @Test func `a note that cannot be read does not end the connection`() throws {
        var session = ClientSession(agent: "me")
        _ = session.connected(cursor: nil)
        _ = session.outgoing([], isComplete: true)
        _ = session.receive(ServerFrame.welcome(user: "ada", isResync: false).text)
        let long = String(repeating: "x", count: 300)
        let bad = #"{"t":"note","note":"1ab","version":{"title":[],"content":["\#(long)",3]},"cursor":"e:7"}"#
        #expect(
            session.receive(bad) == [.unreadable(note: "1ab", reason: "the server's data is invalid", cursor: "e:7")])
        #expect(session.receive(ServerFrame.cursor("e:8").text) == [.keepCursor("e:8"), .upToDate])
    }

    @Test func `a server that never sends what is missing is not asked for ever`() {
        var session = ClientSession(agent: "me")
        _ = session.connected(cursor: nil)
        _ = session.receive(ServerFrame.welcome(user: "ada", isResync: false).text)
        let answers = (0..<5).map { _ in session.missing("1ab", have: NoteVersion()) }
        #expect(answers.prefix(3).allSatisfy { if case .send? = $0.first { true } else { false } })
        #expect(answers.suffix(2).allSatisfy { if case .unreadable? = $0.first { true } else { false } })
    }

    @Test func `a note whose edits have the names of others is compared with that of the server once`() throws {
        var session = ClientSession(agent: "me")
        _ = session.connected(cursor: nil)
        _ = session.receive(ServerFrame.welcome(user: "ada", isResync: false).text)
        let note = OutgoingNote(note: "1ab", version: NoteVersion(), patch: NotePatch(content: [1]))
        func refuse(_ number: Int) -> [ClientSession.Action] {
            session.receive(ServerFrame.refused(number, .agentTaken, message: "taken").text)
        }
        _ = session.outgoing([note], isComplete: true)
        #expect(
            refuse(1).contains(.send(ClientFrame.request(NoteRequest(2, "1ab", .open(NoteVersion()))).text)))
        // The whole note comes, and the edits are sent again.
        _ = session.receive(ServerFrame.note(NoteDelta(note: "1ab"), cursor: nil).text)
        _ = session.outgoing([note], isComplete: true)
        #expect(refuse(3).contains(.refused(note: "1ab", .agentTaken, message: "taken")))
    }

    @Test func `a text whose version is not named comes from the empty text, beside one whose version is known`() throws
    {
        let server = try server()
        server.connect(1, as: .account("bob"))
        server.receive(ClientFrame.hello(agent: "page", mode: .edits, cursor: nil).text, from: 1)
        server.receive(ClientFrame.request(NoteRequest(1, "1ab", .open(nil))).text, from: 1)
        var texts = try texts(server, 1)
        let title = try #require(texts.first { $0.field == .title })
        let version = title.to.heads.map { "\"\($0.agent)\",\($0.sequence)" }.joined(separator: ",")
        server.receive(#"{"t":"open","n":2,"note":"1ab","title":[\#(version)]}"#, from: 1)
        texts = try self.texts(server, 1)
        #expect(texts.map(\.field) == [.title, .content])
        #expect(texts.first?.from == title.to && texts.first?.edits == [])
        #expect(texts.last?.from == nil && texts.last?.edits.isEmpty == false)
    }

    private func texts(_ server: SimulatedServer, _ id: Int) throws -> [TextDelta] {
        try frames(server, id).compactMap { if case .text(let delta) = $0 { delta } else { nil } }
    }

    @Test func `a note that is locked is gone, one that is unlocked comes whole`() throws {
        let server = try server()
        for (id, name) in [(1, "ada"), (2, "bob"), (3, "eve")] {
            connect(server, id, name)
            _ = server.take(id)
        }
        func set(_ number: Int, _ change: AccessChange, from id: Int) {
            server.receive(
                ClientFrame.request(NoteRequest(number, "1ab", .set(NoteChange(access: change)))).text, from: id)
        }
        set(1, AccessChange(granted: ["eve"]), from: 3)
        #expect(
            try frames(server, 3)
                == [.refused(1, .locked, message: "The note is locked; request access to it")])
        set(1, AccessChange(granted: ["eve"], revoked: ["bob"]), from: 1)
        #expect(try frames(server, 2) == [.gone(note: "1ab", .locked, cursor: "e1:2")])
        let whole = try frames(server, 3)
        let patch = try #require(patches(whole).first)
        #expect(patch.content != nil)
        // Frames of the one who lost it are refused from now on.
        server.receive(ClientFrame.request(NoteRequest(9, "1ab", .open(nil))).text, from: 2)
        let refusal = ServerFrame.refused(9, .locked, message: "The note is locked; request access to it")
        #expect(try frames(server, 2) == [refusal])
    }

    @Test func `presence reaches those with access and ends with its connection`() throws {
        let server = try server()
        for (id, name) in [(1, "ada"), (2, "bob"), (3, "eve")] {
            connect(server, id, name)
            _ = server.take(id)
        }
        let version = server.notes["1ab"]?.document.version.content
        let here = Presence(note: "1ab", selection: 1..<2, version: version)
        server.receive(ClientFrame.presence(here).text, from: 1)
        server.receive(ClientFrame.presence(here).text, from: 3)
        #expect(try frames(server, 2) == [.presence(here, user: "ada", agent: "ada")], "eve's reaches nobody")
        #expect(try frames(server, 1).isEmpty)
        #expect(try frames(server, 3).isEmpty)
        server.disconnect(1)
        #expect(try frames(server, 2) == [.presence(Presence(note: "1ab", selection: nil), user: "ada", agent: "ada")])
    }

    @Test(arguments: [
        (#"{"t":"open","n":1,"note":"1ab"}"#, 1008), ("123", 1008), ("{", 1008), (#"{"t":1}"#, 1008),
    ])
    func `a client that does not greet or speak JSON is cut off alone`(frame: String, code: UInt16) throws {
        let server = try server()
        connect(server, 1, "ada")
        server.connect(2, as: .account("bob"))
        server.receive(frame, from: 2)
        #expect(server.closed == [2: code])
        #expect(server.connections[1] != nil)
    }

    @Test func `a second hello, too many requests and too large frames are cut off`() {
        var session = ServerSession(actor: .account("a"), epoch: "e", latest: 0)
        let hello = ClientFrame.hello(agent: "a", mode: .log, cursor: nil).text
        _ = session.receive(hello)
        var copy = session
        var actions = copy.receive(hello)
        #expect(actions == [.close(code: 1008, reason: "second hello")])
        copy = session
        actions = copy.receive(String(repeating: " ", count: NotesProtocol.maximumFrame + 1))
        #expect(actions == [.close(code: 1009, reason: "frame too large")])
        for number in 0..<NotesProtocol.maximumInFlight {
            actions = session.receive(ClientFrame.request(NoteRequest(number, "n", .open(nil))).text)
            #expect(actions.count == 1)
        }
        actions = session.receive(ClientFrame.request(NoteRequest(99, "n", .open(nil))).text)
        #expect(actions == [.close(code: 1008, reason: "too many requests in flight")])
        actions = session.receive(hello)
        #expect(actions.isEmpty, "nothing follows")
    }

    @Test func `a slow client costs a bounded queue, and gets everything when it reads again`() throws {
        let server = try server()
        connect(server, 1, "ada")
        connect(server, 2, "bob")
        server.isFast = false
        var frames = server.take(2)
        let greeting = frames.reduce(0) { $0 + $1.utf8.count }
        var mine = try #require(server.notes["1ab"]?.document)
        for number in 0..<20 {
            let before = mine.version
            try mine.set(content: mine.content.text + String(repeating: "\(number) ", count: 40_000), by: "ada")
            server.receive(
                ClientFrame.request(NoteRequest(number, "1ab", .push(mine.patch(since: before)))).text, from: 1)
            server.written(server.take(1).reduce(0) { $0 + $1.utf8.count }, to: 1)
        }
        frames += server.take(2)
        let bytes = frames.reduce(0) { $0 + $1.utf8.count } - greeting
        #expect(bytes < 2 * ServerSession.fullQueue, "\(bytes) bytes wait")
        server.isFast = true
        server.written(bytes, to: 2)
        frames += server.take(2)
        var replica = NoteDocument()
        for patch in patches(try frames.compactMap { try ServerFrame($0) }) { try replica.merge(patch) }
        #expect(replica.content.text == mine.content.text)
    }

    // MARK: Client

    @Test func `a client sends its changes with its greeting and says when all is exchanged`() throws {
        var client = ClientSession(agent: "a")
        let first = client.connected(cursor: "e:4")
        #expect(first.count == 2)
        #expect(first[1] == .readOutgoing(limit: 32, excluding: []))
        let note = OutgoingNote(
            note: "1ab", version: NoteVersion(), patch: NotePatch(content: [1]), change: NoteChange(addedTags: ["t"]))
        let sent = client.outgoing([note], isComplete: true)
        #expect(sent.count == 2, "a push and a set")
        var actions = client.receive(ServerFrame.welcome(user: "a", isResync: false).text)
        #expect(actions == [.serverKnowsFiles])
        #expect(client.receive(ServerFrame.welcome(user: "a", isResync: false, knowsFiles: false).text).isEmpty)
        actions = client.receive(ServerFrame.cursor("e:5").text)
        #expect(actions == [.keepCursor("e:5")])
        actions = client.receive(ServerFrame.acknowledged(1).text)
        #expect(!actions.contains(.confirmed(note)), "half of it is taken in")
        actions = client.receive(ServerFrame.acknowledged(2).text)
        #expect(actions == [.confirmed(note), .readOutgoing(limit: 32, excluding: [])])
        actions = client.outgoing([], isComplete: true)
        #expect(actions == [.upToDate])
        actions = client.receive(ServerFrame.acknowledged(2).text)
        #expect(actions.isEmpty, "an answer counts once")
    }

    @Test func `a refused note waits for another connection or for access`() {
        var client = ClientSession(agent: "a")
        _ = client.connected(cursor: nil)
        let note = OutgoingNote(note: "1ab", version: NoteVersion(), patch: NotePatch(content: [1]))
        _ = client.outgoing([note], isComplete: true)
        _ = client.receive(ServerFrame.welcome(user: "a", isResync: false).text)
        var actions = client.receive(ServerFrame.refused(1, .locked, message: "no").text)
        #expect(
            actions == [
                .refused(note: "1ab", .locked, message: "no"), .readOutgoing(limit: 32, excluding: ["1ab"]),
            ])
        _ = client.outgoing([], isComplete: true)
        let delta = NoteDelta(note: "1ab", patch: NotePatch(content: [2]))
        actions = client.receive(ServerFrame.note(delta, cursor: "e:9").text)
        #expect(actions == [.merge(delta, cursor: "e:9"), .readOutgoing(limit: 32, excluding: [])])
    }

    @Test func `no cursor is kept while events are missing`() {
        var client = ClientSession(agent: "a")
        _ = client.connected(cursor: nil)
        _ = client.outgoing([], isComplete: true)
        _ = client.receive(ServerFrame.welcome(user: "a", isResync: false).text)
        _ = client.missing("1ab", have: NoteVersion())
        var actions = client.receive(ServerFrame.cursor("e:9").text)
        #expect(actions.isEmpty)
        actions = client.receive(ServerFrame.acknowledged(1).text)
        _ = client.outgoing([], isComplete: true)
        actions = client.receive(ServerFrame.cursor("e:9").text)
        #expect(actions.first == .keepCursor("e:9"))
        actions = client.receive("{")
        #expect(actions == [.close(code: 1002, reason: "malformed frame")])
        actions = client.receive("{}")
        #expect(actions.isEmpty)
    }

    // MARK: Time

    @Test func `waits grow, are spread, and end with a good connection`() {
        var schedule = ReconnectSchedule()
        let longest = (0..<12).map { _ in schedule.lost(jitter: 1) }
        #expect(longest.prefix(4) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        #expect(longest.last == ReconnectSchedule.longest)
        var spread = ReconnectSchedule()
        var wait = spread.lost(jitter: 0)
        #expect(wait == .milliseconds(500))
        wait = schedule.lost(after: .seconds(5), jitter: 1)
        #expect(wait == ReconnectSchedule.longest, "it was lost at once")
        wait = schedule.lost(after: ReconnectSchedule.stable, jitter: 1)
        #expect(wait == .seconds(1))
        wait = schedule.lost(jitter: 0, retryAfter: .seconds(300))
        #expect(wait == .seconds(300))
    }

    @Test func `a silent connection is pinged, then given up`() {
        var heartbeat = Heartbeat()
        heartbeat.received(at: .seconds(5))
        let actions = [10, 25, 30].map { heartbeat.next(at: .seconds($0)) }
        #expect(actions == [.wait(.seconds(15)), .ping, .wait(.seconds(5))])
        var answered = heartbeat
        answered.received(at: .seconds(31))
        let then = answered.next(at: .seconds(35))
        #expect(then == .wait(.seconds(16)))
        let end = heartbeat.next(at: .seconds(35))
        #expect(end == .giveUp)
    }
}
