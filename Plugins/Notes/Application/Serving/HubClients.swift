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
        /// The last change that all connections know of, or are about to be told of.
        var latest = 0
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
            state.latest = max(state.latest, edits.change)
            guard !state.connections.isEmpty else { return false }
            Self.add(edits, to: &state.recent)
            state.waiting.append(edits)
            defer { state.isTelling = true }
            return !state.isTelling
        }
        if begins { Task { tellStored() } }
    }

    /// Tells the connections what waits. What is stored while they are told goes to each of them at once.
    private func tellStored() {
        while true {
            let (edits, connections) = state.withLock { state in
                defer {
                    state.isTelling = !state.waiting.isEmpty
                    state.waiting = []
                }
                return (state.waiting, Array(state.connections.values))
            }
            if edits.isEmpty { return }
            for connection in connections { connection.stored(edits) }
        }
    }

    /// Tells all clients up to which change there is news, and ends the connections of accounts that are gone.
    private func tellChanges() async {
        do {
            let position = try await store.position()
            let (isNews, connections) = state.withLock { state in
                if state.epoch != position.epoch {
                    // A store that went back to an earlier state counts from there.
                    if state.epoch != nil { (state.latest, state.recent) = (position.latest, [:]) }
                    state.epoch = position.epoch
                }
                defer { state.latest = max(state.latest, position.latest) }
                return (position.latest > state.latest, Array(state.connections.values))
            }
            for connection in connections {
                if connection.epoch != position.epoch { connection.closeForOtherStore() }
                if let name = connection.actor.name, !position.accounts.contains(name) { connection.close() }
                if isNews { connection.changed(position.latest) }
            }
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
