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
    /// About the bytes that a note takes beside its history.
    private static let noteSize = 2048

    private struct Entry {
        private(set) var note: OpenNote
        let usedAt: Instant
        let stored: StoredTextState
        private(set) var size: Int

        init(_ note: OpenNote, usedAt: Instant) {
            (self.note, self.usedAt, stored) = (note, usedAt, StoredTextState(note))
            size = Self.size(of: note)
        }

        /// Forgets what only saves a look at the history.
        mutating func shrink() {
            note.texts.forgetChanges()
            size = Self.size(of: note)
        }

        private static func size(of note: OpenNote) -> Int {
            noteSize + note.record.title.utf8.count + note.record.content.utf8.count + note.texts.size
        }
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var size = 0
        var cleanedAt: Instant?
    }

    /// About the bytes that all notes may take.
    private let maximumSize: Int
    private let state = Mutex(State())

    init(maximumSize: Int = 128 << 20) { self.maximumSize = maximumSize }

    /// The notes in memory, and about the bytes that they take.
    var use: (count: Int, size: Int) { state.withLock { ($0.entries.count, $0.size) } }

    /// Carries out a change of a note with its texts; nil if there is no such note. `stored` is how they are stored, if that is known.
    func change<Result>(
        _ id: String, _ stored: StoredTextState? = nil, in transaction: Transaction,
        _ body: (inout OpenNote) throws -> Result
    ) throws -> Result? {
        guard var note = try take(id, stored, in: transaction) else { return nil }
        let result = try body(&note)
        keep(note, at: transaction.now)
        return result
    }

    /// Removes a note from memory and returns it as it is stored.
    private func take(_ id: String, _ stored: StoredTextState?, in transaction: Transaction) throws -> OpenNote? {
        let known = state.withLock { state in
            let entry = state.entries.removeValue(forKey: id)
            state.size -= entry?.size ?? 0
            return entry
        }
        if let known, try known.stored == stored ?? transaction.storedTexts(of: id) { return known.note }
        return try transaction.openNote(id)
    }

    private func keep(_ note: OpenNote, at now: Instant) {
        let entry = Entry(note, usedAt: now)
        state.withLock { state in
            state.size += entry.size
            state.entries[note.record.id] = entry
            clean(&state, now, except: note.record.id)
        }
    }

    /// Forgets the notes that were not used lately. Where all are too large, it first shrinks the oldest, then forgets them.
    private func clean(_ state: inout State, _ now: Instant, except current: String) {
        let isFull = state.size > maximumSize
        guard isFull || now - (state.cleanedAt ?? now) > Self.lifetime || state.cleanedAt == nil else { return }
        state.cleanedAt = now
        var oldest: [(id: String, usedAt: Instant)] = []
        for (id, entry) in state.entries {
            if now - entry.usedAt > Self.lifetime {
                state.size -= entry.size
                state.entries[id] = nil
            } else if isFull, id != current {
                oldest.append((id, entry.usedAt))
            }
        }
        oldest.sort { $0.usedAt < $1.usedAt }
        for isForgotten in [false, true] {
            for (id, _) in oldest {
                guard state.size > maximumSize / 4 * 3 else { return }
                state.size -= state.entries[id]?.size ?? 0
                if isForgotten { state.entries[id] = nil } else { state.entries[id]?.shrink() }
                state.size += state.entries[id]?.size ?? 0
            }
        }
    }
}
