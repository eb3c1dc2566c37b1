import HubKit
import NotesDomain
import Storage
import Synchronization
import TestSupport
import Testing
import TextCRDT
import WebSocket

@testable import Notes

/// What each kind of account sees of a note, and may do with it, on every way into the notes server.
struct AccessMatrixTests {
    /// The owner, a member, a member who can only read, and someone without access.
    private static let people = ["me", "maria", "rita", "eve"]

    private let folder: TemporaryFolder
    private let fixture: NotesFixture

    init() throws {
        folder = try TemporaryFolder()
        fixture = try NotesFixture(at: .directory(folder.path))
    }

    /// Makes the note in an empty store, and returns its id and that for NoteApp.
    private func plan(_ store: ServerStoreImplementation) async throws -> (note: String, id: String) {
        try await store.serve(fixture.notes)
        let owner = StoreClient("me", of: fixture.notes.serverStore)
        let note = try await owner.make("secret words", with: ["maria", "rita"])
        let access = AccessChange(readers: ["rita"])
        #expect(try await owner.perform(.set(NoteChange(access: access)), note) == .done)
        return (note, try #require(try await fixture.notes.serverStore.wireID(of: note)).text)
    }

    private func ask(
        _ method: String, _ path: String, _ body: String = "", as actor: NotesDomain.Actor, legacy: LegacyMode = .off
    ) async throws -> NoteAppReply {
        try await fixture.notes.answer(
            NoteAppRequest(
                method, path, contentType: body.isEmpty ? nil : "application/json", body: Array(body.utf8),
                client: "a", actor: actor), legacy: legacy
        ).reply
    }

    private func body(_ content: String) -> String {
        #"{"title":"Plan","content":"\#(content)","access":["maria","rita"],"owner":"me"}"#
    }

    // MARK: REST

    @Test(arguments: ServerStoreImplementation.allCases)
    func `a list has nothing of a note that is locked for the account`(_ store: ServerStoreImplementation) async throws
    {
        _ = try await plan(store)
        for (person, isOpen) in zip(Self.people, [true, true, true, false]) {
            guard case .notes(let notes) = try await ask("GET", "/api/notes", as: .account(person)) else {
                Issue.record("\(person) has no list")
                continue
            }
            #expect(notes.map(\.content) == (isOpen ? ["secret words"] : []), "\(person)")
        }
        // The lock of NoteApp's own clients is theirs.
        for legacy in [LegacyMode.open, .readonly] {
            let reply = try await ask("GET", "/api/notes", as: .anonymous, legacy: legacy)
            guard case .notes(let notes) = reply else {
                Issue.record("\(legacy)")
                continue
            }
            #expect(notes.map(\.title) == ["Plan"] && notes.map(\.access) == [["me", "maria", "rita"]])
        }
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `each route by each person`(_ store: ServerStoreImplementation) async throws {
        let (_, id) = try await plan(store)
        let statuses: [(method: String, expected: [Int])] = [
            ("GET", [200, 200, 200, 403]), ("PUT", [200, 200, 403, 403]), ("DELETE", [200, 403, 403, 403]),
        ]
        for (method, expected) in statuses {
            for (person, status) in zip(Self.people, expected).reversed() {
                let reply = try await ask(
                    method, "/api/notes/\(id)", method == "PUT" ? body("by \(person)") : "", as: .account(person))
                #expect(reply.status == status, "\(method) by \(person)")
                if status == 403 {
                    let text = String(decoding: reply.body, as: UTF8.self)
                    #expect(!text.contains("Plan") && !text.contains("maria"))
                }
            }
        }
    }

    // MARK: Events

    /// A client's socket.
    private final class Peer: WebSocketPeer {
        private let inbox = Mutex<[String]>([])
        private let sent = Mutex<[String]>([])
        var texts: [String] { sent.withLock { $0 } }

        init(_ frames: [String] = []) { inbox.withLock { $0 = frames } }

        func receive() async -> WebSocketConnection.Message? {
            inbox.withLock { $0.isEmpty ? nil : .text($0.removeFirst()) }
        }
        func send(_ messages: [WebSocketConnection.Message]) -> Bool {
            for case .text(let text) in messages { sent.withLock { $0.append(text) } }
            return true
        }
        func close(_ code: WebSocketCloseCode, reason: String) {}
        func flushed() async {}
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `changes are told to those who may read the note`(_ store: ServerStoreImplementation) async throws {
        let (note, id) = try await plan(store)
        let owner = StoreClient("me", of: fixture.notes.serverStore)
        let clients = fixture.notes.noteAppClients
        let start = try await fixture.notes.listenStart()
        let peers = Self.people.map { _ in Peer() }
        let anonymous = Peer()
        func connected(_ count: Int, _ body: () async throws -> Void) async throws {
            if count == 0 { return try await clients.withClient(anonymous, .anonymous, since: start, body) }
            try await clients.withClient(peers[count - 1], .account(Self.people[count - 1]), since: start) {
                try await connected(count - 1, body)
            }
        }
        try await connected(peers.count) {
            _ = try await ask("PUT", "/api/notes/\(id)", body("more"), as: .account("me"))
            #expect(try await owner.perform(.set(NoteChange(access: AccessChange(revoked: ["maria"]))), note) == .done)
            while anonymous.texts.count < 2 {
                fixture.bus.announceLocally(.some([NotesEvents.changed]))
                await Task.yield()
            }
        }
        let (update, gone) = (NoteAppEvent.updated(id, owner: "me"), NoteAppEvent.deleted(id))
        #expect(anonymous.texts.first == update.text && anonymous.texts.count == 2)
        #expect(peers[0].texts == anonymous.texts)
        #expect(peers[1].texts == [update.text, gone.text], "maria could read it until then")
        #expect(peers[2].texts == anonymous.texts)
        #expect(peers[3].texts.isEmpty)
    }

    // MARK: hub's protocol

    private static let file = AttachmentReference(
        path: "map.png", hash: String(repeating: "0", count: 64), size: 1)

    /// Each request with the answers to the owner, member, reader and stranger; nil is done.
    private static let requests: [(NoteRequest.Kind, [RefusalCode?])] = [
        (.open(nil), [nil, nil, nil, .locked]),
        (.set(NoteChange(addedTags: ["x"])), [nil, nil, .readOnly, .locked]),
        (.set(NoteChange(folder: "f")), [nil, nil, .readOnly, .locked]),
        // The content is not on the server, which only those learn who may attach it.
        (.set(NoteChange(attached: [file])), [.unavailable, .unavailable, .readOnly, .locked]),
        (.set(NoteChange(detached: ["map.png"])), [nil, nil, .readOnly, .locked]),
        (.set(NoteChange(head: HeadChange(base: nil, head: FileHead("")))), [nil, nil, .readOnly, .locked]),
        (.set(NoteChange()), [nil, nil, nil, .locked]),
        (
            .edit(EditRequest(field: .content, sequence: 0, base: Version([]), edits: [])),
            [nil, nil, .readOnly, .locked]
        ),
        (.set(NoteChange(access: AccessChange(granted: ["rita"]))), [nil, .ownerOnly, .ownerOnly, .locked]),
        (.set(NoteChange(access: AccessChange(readers: ["rita"]))), [nil, .ownerOnly, .ownerOnly, .locked]),
        (.set(NoteChange(isDeleted: true)), [nil, .ownerOnly, .ownerOnly, .locked]),
        (.set(NoteChange(isDeleted: false)), [nil, .ownerOnly, .ownerOnly, .locked]),
        (.answer(requester: "eve", allow: false), [.notFound, .ownerOnly, .ownerOnly, .locked]),
        (.unlock(reason: "please"), [.unlocked, .unlocked, .unlocked, nil]),
    ]

    @Test(arguments: [ClientFrame.Mode.log, .edits], ServerStoreImplementation.allCases)
    func `each request of hub's protocol by each person`(mode: ClientFrame.Mode, store: ServerStoreImplementation)
        async throws
    {
        let (note, _) = try await plan(store)
        for (index, person) in Self.people.enumerated() {
            let hello = ClientFrame.hello(agent: "device-\(person)", mode: mode, cursor: mode == .edits ? "" : nil)
            let cursor = ClientFrame.presence(Presence(note: note, selection: 0..<0))
            let frames = Self.requests.enumerated().map { number, request in
                ClientFrame.request(NoteRequest(number, note, request.0))
            }
            let peer = Peer(([hello] + frames + [cursor]).map(\.text))
            try await fixture.notes.serve(peer, as: .account(person))
            let answers = try peer.texts.compactMap { try ServerFrame($0) }
            var codes: [Int: RefusalCode?] = [:]
            for answer in answers {
                if case .acknowledged(let number) = answer { codes[number] = .some(nil) }
                if case .refused(let number, let code, _) = answer { codes[number] = code }
            }
            for (number, request) in Self.requests.enumerated() {
                #expect(codes[number] == .some(request.1[index]), "\(request.0) by \(person)")
            }
            #expect(answers.first == .welcome(user: person, isResync: false), "an empty cursor is no lost one")
            let isTold = answers.contains { if case .note = $0 { true } else { false } }
            #expect(isTold == (person != "eve"))
            let secrets = ["Plan", "secret", note, "maria", "rita"]
            #expect(person != "eve" || !peer.texts.contains { text in secrets.contains { text.contains($0) } })
        }
        // Nobody has changed who may edit, or moved the note.
        #expect(try await fixture.notes.serverStore.access(of: note)?.readers == ["rita"])
        #expect(try await fixture.notes.serverStore.noteCount() == 1)
    }

    @Test(arguments: ServerStoreImplementation.allCases)
    func `a request for access reaches the owner alone`(_ store: ServerStoreImplementation) async throws {
        let (note, _) = try await plan(store)
        let unlock = ClientFrame.request(NoteRequest(1, note, .unlock(reason: "please")))
        let hello = ClientFrame.hello(agent: "device", mode: .log, cursor: nil)
        try await fixture.notes.serve(Peer([hello.text, unlock.text]), as: .account("eve"))
        for person in Self.people {
            let peer = Peer([hello.text])
            try await fixture.notes.serve(peer, as: .account(person))
            // It is shown on Today, and asked for by those who connect later.
            #expect(!peer.texts.contains { $0.contains("please") } || person == "me", "\(person)")
        }
        #expect(try await fixture.notes.serverStore.pendingRequests().map(\.request.requester) == ["eve"])
    }

    @Test func `the history names who can only read`() async throws {
        let made = try await fixture.make("Plan", "secret words")
        _ = try await fixture.notes.share(made.id, with: ["maria"], operation: fixture.operation())
        let note = try await fixture.notes.share(
            made.id, with: ["rita"], isReading: true, operation: fixture.operation())
        let changed = try await fixture.notes.share(note.id, with: ["rita"], operation: fixture.operation())
        #expect(changed.access.readers.isEmpty && changed.access.members == note.access.members)
        let words = try await fixture.notes.notes.history(of: note.id).flatMap(\.changes)
        #expect(words.contains("member rita can edit"), "\(words)")
    }
}
