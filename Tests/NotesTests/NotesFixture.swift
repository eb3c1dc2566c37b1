import CivilDate
import Commands
import HubKit
import HubKitTesting
import NotesDomain
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Notes

/// A clock set to noon of Friday, 20 November 2026, UTC, until it is advanced.
final class StillClock: Clock {
    private let moment = Mutex(Instant(milliseconds: 1_795_176_000_000))

    var now: Instant { moment.withLock { $0 } }
    var monotonicNow: Duration { .milliseconds(now.milliseconds) }

    var today: CivilDate { TimeZoneRules.utc.localTime(at: now).day }

    /// Moves the clock on.
    func advance(by duration: Duration) { moment.withLock { $0 = $0 + duration } }

    func sleep(for duration: Duration) async throws { try await Task.sleep(for: .seconds(3600)) }
}

/// Notes on a real database, in memory by default.
final class NotesFixture: Sendable {
    let database: Database
    let store: Store
    let clock = StillClock()
    /// Nothing is announced on it but by tests.
    let bus = EventBus()
    let notes: NotesPlugin
    /// The folder of blobs, and of locks if no other is given.
    private let home: TemporaryFolder

    /// `locks` is a folder for locks that several fixtures share.
    init(config: Config = Config(), locks: String? = nil, at location: Database.Location = .memory) throws {
        home = try TemporaryFolder()
        let schema = NotesPlugin.descriptor.schema
        database = Database(at: location, plugins: [schema], clock: clock, executors: .queues)
        store = database.store(for: "notes")
        let folder = "/nonexistent"
        notes = try NotesPlugin(
            context: Context(
                config: config, store: store, clock: clock,
                locks: FileLocks(directory: locks ?? home.path + "/locks", clock: clock),
                secrets: MemorySecrets(),
                directories: Directories(
                    data: Self.data(location) ?? home.path, state: folder, cache: folder, config: folder, runtime: nil),
                log: Log(label: "test") { _, _, _ in }, settings: MemorySettings(), bus: bus))
    }

    private static func data(_ location: Database.Location) -> String? {
        if case .directory(let path) = location { path } else { nil }
    }

    func operation(_ name: String = "notes test", who: System.Operation.Author = .person) -> System.Operation {
        System.Operation(name, who: who)
    }

    @discardableResult
    func make(_ title: String, _ content: String = "", tags: [String] = [], folder: String = "") async throws
        -> NoteRecord
    {
        try await notes.create(
            NoteDraft(title: title, content: content, folder: folder, tags: tags), operation: operation("notes new"))
    }

    func get(_ id: String) async throws -> NoteRecord { try await notes.notes.get(id) }

    /// Replaces the text as another person would.
    func write(_ content: String, to id: String, who: System.Operation.Author = .person) async throws {
        try await store.write(operation("notes edit", who: who)) { transaction in
            try transaction.changed(id) {
                try transaction.changeTexts(of: id) { try $0.set(content: content, by: who.text + "-" + $1) }
            }
        }
    }

    @discardableResult
    func undo(_ id: String? = nil) async throws -> UndoReport {
        try await database.history.undo(id, as: operation("undo"))
    }

    @discardableResult
    func redo() async throws -> UndoReport { try await database.history.redo(as: operation("redo")) }

    /// The topics of all durable events so far.
    func topics() async throws -> [String] {
        try await database.store(for: "core").read { transaction in
            try transaction.recentEvents(matching: [.everything], since: nil, limit: 1000)
        }.map { $0.topic.description }
    }
}
