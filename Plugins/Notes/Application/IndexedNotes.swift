import HubKit
import Storage
import Synchronization

/// The notes after everything that follows from an edit: its words are in the index, it is in the history, its event is published.
///
/// A keystroke changes a few letters, but the index removes and inserts the whole text, and a row of the history is larger
/// than the edit. So the server only marks the note. The rest is done once for many edits: before a note is searched, selected or
/// its history shown, or else after a pause.
final class IndexedNotes: EntityStore {
    /// The longest time that anything waits in a process that serves.
    static let pause = Duration.seconds(5)
    /// The notes of one write, and the bytes of their edits, from which on no other note is taken: a write is short, so that those
    /// who type need not wait.
    private static let (notesPerWrite, bytesPerWrite) = (10, 64 << 10)

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

    /// Records and indexes what waits. Where the store cannot be written, a search finds what was indexed before.
    private func catchUp() async {
        do {
            let (isUnrecorded, hasWords) = try await store.read { (try $0.hasUnrecorded(), try $0.hasWaitingWords()) }
            if isUnrecorded { try await record() }
            if hasWords { try await index() }
        } catch {
            log.error("cannot index or record what was typed: \(error)")
        }
    }

    private var operation: Operation { Operation("notes index", who: .service("notes"), kind: .cache) }

    /// Puts what was typed into the history: for each person one operation, which can be undone.
    private func record() async throws {
        var operations: [String: Operation] = [:]
        var position = ""
        while true {
            let (ids, people) = try await store.read { [position] transaction in
                let ids = try transaction.unrecordedNotes(
                    after: position, limit: Self.notesPerWrite, bytes: Self.bytesPerWrite)
                return (ids, try transaction.unrecordedPeople(in: ids))
            }
            guard let last = ids.last else { return }
            for person in people.sorted() {
                let operation = operations[person] ?? Operation("notes serve", who: .service(person))
                operations[person] = operation
                try await store.write(operation) { try $0.recordEdits(in: ids, by: person) }
            }
            try await store.write(operation) { transaction in
                for note in try transaction.packRecorded(ids) {
                    try transaction.emit(NotesEvents.changed, note.summary)
                }
            }
            position = last
        }
    }

    private func index() async throws {
        var last: String? = ""
        while let position = last {
            last = try await store.write(operation) {
                try $0.indexWaitingWords(after: position, limit: Self.notesPerWrite)
            }
        }
    }
}
