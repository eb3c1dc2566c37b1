import HubKit
import NotesDomain
import Synchronization
import TextCRDT

/// The clients of hub's protocol that are connected to this process. Edits that this process stores go to them as they are; what else
/// was committed, they read.
final class HubClients: Sendable {
    /// The edits of one note, of all notes, that are kept to move cursors by.
    private static let (recentEdits, recentNotes) = (256, 64)

    private struct State {
        var connections: [Int: LiveConnection] = [:]
        /// The last change that all connections were told of, each change before it too.
        var latest = 0
        /// The last change that this process has heard of.
        var known = 0
        /// The name of the store that this was a change of.
        var epoch: String?
        /// What the connections are about to be told.
        var waiting: [StoredEdits] = []
        var isTelling = false
        /// The newest edits of some notes, the oldest first.
        var recent: [String: [TextDelta]] = [:]
    }

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
                if state.connections.isEmpty { state.recent = [:] }
            }
        }
        try await follower.withCommits { [weak self] in
            await self?.tellChanges()
        } _: {
            let position = try await store.position()
            state.withLock { state in
                // The first one reads what was before by itself.
                guard state.connections.count == 1 else { return }
                (state.latest, state.known, state.epoch) = (position.latest, position.latest, position.epoch)
            }
            _ = try await requests.found(at: position, in: store)
            connection.changed(position.latest)
            try await body()
        }
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
            guard !state.connections.isEmpty else {
                state.latest = max(state.latest, edits.change)
                return false
            }
            Self.add(edits, to: &state.recent)
            state.waiting.append(edits)
            defer { state.isTelling = true }
            return !state.isTelling
        }
        if begins { Task { await tellWaiting() } }
    }

    /// Tells the connections what waits, in the order of the changes. What is stored while they are told goes to each of them at once; what others have
    /// stored in between is read once for all.
    private func tellWaiting() async {
        while true {
            let news = state.withLock { state -> (edits: [StoredEdits], known: Int, latest: Int, epoch: String?)? in
                defer { state.waiting = [] }
                state.isTelling = !state.waiting.isEmpty || (state.known > state.latest && !state.connections.isEmpty)
                return state.isTelling ? (state.waiting, state.known, state.latest, state.epoch) : nil
            }
            guard let news else { return }
            var (edits, latest): ([StoredEdits], Int) = ([], news.latest)
            for next in news.edits where next.change > latest {
                if next.change > latest + 1 {
                    tell(edits)
                    edits = []
                    latest = await tellPages(after: latest, upTo: next.change)
                    if next.change <= latest { continue }
                }
                edits.append(next)
                latest = next.change
            }
            tell(edits)
            if latest < news.known { latest = await tellPages(after: latest, upTo: news.known) }
            // Those of an earlier state of the store say nothing of this one.
            state.withLock { [latest] in if $0.epoch == news.epoch { $0.latest = max($0.latest, latest) } }
        }
    }

    private func tell(_ edits: [StoredEdits]) {
        if !edits.isEmpty { for connection in connections { connection.stored(edits) } }
    }

    /// Tells the connections what the store has after a change, without texts, and returns the last change of it. Each of them reads what is for its
    /// client.
    private func tellPages(after first: Int, upTo last: Int) async -> Int {
        var latest = first
        while latest < last {
            do {
                let page = try await store.changes(after: latest, limit: ServerSession.pageSize, for: nil)
                guard page.end > latest else { break }
                for connection in connections { connection.passed(page, after: latest) }
                latest = page.end
            } catch {
                log.error("cannot read what has changed: \(error)")
                break
            }
        }
        if latest < last { for connection in connections { connection.changed(last) } }
        return max(latest, last)
    }

    /// Tells all clients up to which change there is news, and ends the connections of accounts that are gone.
    private func tellChanges() async {
        do {
            let position = try await store.position()
            let (begins, connections) = state.withLock { state in
                if state.epoch != position.epoch {
                    // A store that went back to an earlier state counts from there.
                    if state.epoch != nil {
                        (state.latest, state.known, state.recent) = (position.latest, position.latest, [:])
                    }
                    state.epoch = position.epoch
                }
                state.known = max(state.known, position.latest)
                let isNews = state.known > state.latest && !state.connections.isEmpty
                let begins = isNews && !state.isTelling
                state.isTelling = state.isTelling || isNews
                return (begins, Array(state.connections.values))
            }
            for connection in connections {
                if connection.epoch != position.epoch { connection.closeForOtherStore() }
                if let name = connection.actor.name, !position.accounts.contains(name) { connection.close() }
            }
            if begins { Task { await tellWaiting() } }
            for pending in try await requests.found(at: position, in: store) { send(pending.request) }
        } catch {
            log.error("cannot read what has changed: \(error)")
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

    private static func add(_ edits: StoredEdits, to recent: inout [String: [TextDelta]]) {
        if recent[edits.note] == nil, recent.count == recentNotes { recent = [:] }
        recent[edits.note, default: []] += edits.texts
        if let count = recent[edits.note]?.count, count > 2 * recentEdits {
            recent[edits.note]?.removeFirst(count - recentEdits)
        }
    }

    /// Returns a cursor with its positions in another version of the text, the newest that this process has stored by default; nil when
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
