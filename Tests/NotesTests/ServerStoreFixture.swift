import NotesDomain
import PostgreSQL
import PostgresTestSupport
import Storage
import Synchronization
import System
import TestSupport
import Testing
import TextCRDT

@testable import Notes

/// The implementations of the store of a notes server. Each has to pass the same tests; another one is a case more.
enum ServerStoreImplementation: CaseIterable {
    case sqlite, postgres

    /// Makes an empty store.
    func make() async throws -> any ServerStoreFixture {
        switch self {
        case .sqlite: try SQLiteStoreFixture()
        case .postgres: try await PostgresStoreFixture()
        }
    }

    /// Lets a process serve an empty store of this kind.
    func serve(_ notes: NotesPlugin) async throws {
        if case .postgres = self { try notes.useServerStore(try await PostgresServer.emptyURL()) }
    }

    /// Returns the settings of a server of an empty store of this kind.
    func variables() async throws -> [String: String] {
        self == .postgres ? ["HUB_NOTES_SERVER_STORE": try await PostgresServer.emptyURL()] : [:]
    }
}

/// A store, and others over the same data, as equal servers have them.
protocol ServerStoreFixture: Sendable {
    var clock: StillClock { get }
    /// The store of one server.
    var store: any NoteServerStore { get }
    /// The store of a second one.
    var other: any NoteServerStore { get }

    /// Damages the history of a note, as it is stored.
    func damage(_ note: String) async throws
}

private struct SQLiteStoreFixture: ServerStoreFixture {
    private let folder: TemporaryFolder
    private let first: NotesFixture
    private let second: NotesFixture

    init() throws {
        folder = try TemporaryFolder()
        first = try NotesFixture(at: .directory(folder.path))
        second = try NotesFixture(at: .directory(folder.path))
    }

    var clock: StillClock { first.clock }
    var store: any NoteServerStore { first.notes.serverStore }
    var other: any NoteServerStore { second.notes.serverStore }

    func damage(_ note: String) async throws {
        let count = try await first.store.write(Operation("damage")) {
            try $0.run("UPDATE notes_events SET events = x'00' WHERE note = ?", note)
                + $0.run("UPDATE notes_log SET events = x'00' WHERE note = ?", note)
        }
        try #require(count > 0)
    }
}

/// Two servers on one database of PostgreSQL.
private struct PostgresStoreFixture: ServerStoreFixture {
    private let url: String
    private let first: NotesFixture
    private let second: NotesFixture

    init() async throws {
        url = try await PostgresServer.emptyURL()
        first = try NotesFixture()
        second = try NotesFixture()
        for fixture in [first, second] { try fixture.notes.useServerStore(url) }
    }

    var clock: StillClock { first.clock }
    var store: any NoteServerStore { first.notes.serverStore }
    var other: any NoteServerStore { second.notes.serverStore }

    func damage(_ note: String) async throws { try await PostgresServer.damage(note, at: url) }
}

extension PostgresServer {
    private static let lastSchema = Mutex(0)

    /// Damages the history of a note that has just been made.
    static func damage(_ note: String, at url: String) async throws {
        let pool = PostgresPool(try PostgresAddress(url), maximum: 1)
        defer { pool.close() }
        let change = PostgresQuery("UPDATE hub_event SET events = '\\x00' WHERE note = $1", note)
        try #require(try await pool.run(change)[0].count > 0)
    }

    /// Returns the address of an empty schema of the server that all tests share.
    static func emptyURL() async throws -> String {
        let server = try await BackgroundThread.run { try PostgresServer.start() }
        let number = lastSchema.withLock { number in
            number += 1
            return number
        }
        let pool = PostgresPool(try PostgresAddress(server.url()), maximum: 1)
        defer { pool.close() }
        _ = try await pool.run(PostgresQuery("CREATE SCHEMA test\(number)"))
        return server.url() + "&options=-csearch_path%3Dtest\(number)"
    }
}

/// A client of hub's protocol that asks a store directly.
struct StoreClient {
    let name: String
    let store: any NoteServerStore
    private(set) var session: ServerSession
    private let operation: Operation

    init(_ name: String, _ mode: ClientFrame.Mode = .log, agent: String? = nil, of store: any NoteServerStore) {
        (self.name, self.store) = (name, store)
        operation = Operation("notes serve", who: .service(name))
        session = ServerSession(actor: .account(name), epoch: "e", latest: 0)
        _ = session.receive(ClientFrame.hello(agent: agent ?? name, mode: mode, cursor: nil).text)
    }

    var client: ServedClient { session.client }

    func perform(_ kind: NoteRequest.Kind, _ note: String) async throws -> ServerSession.Outcome {
        try await store.perform(
            ServedRequest(
                request: NoteRequest(1, note, kind), client: client, person: name, operation: operation))
    }

    /// Makes a note that is shared with others.
    func make(_ content: String, with members: [String] = []) async throws -> String {
        let id = Identifier.make()
        var document = NoteDocument()
        _ = try document.set(title: "Plan", content: content, by: name)
        #expect(try await perform(.push(document.patch(since: NoteVersion())), id) == .done)
        if !members.isEmpty {
            #expect(
                try await perform(.set(NoteChange(access: AccessChange(granted: members))), id) == .done)
        }
        return id
    }

    /// Opens a note to follow it.
    mutating func open(_ note: String) async throws -> Bool {
        let request = NoteRequest(1, note, .open(nil))
        let outcome = try await perform(request.kind, note)
        _ = session.finished(request, outcome)
        return outcome.code == nil
    }

    /// Returns the text of a note with its version.
    func content(_ note: String) async throws -> (text: String, version: Version) {
        let reader = StoreClient(name, .log, of: store)
        guard case .note(let delta) = try await reader.perform(.open(nil), note) else { return ("", Version([])) }
        var document = NoteDocument()
        _ = try document.merge(delta.patch)
        #expect(document.version == delta.version)
        return (document.content.text, delta.version?.content ?? Version([]))
    }
}

extension ServerSession.Outcome {
    /// The code of a refusal.
    var code: RefusalCode? { if case .refused(let code, _) = self { code } else { nil } }
}
