import HubKit
import NotesDomain
import Storage
import Synchronization

/// The notes with all edits in the history and the words of all in the index.
///
/// A keystroke changes a few letters, but the index removes and inserts the whole text, and a row of the history is larger than a small
/// edit. So the server only marks the note, and lets the history of what clients of NoteApp write wait (`notes_pending`). The rest is done
/// once for many edits: before a note is searched, selected or its history shown, or else after a pause.
final class IndexedNotes: EntityStore {
    /// The longest time that anything waits in a process that serves.
    static let pause = Duration.seconds(5)
    /// The notes of one write, and the batches of edits from which on no other note is taken: a write is short, so that those who type
    /// need not wait.
    private static let (notesPerWrite, batchesPerWrite) = (10, 500)

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
    func catchUp() async {
        do {
            guard try await store.read({ try $0.hasWaiting() }) else { return }
            try await record()
            try await index()
        } catch {
            log.error("cannot record or index what was typed: \(error)")
        }
    }

    /// Puts edits that wait into the history, those of each person as one operation, and publishes that their notes have changed.
    private func record() async throws {
        var operations: [String: Operation] = [:]
        var position = ""
        while true {
            let (ids, people) = try await store.read { [position] transaction in
                let ids = try transaction.pendingNotes(
                    after: position, limit: Self.notesPerWrite, batches: Self.batchesPerWrite)
                return (ids, try transaction.pendingPeople(in: ids))
            }
            guard let last = ids.last else { return }
            for person in people.sorted() {
                let operation = operations[person] ?? Operation("notes serve", who: .service(person))
                operations[person] = operation
                try await store.write(operation) { transaction in
                    for note in try transaction.recordPending(in: ids, by: person) {
                        try transaction.emit(NotesEvents.changed, note.summary)
                    }
                }
            }
            position = last
        }
    }

    private func index() async throws {
        let operation = Operation("notes index", who: .service("notes"), kind: .cache)
        var last: String? = ""
        while let position = last {
            last = try await store.write(operation) {
                try $0.indexWaitingWords(after: position, limit: Self.notesPerWrite)
            }
        }
    }
}
