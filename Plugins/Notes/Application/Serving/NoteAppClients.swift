import HubKit
import NotesDomain
import Synchronization
import WebSocket

/// The clients of NoteApp that are connected to this process. Each is told what has happened: edits that this process stores, one by
/// one, and what else was committed.
final class NoteAppClients: Sendable {
    private struct Client {
        let peer: any WebSocketPeer
        let actor: NotesDomain.Actor
    }

    /// What has happened to a note, and who may hear of it.
    fileprivate struct News: Sendable {
        let event: NoteAppEvent
        let access: NoteAccess
        /// Those who could read the note before.
        var revoked: Set<String> = []

        /// Returns what an account is told: for one that can no longer read the note, it is gone; others never heard of it.
        func event(for account: String) -> NoteAppEvent? {
            if access.isUnlocked(for: account) { return event }
            return revoked.contains(account) ? .deleted(event.id) : nil
        }
    }

    private struct State {
        var last = 0
        var clients: [Int: Client] = [:]
        /// The last change that the clients were told of; nil without clients.
        var position: Int?
        /// The name of the store that this is a change of.
        var epoch: String?
        /// What the clients are about to be told.
        var news: [News] = []
        var isTelling = false
    }

    private let state = Mutex(State())
    private let store: any NoteServerStore
    private let follower: CommitFollower
    private let requests = NewRequests()
    private let log: Log

    init(_ store: any NoteServerStore, log: Log) {
        self.store = store
        self.log = log
        follower = CommitFollower(store)
    }

    /// The number of clients.
    var count: Int { state.withLock(\.clients.count) }

    /// Adds a client until `body` ends.
    func withClient(
        _ peer: any WebSocketPeer, _ actor: NotesDomain.Actor, _ body: () async throws -> Void
    ) async throws {
        let number = try await add(Client(peer: peer, actor: actor))
        defer {
            state.withLock { state in
                state.clients[number] = nil
                if state.clients.isEmpty { state.position = nil }
            }
        }
        try await follower.withCommits { [weak self] in
            await self?.tellChanges()
        } _: {
            try await tellFirst(peer, actor)
            try await body()
        }
    }

    @inline(never)
    private func add(_ client: Client) async throws -> Int {
        let latest = try await store.position().latest
        return state.withLock { state in
            state.last += 1
            state.position = state.position ?? latest
            state.clients[state.last] = client
            return state.last
        }
    }

    /// Tells all clients what was committed before it was followed, and the new one what was asked while it was away.
    @inline(never)
    private func tellFirst(_ peer: any WebSocketPeer, _ actor: NotesDomain.Actor) async throws {
        await tellChanges()
        for pending in try await store.pendingRequests() { tell(pending, to: peer, actor) }
    }

    // MARK: Changes

    /// Passes on edits that were just committed by this process; those that follow changes of others come with these. Never waits.
    func stored(_ edits: StoredEdits) {
        let access = edits.metadata.access
        let news = edits.wireID.flatMap { id in
            access.owner.isEmpty || edits.metadata.isDeleted
                ? nil : News(event: .updated(id, owner: access.owner), access: access)
        }
        add { state in
            guard state.position == edits.change - 1 else { return [] }
            state.position = edits.change
            return [news].compactMap(\.self)
        }
    }

    /// Begins again where the store is another one, or an earlier state of it, and returns the clients that have to connect again.
    private func left(at position: ServerPosition) -> [Client] {
        state.withLock { state in
            defer { state.epoch = position.epoch }
            guard let epoch = state.epoch, epoch != position.epoch else { return [] }
            if state.position != nil { state.position = position.latest }
            return Array(state.clients.values)
        }
    }

    /// Tells the clients what has changed since the last time, and ends the connections of accounts that are gone.
    @inline(never)
    private func tellChanges() async {
        do {
            let position = try await store.position()
            for client in left(at: position) {
                client.peer.close(.goingAway, reason: "the notes are those of another time")
            }
            try await tellStored(upTo: position.latest)
            for pending in try await requests.found(at: position, in: store) { send(pending) }
            for client in state.withLock({ Array($0.clients.values) }) {
                guard let name = client.actor.name, !position.accounts.contains(name) else { continue }
                client.peer.close(.policyViolation, reason: "the account was removed")
            }
        } catch {
            log.error("cannot read what has changed: \(error)")
        }
    }

    /// Tells the clients what the store has after the last change that they were told of. Edits that this process stores meanwhile come with
    /// it, or with the next commit that wakes this.
    private func tellStored(upTo latest: Int) async throws {
        while let position = state.withLock(\.position), position < latest {
            let page = try await store.changes(after: position, limit: ServerSession.pageSize, for: nil)
            guard page.end > position else { return }
            tell(
                page.notes.compactMap { note in News(note, after: position).map { (note.change, $0) } }, upTo: page.end)
        }
    }

    private func tell(_ news: [(change: Int, news: News)], upTo latest: Int) {
        add { state in
            guard let position = state.position else { return [] }
            state.position = max(position, latest)
            return news.filter { $0.change > position }.map(\.news)
        }
    }

    /// Tells the clients what `take` returns. What happens while they are told goes to each of them at once.
    private func add(_ take: (inout State) -> [News]) {
        let begins = state.withLock { state in
            let news = take(&state)
            guard !news.isEmpty, !state.clients.isEmpty else { return false }
            state.news += news
            defer { state.isTelling = true }
            return !state.isTelling
        }
        if begins { Task { sendMessages() } }
    }

    private func sendMessages() {
        while true {
            let (news, clients) = state.withLock { state in
                defer {
                    state.isTelling = !state.news.isEmpty
                    state.news = []
                }
                return (state.news, Array(state.clients.values))
            }
            if news.isEmpty { return }
            let all = news.map { WebSocketConnection.Message.text($0.event.text) }
            for client in clients {
                guard let account = client.actor.name else {
                    client.peer.send(all)
                    continue
                }
                let own = news.compactMap { $0.event(for: account) }
                if !own.isEmpty { client.peer.send(own.map { .text($0.text) }) }
            }
        }
    }

    // MARK: Requests

    /// Tells the owner of a note that someone asks for access: those who have proved to be it, and all that cannot.
    func tell(_ pending: PendingRequest) {
        if requests.told(pending.request) { send(pending) }
    }

    private func send(_ pending: PendingRequest) {
        for client in state.withLock({ Array($0.clients.values) }) { tell(pending, to: client.peer, client.actor) }
    }

    private func tell(_ pending: PendingRequest, to peer: any WebSocketPeer, _ actor: NotesDomain.Actor) {
        guard let event = pending.event, actor.name.map({ $0 == pending.owner }) ?? true else { return }
        peer.send(.text(event.text))
    }
}

extension NoteAppClients.News {
    /// What clients are told of a note that has changed after `position`; nil for nothing.
    fileprivate init?(_ note: ChangedNote, after position: Int) {
        let access = note.metadata.access
        guard !note.isPurged, !access.owner.isEmpty, let id = note.wireID,
            !note.metadata.isDeleted || note.isMetadataChanged
        else { return nil }
        let isNew = note.accessChange > position
        let event: NoteAppEvent =
            note.metadata.isDeleted
            ? .deleted(id.text) : isNew ? .inserted(id, owner: access.owner) : .updated(id.text, owner: access.owner)
        self.init(event: event, access: access, revoked: note.revoked)
    }
}

extension NotesPlugin {
    /// Adds a client of NoteApp until `body` ends; `reader` is what tells it apart from others at its address.
    func withListener(
        _ peer: any WebSocketPeer, _ actor: NotesDomain.Actor, reader: String, _ body: () async throws -> Void
    ) async throws {
        bases.opened(reader, at: clock.now)
        defer { bases.ended(reader, at: clock.now) }
        try await noteAppClients.withClient(peer, actor, body)
    }
}
