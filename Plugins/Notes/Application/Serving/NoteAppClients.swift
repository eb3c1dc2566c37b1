import HubKit
import NotesDomain
import Synchronization
import WebSocket

/// Where the store is before a handshake is answered: its client hears of what happens from here on.
struct ListenStart: Sendable {
    fileprivate let position: ServerPosition
}

/// The clients of NoteApp that are connected to this process. Each is told what has happened: edits that this process stores, one by
/// one, and what else was committed.
final class NoteAppClients: Sendable {
    private struct Client {
        let peer: any WebSocketPeer
        let actor: NotesDomain.Actor
        /// The last change of which it is not told with the others: it came before the client, or the client is told of it first.
        let latest: Int
        /// What has happened while it is told of what came before; nil when it has been.
        var held: [News]? = []

        /// Tells the client what has happened, as far as it may hear of it.
        func tell(_ news: some Sequence<News>) {
            let messages = news.compactMap { news in actor.name.map { news.message(for: $0) } ?? news.message }
            if !messages.isEmpty { peer.send(messages) }
        }

        /// Tells the client what all others hear of too, and who has no account hears in the same words.
        func tell(_ news: [News], _ broadcast: WebSocketConnection.Broadcast) {
            if actor.name == nil, news.allSatisfy({ $0.change > latest }) {
                peer.send(broadcast)
            } else {
                tell(news.lazy.filter { $0.change > latest })
            }
        }
    }

    /// What has happened to a note, and who may hear of it.
    fileprivate struct News: Sendable {
        let change: Int
        let id: String
        /// The same for all who may read the note.
        let message: WebSocketConnection.Message
        let access: NoteAccess
        /// Those who could read the note before.
        let revoked: Set<String>

        init(change: Int, _ event: NoteAppEvent, _ access: NoteAccess, revoked: Set<String> = []) {
            (self.change, id, message) = (change, event.id, .text(event.text))
            (self.access, self.revoked) = (access, revoked)
        }

        /// Returns what an account is told: for one that can no longer read the note, it is gone; others never heard of it.
        func message(for account: String) -> WebSocketConnection.Message? {
            if access.isUnlocked(for: account) { return message }
            return revoked.contains(account) ? .text(NoteAppEvent.deleted(id).text) : nil
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

    /// How many times as long as telling the clients took they rest: most of it is system calls, one for each client, however much has
    /// happened.
    private static let restFactor = 4
    /// The shortest rest, since few clients are told in less time, and the longest: a message that late is still there at once.
    private static let (shortestRest, longestRest) = (Duration.microseconds(200), Duration.milliseconds(10))

    /// The rest after a look at what was committed: what this process stores is told without it.
    private static let lookRest = Duration.milliseconds(5)

    private let state = Mutex(State())
    /// Held while clients are told, so that each hears of one thing after the other.
    private let turn = Mutex(())
    private let store: any NoteServerStore
    private let follower: CommitFollower
    private let requests = NewRequests()
    private let log: Log

    init(_ store: any NoteServerStore, log: Log) {
        self.store = store
        self.log = log
        follower = CommitFollower(store, rest: Self.lookRest)
    }

    /// The number of clients.
    var count: Int { state.withLock(\.clients.count) }

    /// Tells all clients what has happened, since those of NoteApp ask for nothing again, and sends them away.
    func closeAll() async {
        if count > 0 { _ = await tellChanges() }
        tellNews()
        for client in state.withLock({ Array($0.clients.values) }) {
            client.peer.close(.goingAway, reason: "the server is restarting")
        }
    }

    /// Adds a client until `body` ends. It is told of what has changed since `start`.
    func withClient(
        _ peer: any WebSocketPeer, _ actor: NotesDomain.Actor, since start: ListenStart,
        _ body: () async throws -> Void
    ) async throws {
        let position = start.position
        let (number, latest) = state.withLock { state in
            state.last += 1
            let latest = state.position ?? position.latest
            state.position = latest
            state.clients[state.last] = Client(peer: peer, actor: actor, latest: max(latest, position.latest))
            return (state.last, latest)
        }
        defer {
            state.withLock { state in
                state.clients[number] = nil
                if state.clients.isEmpty { state.position = nil }
            }
        }
        try await follower.withCommits { [weak self] in
            await self?.tellChanges() ?? true
        } _: {
            try await tellFirst(number, from: position, upTo: latest)
            try await body()
        }
    }

    /// Tells a new client what the others were told of since its handshake, then all clients what was committed before it was followed,
    /// and the new one what was asked while it was away.
    @inline(never)
    private func tellFirst(_ number: Int, from first: ServerPosition, upTo latest: Int) async throws {
        guard let client = state.withLock({ $0.clients[number] }) else { return }
        var position = first.latest
        while position < latest {
            let page = try await store.changes(after: position, limit: ServerSession.pageSize, for: nil)
            guard page.end > position else { break }
            client.tell(page.notes.compactMap { News($0, after: position) })
            position = page.end
        }
        while let held = takeHeld(of: number) { client.tell(held.lazy.filter { $0.change > client.latest }) }
        if let known = state.withLock(\.epoch), known != first.epoch {
            client.peer.close(.goingAway, reason: "the notes are those of another time")
        }
        _ = await tellChanges()
        for pending in try await store.pendingRequests() { tell(pending, to: client.peer, client.actor) }
    }

    /// Returns what was held back of a client; nil when there is nothing, and nothing is held back from now on.
    private func takeHeld(of number: Int) -> [News]? {
        state.withLock { state in
            guard let held = state.clients[number]?.held else { return nil }
            state.clients[number]?.held = held.isEmpty ? nil : []
            return held.isEmpty ? nil : held
        }
    }

    // MARK: Changes

    /// Passes on edits that were just committed by this process; those that follow changes of others come with these. Never waits.
    func stored(_ edits: StoredEdits) {
        add { state in
            guard state.position == edits.change - 1 else { return [] }
            state.position = edits.change
            let access = edits.metadata.access
            guard let id = edits.wireID, !access.owner.isEmpty, !edits.metadata.isDeleted else { return [] }
            return [News(change: edits.change, .updated(id, owner: access.owner), access)]
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
    private func tellChanges() async -> Bool {
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
            return true
        } catch {
            log.error("cannot read what has changed: \(error)")
            return false
        }
    }

    /// Tells the clients what the store has after the last change that they were told of. Edits that this process stores meanwhile come with
    /// it, or with the next commit that wakes this.
    private func tellStored(upTo latest: Int) async throws {
        while let position = state.withLock(\.position), position < latest {
            let page = try await store.changes(after: position, limit: ServerSession.pageSize, for: nil)
            guard page.end > position else { return }
            tell(page.notes.compactMap { News($0, after: position) }, upTo: page.end)
        }
    }

    private func tell(_ news: [News], upTo latest: Int) {
        add { state in
            guard let position = state.position else { return [] }
            state.position = max(position, latest)
            return news.filter { $0.change > position }
        }
    }

    /// Tells the clients what `take` returns. What happens while they are told, and in the rest after it, goes to each of them at once.
    private func add(_ take: (inout State) -> [News]) {
        let begins = state.withLock { state in
            let news = take(&state)
            guard !news.isEmpty, !state.clients.isEmpty else { return false }
            state.news += news
            defer { state.isTelling = true }
            return !state.isTelling
        }
        if begins { Task { await sendMessages() } }
    }

    @inline(never)
    private func sendMessages() async {
        while isTelling() {
            let begin = ContinuousClock.now
            tellNews()
            let rest = (ContinuousClock.now - begin) * Self.restFactor
            if rest > Self.shortestRest { try? await Task.sleep(for: min(rest, Self.longestRest)) }
        }
    }

    /// Whether something has happened of which the clients were not told; if not, telling has ended.
    private func isTelling() -> Bool {
        state.withLock { state in
            state.isTelling = !state.news.isEmpty
            return state.isTelling
        }
    }

    /// Tells the clients what has happened since they were told last.
    private func tellNews() {
        turn.withLock { _ in
            let (news, clients) = state.withLock { state in
                let news = state.news
                state.news = []
                for (number, client) in state.clients where client.held != nil {
                    state.clients[number]?.held?.append(contentsOf: news)
                }
                return (news, state.clients.values.filter { $0.held == nil })
            }
            if news.isEmpty { return }
            let broadcast = WebSocketConnection.Broadcast(news.map(\.message))
            for client in clients { client.tell(news, broadcast) }
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
        self.init(change: note.change, event, access, revoked: note.revoked)
    }
}

extension NotesPlugin {
    /// Returns where the store is now.
    func listenStart() async throws -> ListenStart { ListenStart(position: try await serverStore.position()) }

    /// Adds a client of NoteApp until `body` ends; `reader` is what tells it apart from others at its address.
    func withListener(
        _ peer: any WebSocketPeer, _ actor: NotesDomain.Actor, reader: String, since start: ListenStart,
        _ body: () async throws -> Void
    ) async throws {
        bases.opened(reader, at: clock.now)
        defer { bases.ended(reader, at: clock.now) }
        try await noteAppClients.withClient(peer, actor, since: start, body)
    }
}
