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
    private struct Kept: KeptNote {
        var note: OpenNote
        let stored: StoredTextState

        init(_ note: OpenNote) { (self.note, stored) = (note, StoredTextState(note)) }

        var memorySize: Int { note.memorySize }
        mutating func forgetChanges() { note.forgetChanges() }
    }

    private let memory = Mutex(NoteMemory<Kept>())

    /// Carries out a change of a note with its texts; nil if there is no such note. `stored` is how they are stored, if that is known.
    func change<Result>(
        _ id: String, _ stored: StoredTextState? = nil, in transaction: Transaction,
        _ body: (inout OpenNote) throws -> Result
    ) throws -> Result? {
        guard var note = try take(id, stored, in: transaction) else { return nil }
        let result = try body(&note)
        memory.withLock { $0.keep(Kept(note), as: id, at: .now) }
        return result
    }

    /// Removes a note from memory and returns it as it is stored.
    private func take(_ id: String, _ stored: StoredTextState?, in transaction: Transaction) throws -> OpenNote? {
        if let known = memory.withLock({ $0.remove(id) }), try known.stored == stored ?? transaction.storedTexts(of: id)
        {
            return known.note
        }
        return try transaction.openNote(id)
    }
}
