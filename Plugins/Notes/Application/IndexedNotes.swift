import HubKit
import Synchronization

/// The notes as a search sees them: the words that others typed are in the index before anybody looks for some.
///
/// A keystroke changes a few letters, but the index takes the whole text out and in again. So the server only marks the note,
/// and its words follow with the next search, or else after a pause.
final class IndexedNotes: EntityStore {
    /// The longest time that words wait in a process that serves.
    static let pause = Duration.seconds(5)
    /// The notes of one write, which is short, so that those who type need not wait.
    private static let notesPerWrite = 50

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

    /// Indexes after the pause what waits then.
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
            guard try await store.read({ try $0.hasWaitingWords() }) else { return }
            var last: String? = ""
            while let position = last {
                last = try await store.write(Operation("notes index", who: .service("notes"), kind: .cache)) {
                    try $0.indexWaitingWords(after: position, limit: Self.notesPerWrite)
                }
            }
        } catch {
            log.error("cannot index what was typed: \(error)")
        }
    }
}
