import NotesDomain

/// A note that is kept in memory because it may be used again.
protocol KeptNote: Sendable {
    /// About the bytes that it takes.
    var memorySize: Int { get }
    /// Forgets what only saves a look at the history.
    mutating func forgetChanges()
}

extension OpenNote: KeptNote {
    var memorySize: Int {
        2048 + record.title.utf8.count + record.content.utf8.count + texts.size + pastTexts.size
    }

    mutating func forgetChanges() {
        texts.forgetChanges()
        pastTexts = PastTexts()
    }
}

/// The notes that were used lately, as far as they fit into the memory that they may take.
struct NoteMemory<Note: KeptNote>: Sendable {
    /// How long a note stays after its last use.
    private static var lifetime: Duration { .seconds(300) }

    private struct Entry {
        var note: Note
        var usedAt: ContinuousClock.Instant
        var size: Int
    }

    private let maximumSize: Int
    private var entries: [String: Entry] = [:]
    private var cleanedAt: ContinuousClock.Instant?
    /// About the bytes that all take.
    private(set) var size = 0

    init(maximumSize: Int = 128 << 20) { self.maximumSize = maximumSize }

    var count: Int { entries.count }

    subscript(id: String) -> Note? { entries[id]?.note }

    /// Keeps a note in the place of what was known of it.
    mutating func keep(_ note: Note, as id: String, at now: ContinuousClock.Instant) {
        let entry = Entry(note: note, usedAt: now, size: note.memorySize)
        size += entry.size - (entries.updateValue(entry, forKey: id)?.size ?? 0)
        clean(now, except: id)
    }

    /// Takes a note out.
    @discardableResult
    mutating func remove(_ id: String) -> Note? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        size -= entry.size
        return entry.note
    }

    mutating func removeAll() { (entries, size) = ([:], 0) }

    /// Forgets the notes that were not used lately. Where all are too large, the oldest lose what only saves a look at the history, and are
    /// then forgotten themselves.
    private mutating func clean(_ now: ContinuousClock.Instant, except current: String) {
        let isFull = size > maximumSize
        guard isFull || cleanedAt.map({ now - $0 > Self.lifetime }) ?? true else { return }
        cleanedAt = now
        for (id, entry) in entries where now - entry.usedAt > Self.lifetime { remove(id) }
        guard isFull else { return }
        let oldest = entries.filter { $0.key != current }.sorted { $0.value.usedAt < $1.value.usedAt }.map(\.key)
        let enough = maximumSize / 4 * 3
        for id in oldest where size > enough { shrink(id) }
        for id in oldest where size > enough { remove(id) }
    }

    private mutating func shrink(_ id: String) {
        // Taken out, so that it is changed in place.
        guard var entry = entries.removeValue(forKey: id) else { return }
        size -= entry.size
        entry.note.forgetChanges()
        entry.size = entry.note.memorySize
        size += entry.size
        entries[id] = entry
    }
}
