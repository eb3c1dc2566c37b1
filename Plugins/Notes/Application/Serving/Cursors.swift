import NotesDomain
import Synchronization

/// The cursors of all clients of this process, and those that the servers tell of.
final class Cursors: Sendable {
    private struct State {
        var lastSource = 0
        var registry = PresenceRegistry()
        /// The clients of this process.
        var clients: Set<Int> = []
        /// The connections to servers.
        var relays: [Int: PresenceRelay] = [:]
    }

    private let state = Mutex(State())
    private let clients: HubClients
    private let servers: ServerCursors

    init(_ clients: HubClients, _ servers: ServerCursors) { (self.clients, self.servers) = (clients, servers) }

    /// Returns the number of another source of cursors.
    func addSource() -> Int {
        state.withLock { state in
            state.lastSource += 1
            return state.lastSource
        }
    }

    /// Takes in what another server tells of cursors. Never waits.
    func receive(_ texts: [String], from server: String) { servers.receive(texts, from: server, self) }

    /// Tells other servers of all cursors of the clients here again, and forgets those that others do not tell of any more.
    func refresh(at now: ContinuousClock.Instant = .now) {
        for announcement in state.withLock({ state in state.clients.flatMap { state.registry.cursors(from: $0) } }) {
            servers.tell(announcement)
        }
        servers.forgetSilent(self, at: now)
    }

    /// Adds a client until `body`, which gets its number among the sources of cursors, has ended; then its cursors are gone.
    func withClient(_ body: (_ source: Int) async throws -> Void) async throws {
        let source = state.withLock { state in
            state.lastSource += 1
            state.clients.insert(state.lastSource)
            return state.lastSource
        }
        defer {
            forget(source)
            state.withLock { _ = $0.clients.remove(source) }
        }
        try await body(source)
    }

    /// Tells the other clients of hub's protocol where a cursor of `source` is, a client or a server. The servers are told of
    /// those of clients only: what comes from a server does not go back.
    func announce(_ announcement: PresenceAnnouncement, from source: Int) {
        let isNew = state.withLock { $0.registry.announce(announcement, from: source) }
        if isNew { tell(announcement, from: source) }
    }

    /// Takes away the cursors of a client or a server, all or those in one note.
    func forget(_ source: Int, in note: String? = nil) {
        for left in state.withLock({ $0.registry.forget(source, in: note) }) { tell(left, from: source) }
    }

    private func tell(_ announcement: PresenceAnnouncement, from source: Int) {
        clients.show(announcement, besides: source)
        let (relays, isClient) = state.withLock { state in
            (state.relays[source] == nil ? state.relays : [:], state.clients.contains(source))
        }
        if isClient { servers.tell(announcement) }
        for relay in relays.values { relay.add(announcement) }
    }

    /// Adds a connection to a server, over which the cursors of the clients are shown; `wake` is called when there is something
    /// to send. It is to be removed at its end.
    func addRelay(wake: @escaping @Sendable () -> Void) -> PresenceRelay {
        state.withLock { state in
            state.lastSource += 1
            let relay = PresenceRelay(source: state.lastSource, wake: wake)
            for client in state.clients {
                for announcement in state.registry.cursors(from: client) { relay.add(announcement) }
            }
            state.relays[relay.source] = relay
            return relay
        }
    }

    /// Removes a connection to a server, and the cursors that came over it.
    func remove(_ relay: PresenceRelay) {
        forget(relay.source)
        state.withLock { $0.relays[relay.source] = nil }
    }
}
