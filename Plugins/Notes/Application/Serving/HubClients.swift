import HubKit
import NotesDomain
import Synchronization
import TextCRDT

/// The clients of hub's protocol that are connected to this process. Edits that this process stores go to them as they are; what else
/// was committed is read once for all of them.
final class HubClients: Sendable {
    /// The edits of one note, of all notes, that are kept to move cursors by.
    private static let (recentEdits, recentNotes) = (256, 64)

    /// The shortest time from the begin of one read of what others have changed to the next, in which their commits gather.
    private static let pause = Duration.milliseconds(20)
    /// The most notes of one such read, and the most edits that wait; what is beyond them is read.
    private static let (pageSize, maximumEdits) = (256, 4096)
    /// How long a client waits at most to be told its place when all that has happened is not for it.
    private static let settling = Duration.seconds(1)

    private struct State {
        var connections: [Int: LiveConnection] = [:]
        /// The change up to which all connections were told everything, or read it; nil until it is known where they begin.
        var told: Int?
        /// The last change that is known of.
        var known = 0
        /// The name of the store that these are changes of.
        var epoch: String?
        /// What this process has stored and the connections were not told of, in the order of the changes.
        var waiting: [StoredEdits] = []
        var isTelling = false
        var isSettling = false
        /// When what others have changed was read for all last, and whether the store could not be reached then.
        var (readAt, isAway): (ContinuousClock.Instant?, Bool) = (nil, false)
        /// The newest edits of some notes, the oldest first.
        var recent: [String: [TextDelta]] = [:]

        /// Whether there is something to tell, which nothing does yet; then it is to be begun.
        mutating func begins() -> Bool {
            guard !isTelling, let told, !connections.isEmpty, known > told else { return false }
            isTelling = true
            return true
        }
    }

    /// What the connections are told next.
    private enum Step {
        /// Edits that this process has stored, which follow what they know.
        case edits([StoredEdits], to: [LiveConnection], after: Int)
        /// What others have changed.
        case read(after: Int, upTo: Int, epoch: String?, at: ContinuousClock.Instant?)
    }

    /// Encodes what several connections are told once.
    let frames = SharedFrames()
    private let state = Mutex(State())
    private let store: any NoteServerStore
    private let follower: CommitFollower
    private let noteApp: NoteAppClients
    private let requests = NewRequests()
    private let log: Log

    init(_ store: any NoteServerStore, noteApp: NoteAppClients, log: Log) {
        self.store = store
        self.noteApp = noteApp
        self.log = log
        follower = CommitFollower(store)
    }

    /// Adds a client under a number until `body` ends. It hears of every change since it was made.
    func withConnection(_ number: Int, _ connection: LiveConnection, _ body: () async throws -> Void) async throws {
        state.withLock { $0.connections[number] = connection }
        defer {
            state.withLock { state in
                state.connections[number] = nil
                if state.connections.isEmpty { (state.told, state.waiting, state.recent) = (nil, [], [:]) }
            }
        }
        try await follower.withCommits { [weak self] in
            await self?.tellChanges() ?? true
        } _: {
            let position = try await store.position()
            _ = try await requests.found(at: position, in: store)
            begin(at: position, connection)
            try await body()
        }
    }

    /// Lets a new client read what was before; what comes after all are told together.
    private func begin(at position: ServerPosition, _ connection: LiveConnection) {
        let (others, begins) = state.withLock { state in
            var others = [connection]
            if state.told == nil {
                // Those that came at the same time may have found an earlier place.
                others = Array(state.connections.values)
                (state.told, state.epoch) = (position.latest, position.epoch)
                state.known = max(position.latest, state.waiting.last?.change ?? 0)
            }
            return (others, state.begins())
        }
        for connection in others { connection.changed(position.latest) }
        if begins { Task { await tell() } }
    }

    /// The number of clients.
    var count: Int { state.withLock(\.connections.count) }

    /// Sends all clients away; they connect again, to another server where there is one.
    func closeAll() { for connection in connections { connection.closeForRestart() } }

    private var connections: [LiveConnection] { state.withLock { Array($0.connections.values) } }

    /// Passes on edits that were just committed by this process. Called in the order of their changes, and never waits.
    func stored(_ edits: StoredEdits) {
        noteApp.stored(edits)
        let begins = state.withLock { state in
            guard !state.connections.isEmpty else { return false }
            Self.add(edits.texts, of: edits.note, to: &state.recent)
            if state.waiting.count == Self.maximumEdits { state.waiting = [] }
            state.waiting.append(edits)
            state.known = max(state.known, edits.change)
            return state.begins()
        }
        if begins { Task { await tell() } }
    }

    /// Tells the connections everything in the order of the changes: what this process has stored as it is, what others have changed by one read
    /// for all of them.
    private func tell() async {
        while let step = next() {
            switch step {
            case .edits(let edits, let connections, let start):
                pass(to: connections) { $0.stored(edits, after: start) }
            case .read(let start, let end, let epoch, let time):
                // What this process stores meanwhile comes with it.
                if let time, time > .now { try? await Task.sleep(until: time, clock: .continuous) }
                await tellPage(after: start, upTo: end, of: epoch)
            }
        }
    }

    private func next() -> Step? {
        state.withLock { state in
            guard let told = state.told, !state.connections.isEmpty else {
                state.isTelling = false
                return nil
            }
            state.waiting.removeFirst(state.waiting.prefix { $0.change <= told }.count)
            var end = told
            for edits in state.waiting {
                guard edits.change == end + 1 else { break }
                end += 1
            }
            if end > told {
                let edits = Array(state.waiting.prefix(end - told))
                state.waiting.removeFirst(end - told)
                state.told = end
                return .edits(edits, to: Array(state.connections.values), after: told)
            }
            guard state.known > told else {
                state.isTelling = false
                return nil
            }
            let time = state.readAt.map { $0 + (state.isAway ? Self.settling : Self.pause) }
            return .read(after: told, upTo: state.known, epoch: state.epoch, at: time)
        }
    }

    /// Tells the connections what the store has after a change. Where that cannot be read for all of them, each reads by itself up to `end`.
    private func tellPage(after start: Int, upTo end: Int, of epoch: String?) async {
        let begin = ContinuousClock.now
        var changes: SharedChanges?
        do {
            changes = try await store.sharedChanges(after: start, limit: Self.pageSize) { [weak self] note in
                self?.need(of: note) ?? .nothing
            }
        } catch let error as HubError where error.kind == .unavailable {
            // None of the clients can read it either: all wait until the store is back.
            return state.withLock { ($0.readAt, $0.isAway) = (begin, true) }
        } catch {
            log.warning("cannot read what has changed for all clients: \(error)")
        }
        state.withLock { [isShared = changes != nil] in ($0.readAt, $0.isAway) = (isShared ? begin : nil, false) }
        let page = changes.flatMap { $0.page.end > start ? $0 : nil }
        let connections = state.withLock { state -> [LiveConnection] in
            // Meanwhile the store may have become another one, or all clients may have gone.
            guard state.epoch == epoch, state.told == start else { return [] }
            state.told = page?.page.end ?? end
            state.known = max(state.known, page?.page.end ?? end)
            for delta in page?.deltas ?? [] { Self.add([delta], of: delta.note, to: &state.recent) }
            return Array(state.connections.values)
        }
        if let page {
            pass(to: connections) { $0.passed(page) }
        } else {
            for connection in connections { connection.changed(end) }
        }
    }

    /// Tells connections something; `tell` returns whether it is for one of them.
    private func pass(to connections: [LiveConnection], _ tell: (LiveConnection) -> Bool) {
        var isForAll = true
        for connection in connections where !tell(connection) { isForAll = false }
        if !isForAll { settleSoon() }
    }

    /// What the clients here need of a note that has changed.
    private func need(of note: ChangedNote) -> SharedChanges.Need {
        var most = SharedChanges.Need.nothing
        for connection in connections {
            let need = connection.need(of: note)
            if need.rawValue > most.rawValue { most = need }
            if most == .events { break }
        }
        return most
    }

    /// Sees to it that clients which were told nothing, since nothing was for them, are told their place soon.
    private func settleSoon() {
        let begins = state.withLock { state in
            defer { state.isSettling = true }
            return !state.isSettling
        }
        guard begins else { return }
        Task { [weak self] in
            try? await Task.sleep(for: Self.settling)
            guard let self else { return }
            self.state.withLock { $0.isSettling = false }
            for connection in self.connections { connection.settle() }
        }
    }

    /// Tells all clients what there is to tell, and ends the connections of accounts that are gone.
    private func tellChanges() async -> Bool {
        do {
            let position = try await store.position()
            let (begins, connections) = state.withLock { state in
                if let epoch = state.epoch, epoch != position.epoch {
                    // A store that went back to an earlier state counts from there.
                    if state.told != nil { state.told = position.latest }
                    (state.known, state.waiting, state.recent) = (position.latest, [], [:])
                }
                state.epoch = position.epoch
                state.known = max(state.known, position.latest)
                return (state.begins(), Array(state.connections.values))
            }
            for connection in connections {
                if connection.epoch != position.epoch { connection.closeForOtherStore() }
                if let name = connection.actor.name, !position.accounts.contains(name) { connection.close() }
            }
            if begins { Task { await tell() } }
            for pending in try await requests.found(at: position, in: store) { send(pending.request) }
            return true
        } catch {
            log.error("cannot read what has changed: \(error)")
            return false
        }
    }

    /// Tells all clients that someone asks for access.
    func tell(_ request: AccessRequest) {
        if requests.told(request) { send(request) }
    }

    private func send(_ request: AccessRequest) {
        for connection in connections { connection.tell(request) }
    }

    // MARK: Cursors

    /// Shows the clients but one where a cursor is.
    func show(_ announcement: PresenceAnnouncement, besides source: Int) {
        let others = state.withLock { $0.connections.filter { $0.key != source } }
        for connection in others.values { connection.presence(announcement) }
    }

    private static func add(_ deltas: [TextDelta], of note: String, to recent: inout [String: [TextDelta]]) {
        if recent[note] == nil, recent.count == recentNotes { recent = [:] }
        recent[note, default: []] += deltas
        if let count = recent[note]?.count, count > 2 * recentEdits {
            recent[note]?.removeFirst(count - recentEdits)
        }
    }

    /// Returns a cursor with its positions in another version of the text, the newest that this process knows by default; nil when
    /// its own edits do not lead there.
    func moved(_ presence: Presence, to version: Version? = nil) -> Presence? {
        guard let known = presence.version else { return nil }
        return state.withLock { state in
            let deltas = state.recent[presence.note]?.filter { $0.field == presence.field } ?? []
            guard let newest = deltas.last?.to else { return nil }
            let end = version ?? newest
            if known == end { return presence }
            guard let first = deltas.lastIndex(where: { $0.from == known }),
                let last = deltas[first...].firstIndex(where: { $0.to == end })
            else { return nil }
            return presence.moved(by: deltas[first...last].flatMap(\.edits), to: end)
        }
    }
}
