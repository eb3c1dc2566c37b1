import HubKit
import NotesDomain
import Storage
import Synchronization
import WebSocket

/// The clients that are connected to this process, each of which is told what the others do.
final class LiveNotes: Sendable {
    /// A client of NoteApp.
    private struct Listener {
        let peer: any WebSocketPeer
        let actor: NotesDomain.Actor
    }

    private struct State {
        var last = 0
        var connections: [Int: LiveConnection] = [:]
        var listeners: [Int: Listener] = [:]
        /// The connections to servers.
        var relays: [Int: PresenceRelay] = [:]
        /// The cursors of the connections, and those that the servers tell of.
        var cursors = PresenceRegistry()
        /// The changes by NoteApp's routes, which tell the listeners themselves, after their answer.
        var told: Set<Int> = []
        /// The last change that the listeners were told; nil without listeners.
        var position: Int?
        var follower: Task<Void, Never>?
        /// The times at which requests for access were told lately, by note and requester.
        var announced: [[String]: Instant] = [:]
        /// What the listeners are about to be told.
        var messages: [WebSocketConnection.Message] = []
        var isTelling = false
    }

    private let state = Mutex(State())
    private let store: Store
    private let bus: EventBus
    private let log: Log

    init(_ store: Store, bus: EventBus, log: Log) {
        self.store = store
        self.bus = bus
        self.log = log
    }

    // MARK: Clients

    /// Adds a client of hub's protocol until `body` ends. It hears of every change since `make`.
    func withConnection(
        _ make: (_ number: Int) -> LiveConnection, _ body: (LiveConnection) async throws -> Void
    ) async throws {
        let connection = state.withLock { state in
            state.last += 1
            let connection = make(state.last)
            state.connections[state.last] = connection
            return (state.last, connection)
        }
        follow()
        defer {
            leave { $0.connections[connection.0] = nil }
            forgetCursors(of: connection.0)
        }
        connection.1.changed(try await store.read { try $0.latestChange() })
        try await body(connection.1)
    }

    /// Adds a client of NoteApp until `body` ends.
    func withListener(
        _ peer: any WebSocketPeer, _ actor: NotesDomain.Actor, _ body: () async throws -> Void
    ) async throws {
        let latest = try await store.read { try $0.latestChange() }
        let number = state.withLock { state in
            state.last += 1
            state.position = state.position ?? latest
            state.listeners[state.last] = Listener(peer: peer, actor: actor)
            return state.last
        }
        follow()
        defer { leave { $0.listeners[number] = nil } }
        // What was asked while the owner was away.
        for pending in try await store.read({ try $0.pendingRequests(at: $0.now) }) { tell(pending, to: peer, actor) }
        try await body()
    }

    private func leave(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            if state.listeners.isEmpty {
                state.position = nil
                state.told = []
            }
            guard state.connections.isEmpty, state.listeners.isEmpty else { return }
            state.follower?.cancel()
            state.follower = nil
        }
    }

    /// Ends the connections of accounts that are gone.
    private func disconnect(allBut people: Set<String>) {
        let (connections, listeners) = state.withLock { (Array($0.connections.values), Array($0.listeners.values)) }
        func isGone(_ actor: NotesDomain.Actor) -> Bool { actor.name.map { !people.contains($0) } ?? false }
        for connection in connections where isGone(connection.actor) { connection.close() }
        for listener in listeners where isGone(listener.actor) {
            listener.peer.close(.policyViolation, reason: "the account was removed")
        }
    }

    // MARK: Changes

    /// Begins to follow what all processes commit, as long as there are clients.
    private func follow() {
        state.withLock { state in
            guard state.follower == nil else { return }
            let changes = bus.changes(of: ["domain.notes/*"])
            state.follower = Task { [weak self] in
                for await _ in changes { await self?.tellChanges() }
            }
        }
    }

    /// Tells all clients what has changed since the last time.
    private func tellChanges() async {
        do {
            let (position, told) = state.withLock { ($0.position, $0.told) }
            let (latest, events, people) = try await store.read { transaction in
                let latest = try transaction.latestChange()
                let isNews = position.map { $0 < latest && !($0 + 1...latest).allSatisfy(told.contains) } ?? false
                let events = isNews ? try transaction.noteAppEvents(after: position ?? 0, to: latest) : []
                return (latest, events, Set(try transaction.serverAccounts().map(\.name)))
            }
            disconnect(allBut: people)
            for connection in state.withLock({ Array($0.connections.values) }) { connection.changed(latest) }
            for (change, event) in events where state.withLock({ $0.told.remove(change) }) == nil { broadcast(event) }
            state.withLock { state in
                if state.position != nil { state.position = latest }
                state.told = state.told.filter { $0 > latest }
            }
        } catch {
            log.error("cannot read what has changed: \(error)")
        }
    }

    /// Says that a change by one of NoteApp's routes is told by ``broadcast(_:)``. Called within its transaction, so before
    /// anybody can see the change.
    func claim(_ change: Int) {
        state.withLock { if !$0.listeners.isEmpty { $0.told.insert(change) } }
    }

    /// Tells the clients of NoteApp what has happened. What happens while they are told goes to each of them at once.
    func broadcast(_ event: NoteAppEvent) {
        let begins = state.withLock { state in
            guard !state.listeners.isEmpty else { return false }
            state.messages.append(.text(event.text))
            defer { state.isTelling = true }
            return !state.isTelling
        }
        if begins { Task { tellListeners() } }
    }

    private func tellListeners() {
        while true {
            let (messages, listeners) = state.withLock { state in
                defer {
                    state.isTelling = !state.messages.isEmpty
                    state.messages = []
                }
                return (state.messages, Array(state.listeners.values))
            }
            if messages.isEmpty { return }
            for listener in listeners { listener.peer.send(messages) }
        }
    }

    // MARK: Cursors

    /// Tells the other clients of hub's protocol where a cursor of `source` is, a client or a server. The servers are told of
    /// those of clients only: what comes from a server does not go back.
    func announce(_ announcement: PresenceAnnouncement, from source: Int) {
        let isNew = state.withLock { $0.cursors.announce(announcement, from: source) }
        if isNew { tell(announcement, from: source) }
    }

    /// Takes away the cursors of a client or a server, all or those in one note.
    func forgetCursors(of source: Int, in note: String? = nil) {
        for left in state.withLock({ $0.cursors.forget(source, in: note) }) { tell(left, from: source) }
    }

    private func tell(_ announcement: PresenceAnnouncement, from source: Int) {
        let (connections, relays) = state.withLock { state in
            (state.connections.filter { $0.key != source }, state.relays[source] == nil ? state.relays : [:])
        }
        for connection in connections.values { connection.presence(announcement) }
        for relay in relays.values { relay.add(announcement) }
    }

    /// Adds a connection to a server, over which the cursors of the clients are shown; `wake` is called when there is something
    /// to send. It is to be removed at its end.
    func addRelay(wake: @escaping @Sendable () -> Void) -> PresenceRelay {
        state.withLock { state in
            state.last += 1
            let relay = PresenceRelay(source: state.last, wake: wake)
            for client in state.connections.keys {
                for announcement in state.cursors.cursors(from: client) { relay.add(announcement) }
            }
            state.relays[relay.source] = relay
            return relay
        }
    }

    /// Removes a connection to a server, and the cursors that came over it.
    func remove(_ relay: PresenceRelay) {
        forgetCursors(of: relay.source)
        state.withLock { $0.relays[relay.source] = nil }
    }

    // MARK: Requests

    /// Tells the owner of a note that someone asks for access: those who have proved to be it, and all that cannot. The owner may
    /// have missed what was told before, so each request is told, but not more often than ``AccessRequest/repeatTime``.
    func announce(_ note: String, requestedBy requester: String, at now: Instant) async {
        let found = try? await store.read { transaction in
            try transaction.pendingRequests(at: now).first {
                $0.request.note == note && $0.request.requester == requester
            }
        }
        guard let pending = found ?? nil else { return }
        let (connections, listeners) = state.withLock { state in
            let key = [note, requester]
            state.announced = state.announced.filter { now - $0.value < AccessRequest.repeatTime }
            guard state.announced[key] == nil else { return ([LiveConnection](), [Listener]()) }
            state.announced[key] = now
            return (Array(state.connections.values), Array(state.listeners.values))
        }
        for connection in connections { connection.tell(pending.request) }
        for listener in listeners { tell(pending, to: listener.peer, listener.actor) }
    }

    /// Tells a client of NoteApp who asks for access, if it may be the owner.
    private func tell(_ pending: PendingRequest, to peer: any WebSocketPeer, _ actor: NotesDomain.Actor) {
        guard let event = pending.event, actor.name.map({ $0 == pending.owner }) ?? true else { return }
        peer.send(.text(event.text))
    }
}

/// A request for access that waits for its answer.
private struct PendingRequest: Sendable {
    let request: AccessRequest
    /// The owner of the note.
    let owner: String
    /// What clients of NoteApp are told; nil if they have no id for the note.
    let event: NoteAppEvent?
}

extension Transaction {
    /// Returns the requests that wait for their answers, the oldest first.
    fileprivate func pendingRequests(at now: Instant) throws -> [PendingRequest] {
        try openRequests().filter { $0.state(at: now) == .pending }.compactMap { request in
            guard let note = try note(request.note), note.deletedAt == nil else { return nil }
            let event = try wireID(of: note.id).map {
                NoteAppEvent(
                    .accessRequest, id: $0.text, deviceId: request.requester,
                    reason: request.reason.isEmpty ? nil : request.reason)
            }
            return PendingRequest(request: request, owner: note.access.owner, event: event)
        }
    }
}

extension Transaction {
    /// Returns what NoteApp's clients are told of the changes in a range, with the numbers of the changes.
    fileprivate func noteAppEvents(after: Int, to latest: Int) throws -> [(change: Int, event: NoteAppEvent)] {
        var events: [(Int, NoteAppEvent)] = []
        var position = after
        while position < latest {
            let page = try changePage(after: position, limit: ServerSession.pageSize)
            for note in page.notes where !note.isPurged && !note.metadata.access.owner.isEmpty {
                guard let id = try wireID(of: note.note) else { continue }
                let owner = note.metadata.access.owner
                if note.metadata.isDeleted {
                    if note.isMetadataChanged { events.append((note.change, .deleted(id.text))) }
                } else if note.accessChange > position {
                    events.append((note.change, .inserted(id, owner: owner)))
                } else {
                    events.append((note.change, .updated(id.text, owner: owner)))
                }
            }
            guard page.end > position else { break }
            position = page.end
        }
        return events
    }
}

extension NotesPlugin {
    /// Adds a client of NoteApp until `body` ends; `reader` is what tells it apart from others at its address.
    func withListener(
        _ peer: any WebSocketPeer, _ actor: NotesDomain.Actor, reader: String, _ body: () async throws -> Void
    ) async throws {
        bases.opened(reader, at: clock.now)
        defer { bases.ended(reader, at: clock.now) }
        try await live.withListener(peer, actor, body)
    }
}
