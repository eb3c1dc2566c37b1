import HubKit
import NotesDomain
import Synchronization

/// What each client of NoteApp had read before it wrote, for a short time: others who cannot be told apart from it may still write
/// over that.
///
/// One client that replaces its own words looks just like two of which one has not read the other. That they have been read is known
/// from the connection, and from the WebSockets: the app has one for as long as it hears of changes, and reads the note again after
/// each. One whose WebSocket has ended goes on writing and reads no more, so this counts only a good while after that.
///
/// Where neither shows it, the text of a write tells which version it was made from. Each client knows one version; so one that was read
/// once, or written and never read, is known to no client once it has been written over.
///
/// Sendable: it is guarded by a lock. A write that fails leaves what was read nevertheless.
final class RecentBases: Sendable {
    /// The time for which a read counts.
    private static let lifetime = Duration.seconds(600)
    /// The time for which a read may follow a change.
    private static let lateTime = Duration.seconds(60)
    /// The most reads of one client and note, and the most connections.
    private static let maximumCount = 64
    /// How long someone who has lost their WebSocket may still write.
    private static let deafTime = Duration.seconds(3600)
    /// The most clients of which it is known when they lost their WebSocket.
    private static let maximumClientCount = 1024
    /// The most notes of clients of which the readers are counted before someone writes.
    private static let maximumEntryCount = 4096
    /// The reads that are awaited where they cannot be counted.
    private static let uncountable = 1 << 32

    private struct Key: Hashable {
        let reader: String
        let note: String
    }

    private struct Entry {
        /// The connections of those who have read a version, the last one that was read or written.
        var connections: Set<UInt64> = []
        var version: NoteVersion?
        /// The connection of who has written last, until someone else reads: they may not have read what theirs was merged with.
        var writer: UInt64?
        var reads: [(read: NoteRead, at: Instant)] = []
        /// The newest version when it was written last.
        var newest: NoteVersion?
        /// The number of reads that have to come until every WebSocket's client has read the newest version.
        var awaited = 0
        /// The versions that one client knows, since they were read once, or written and not read.
        var single: Set<NoteVersion> = []
        /// When it was read or written last.
        var usedAt: Instant

        mutating func add(_ connection: UInt64?, at version: NoteVersion) {
            if version != self.version { (self.version, connections) = (version, []) }
            guard let connection, connections.count < RecentBases.maximumCount else { return }
            connections.insert(connection)
        }

        /// Adds what may have been read when `written` was made from `base`, if that is known.
        mutating func add(_ new: [NoteRead], over base: NoteVersion?, as written: NoteVersion, at now: Instant) {
            reads.removeAll { new.contains($0.read) }
            reads.insert(contentsOf: new.map { ($0, now) }, at: 0)
            if let base, base != written {
                if single.remove(base) != nil { reads.removeAll { $0.read.version == base } }
                single.insert(written)
            }
            if reads.count > RecentBases.maximumCount { reads.removeSubrange(RecentBases.maximumCount...) }
            if single.count > 1 { single.formIntersection(reads.map(\.read.version) + [written]) }
        }

        func isRecent(at now: Instant) -> Bool { now - usedAt < RecentBases.lifetime }
    }

    /// The WebSockets of all clients that look the same.
    private struct Sockets {
        var count = 0
        /// The number of those that ended within ``deafTime`` and were not opened again.
        var lost = 0
        /// When one of them ended last, or someone wrote without one.
        var endedAt: Instant
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var sockets: [String: Sockets] = [:]
        /// When it was last unknown who has a WebSocket; at the start of the process all have lost theirs.
        var since: Instant
        var cleanedAt: Instant

        /// Forgets what is too old, now and then.
        mutating func clean(at now: Instant) {
            guard now - cleanedAt >= RecentBases.lateTime else { return }
            cleanedAt = now
            entries = entries.filter { $0.value.isRecent(at: now) }
            sockets = sockets.filter { $0.value.count > 0 || now - $0.value.endedAt < RecentBases.deafTime }
        }

        mutating func change(_ reader: String, at now: Instant, _ change: (inout Sockets) -> Void) {
            change(&sockets[reader, default: Sockets(endedAt: since)])
            guard sockets.count > RecentBases.maximumClientCount else { return }
            since = now
            sockets = sockets.filter { $0.value.count > 0 }
        }

        /// What is to be known of a note that was not read or written before; nil if there are too many.
        func newEntry(isListed: Bool, at now: Instant) -> Entry? {
            isListed || entries.count >= RecentBases.maximumEntryCount ? nil : Entry(usedAt: now)
        }

        /// The number of clients that look the same, if they open WebSockets at all, as far as that has been seen; 0 if none has.
        func likelyCount(of reader: String, at now: Instant) -> Int {
            guard let sockets = sockets[reader] else { return 0 }
            return sockets.count + (now - sockets.endedAt < RecentBases.deafTime ? sockets.lost : 0)
        }

        /// The number of clients that look the same; nil if some may have no WebSocket.
        func count(of reader: String, at now: Instant) -> Int? {
            guard let sockets = sockets[reader], sockets.count > 0 else { return nil }
            return now - max(sockets.endedAt, since) >= RecentBases.deafTime ? sockets.count : nil
        }
    }

    private let state: Mutex<State>

    init(since start: Instant) { state = Mutex(State(since: start, cleanedAt: start)) }

    /// Whether a client has surely got a version of a note: it goes on over the connection of that answer.
    func hasRead(_ version: NoteVersion?, _ put: WholeNotePut, of note: String) -> Bool {
        state.withLock { state in
            guard let connection = put.caller.connection, let version,
                let entry = state.entries[Key(reader: put.caller.reader, note: note)]
            else { return false }
            return entry.version == version && entry.connections.contains(connection)
        }
    }

    /// Returns what a client may have read besides what it is known to have read, the latest first: nothing if it has surely read the
    /// newest text, or is alone.
    func reads(before put: WholeNotePut, of note: String, at now: Instant) -> [NoteRead] {
        state.withLock { state in
            guard let entry = state.entries[Key(reader: put.caller.reader, note: note)] else { return [] }
            if let connection = put.caller.connection,
                entry.writer == connection || entry.connections.contains(connection)
            {
                return []
            }
            // Behind a proxy, someone with a WebSocket is alone unless there have been more.
            if put.caller.connection == nil, state.likelyCount(of: put.caller.reader, at: now) == 1 { return [] }
            if let count = state.count(of: put.caller.reader, at: now), count == 1 || entry.awaited == 0 { return [] }
            return entry.reads.filter { now - $0.at < Self.lifetime }.map(\.read)
        }
    }

    /// Records that a client reads notes, over `connection`; `all` notes are read for another reason than a change. The `news` have not been
    /// read before.
    /// - Returns: whether the next read counts too.
    func reads(
        _ notes: [(id: String, read: NoteRead)], news: [(id: String, read: NoteRead)], by reader: String,
        over connection: UInt64?, all: Bool = false, at now: Instant
    ) -> Bool {
        let news = Set(news.map(\.id))
        return state.withLock { state in
            var isAwaited = false
            for note in notes {
                let key = Key(reader: reader, note: note.id)
                let known = state.entries.removeValue(forKey: key)
                guard var entry = known ?? state.newEntry(isListed: all, at: now) else { continue }
                entry.usedAt = now
                let isFirst = news.contains(note.id) && entry.version != note.read.version
                entry.add(connection, at: note.read.version)
                if entry.writer != connection { entry.writer = nil }
                if !all, note.read.version == entry.newest { entry.awaited = max(0, entry.awaited - 1) }
                if isFirst {
                    entry.single.insert(note.read.version)
                } else {
                    entry.single.remove(note.read.version)
                }
                state.entries[key] = entry
                isAwaited = isAwaited || entry.awaited > 0
            }
            return isAwaited
        }
    }

    /// Records that a client has made a note; it alone knows it until someone reads it.
    func made(_ version: NoteVersion, of note: String, by reader: String, at now: Instant) {
        state.withLock { state in
            guard var entry = state.newEntry(isListed: false, at: now) else { return }
            entry.version = version
            entry.single.insert(version)
            state.entries[Key(reader: reader, note: note)] = entry
        }
    }

    /// Records that a client has written a version of a note after it had read `base`, if that is known; `reads` are all that it may have
    /// read, and `version` is the newest then, nil if nothing has changed.
    func wrote(
        _ put: WholeNotePut, _ written: NoteVersion, to note: NoteRecord, over base: NoteRead?, after reads: [NoteRead],
        from old: NoteVersion, to version: NoteVersion?, at now: Instant
    ) {
        state.withLock { state in
            state.clean(at: now)
            let count = state.sockets[put.caller.reader]?.count ?? 0
            if count == 0 { state.change(put.caller.reader, at: now) { $0.endedAt = now } }
            // The reads after a change by someone else may come late, and cannot be told from those after this one.
            let isSettled = now - note.changedAt >= Self.lateTime
            func add(to entry: inout Entry) {
                if !entry.isRecent(at: now) { entry = Entry(usedAt: now) }
                entry.usedAt = now
                if let version {
                    entry.awaited = entry.newest == old || isSettled ? entry.awaited + count : Self.uncountable
                    entry.newest = version
                    entry.add(written == version ? put.caller.connection : nil, at: version)
                }
                entry.writer = put.caller.connection
                entry.add(reads, over: base?.version, as: written, at: now)
            }
            add(to: &state.entries[Key(reader: put.caller.reader, note: note.id), default: Entry(usedAt: now)])
        }
    }

    // MARK: WebSockets

    /// Records that a client opens its WebSocket. It may have read the notes before others changed them.
    func opened(_ reader: String, at now: Instant) {
        state.withLock { state in
            state.change(reader, at: now) { sockets in
                sockets.count += 1
                // An app that is opened again most likely.
                sockets.lost = max(0, sockets.lost - 1)
            }
            for key in state.entries.keys where key.reader == reader { state.entries[key]?.awaited = Self.uncountable }
        }
    }

    /// Records that a client has lost its WebSocket.
    func ended(_ reader: String, at now: Instant) {
        state.withLock { state in
            state.change(reader, at: now) { sockets in
                sockets.count -= 1
                sockets.lost = (now - sockets.endedAt < Self.deafTime ? sockets.lost : 0) + 1
                sockets.endedAt = now
            }
        }
    }
}
