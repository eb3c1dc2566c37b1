import NotesDomain
import Storage
import Synchronization
import TextCRDT

/// The notes that clients edit now. Each is in memory once for all of them, so that an edit needs no look at the log.
///
/// A note is taken out of here by the transaction that changes it, and comes back with the change; a change that fails leaves the note
/// to be read again. The writes of a process follow each other, and the stored row shows whether another process has written, or a
/// commit has failed.
final class OpenNotes: Sendable {
    /// How long a note stays in memory after its last use.
    private static let lifetime = Duration.seconds(300)
    /// The most events of all notes, each note being counted as some.
    private static let (maximumSize, noteSize) = (1 << 20, 128)

    private struct Entry {
        let note: OpenNote
        let usedAt: Instant
        /// The stored versions of the texts.
        let columns: [String]

        var size: Int { note.texts.document.title.eventCount + note.texts.document.content.eventCount + noteSize }
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var size = 0
        var cleanedAt: Instant?
    }

    private let state = Mutex(State())

    /// Carries out a change of a note with its texts; nil if there is no such note.
    func change<Result>(
        _ id: String, in transaction: Transaction, _ body: (inout OpenNote) throws -> Result
    ) throws -> Result? {
        guard var note = try take(id, in: transaction) else { return nil }
        let result = try body(&note)
        keep(note, at: transaction.now)
        return result
    }

    /// Removes a note from memory and returns it as it is stored.
    private func take(_ id: String, in transaction: Transaction) throws -> OpenNote? {
        let known = state.withLock { state in
            let entry = state.entries.removeValue(forKey: id)
            state.size -= entry?.size ?? 0
            return entry
        }
        if let known, try transaction.isNewest(id, change: known.note.change, columns: known.columns) {
            return known.note
        }
        return try transaction.openNote(id)
    }

    private func keep(_ note: OpenNote, at now: Instant) {
        let version = note.texts.version
        let entry = Entry(note: note, usedAt: now, columns: [version.title.column, version.content.column])
        state.withLock { state in
            state.size += entry.size
            state.entries[note.record.id] = entry
            clean(&state, now)
        }
    }

    /// Forgets the notes that were not used lately, and the oldest while they are too large.
    private func clean(_ state: inout State, _ now: Instant) {
        guard state.size > Self.maximumSize || now - (state.cleanedAt ?? now) > Self.lifetime || state.cleanedAt == nil
        else { return }
        state.cleanedAt = now
        for (id, entry) in state.entries.sorted(by: { $0.value.usedAt < $1.value.usedAt }) {
            guard now - entry.usedAt > Self.lifetime || state.size > Self.maximumSize / 2, state.entries.count > 1
            else {
                return
            }
            state.entries[id] = nil
            state.size -= entry.size
        }
    }
}
