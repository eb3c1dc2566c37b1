import Commands
import HTTPClient
import HubKit
import HubKitTesting
import NotesDomain
import Storage
import Sync
import TestSupport
import Testing

@testable import Notes

/// A machine that stays connected to a server of NoteApp.
@Suite(.timeLimit(.minutes(20)))
struct LiveServerTests {
    /// A machine with notes in memory and a server.
    private final class Machine: Sendable {
        let notes: NotesPlugin
        let folder: TemporaryFolder
        let bus = EventBus()
        private let database: Database

        init(_ server: NoteAppServer) async throws {
            folder = try TemporaryFolder()
            let clock = SystemClock()
            database = Database(
                at: .memory, plugins: [NotesPlugin.descriptor.schema], clock: clock, executors: .queues)
            notes = try NotesPlugin(
                context: Context(
                    config: Config(), store: database.store(for: "notes"), clock: clock,
                    locks: FileLocks(directory: folder.path, clock: clock), secrets: MemorySecrets(),
                    directories: Directories(
                        data: folder.path, state: folder.path, cache: folder.path, config: folder.path, runtime: nil),
                    log: Log(label: "test") { _, _, _ in },
                    settings: MemorySettings(NoteServers.kind.keys.all, plugin: "notes"), bus: bus))
            let account = Account(name: "home", address: .server(server.url), user: "ada", collections: [""])
            try await notes.accounts.add(account, password: .typed("x"))
        }

        func write(_ body: @escaping @Sendable (NotesPlugin, System.Operation) async throws -> Void) async throws {
            try await body(notes, System.Operation("notes test"))
            bus.announceLocally(.some(["domain.notes/note-changed"]))
        }
    }

    @Test func `changes go both ways at once while the machine is connected`() async throws {
        let server = try NoteAppServer()
        let machine = try await Machine(server)
        var reports = try machine.notes.watchServers([]).makeAsyncIterator()
        #expect(try await reports.next()?.words == "connected")
        let id = try await server.make("List", "milk", owner: "bob", access: ["ada"])
        while let report = try await reports.next(), !report.words.contains("received 1 new") {}
        let note = try #require(try await machine.notes.list(NoteFilter()).rows.first)
        #expect(try await machine.notes.notes.get(note.id).content == "milk")
        try await machine.write { notes, operation in
            _ = try await notes.append("bread", to: note.id, operation: operation)
        }
        while let report = try await reports.next(), !report.words.contains("sent 1 changed") {}
        #expect(try await server.texts() == [["List", "milk\nbread"]])
        try await server.send(.delete, "api/notes/\(id)", "{}")
        while let report = try await reports.next(), !report.words.contains("removed") {}
        #expect(try await machine.notes.list(NoteFilter()).rows.isEmpty)
    }
}
