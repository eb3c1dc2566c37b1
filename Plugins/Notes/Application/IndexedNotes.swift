import HubKit
import Storage
import Synchronization

/// The notes with the words of all edits in the index.
///
/// A keystroke changes a few letters, but the index removes and inserts the whole text. So the server only marks the note. The rest is
/// done once for many edits: before a note is searched or selected, or else after a pause.
final class IndexedNotes: EntityStore {
    /// The longest time that anything waits in a process that serves.
    static let pause = Duration.seconds(5)
    /// The notes of one write, which is short, so that those who type need not wait.
    private static let notesPerWrite = 10

    let store: Store
    private let clock: any Clock
    private let log: Log
    private let isDue = Mutex(false)

    init(_ store: Store, clock: any Clock, log: Log) {
        self.store = store
        self.clock = clock
        self.log = log
    }

    func read<T: Sendable>(_ body: @Sendable (Transaction) throws -> T) async throws -> T {
        await catchUp()
        return try await store.read(body)
    }

    func write<T: Sendable>(
        _ operation: Operation, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await store.write(operation, body)
    }

    /// Does after the pause what waits then.
    func catchUpLater() {
        let wasDue = isDue.withLock { isDue in
            defer { isDue = true }
            return isDue
        }
        if wasDue { return }
        Task { [weak self, clock] in
            try? await clock.sleep(for: Self.pause)
            guard let self else { return }
            isDue.withLock { $0 = false }
            await catchUp()
        }
    }

    /// Indexes what waits. Where the store cannot be written, a search finds what was indexed before.
    private func catchUp() async {
        do {
            if try await store.read({ try $0.hasWaitingWords() }) { try await index() }
        } catch {
            log.error("cannot index what was typed: \(error)")
        }
    }

    private var operation: Operation { Operation("notes index", who: .service("notes"), kind: .cache) }

    private func index() async throws {
        var last: String? = ""
        while let position = last {
            last = try await store.write(operation) {
                try $0.indexWaitingWords(after: position, limit: Self.notesPerWrite)
            }
        }
    }
}
