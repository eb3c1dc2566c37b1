import NotesDomain
import Storage
import Synchronization

/// The cursors of this machine's clients, on their way to a server. What was not sent yet is replaced by what is newer.
final class PresenceRelay: Sendable {
    /// The number of the connection to the server among the clients and connections of this process.
    let source: Int
    private let waiting = Mutex(PresenceTable())
    private let wake: @Sendable () -> Void

    init(source: Int, wake: @escaping @Sendable () -> Void) {
        self.source = source
        self.wake = wake
    }

    /// Adds what the server has to be told.
    func add(_ announcement: PresenceAnnouncement) {
        let isFirst = waiting.withLock { waiting in
            defer { waiting.set(announcement) }
            return waiting.isEmpty
        }
        if isFirst { wake() }
    }

    /// Removes and returns what the server has to be told.
    func take() -> [PresenceAnnouncement] { waiting.withLock { $0.take() } }
}

/// The cursors on both ends of one connection to a server of hub: those of this machine's clients are shown there, and those of
/// the server's clients here. Nothing is stored.
struct PresenceExchange {
    private let store: Store
    private let server: String
    private let cursors: Cursors
    private let agent: String
    private let relay: PresenceRelay
    /// The cursors that the server was told of.
    private var shown: Set<PresenceAnnouncement.Key> = []
    /// The cursors of the server in versions of texts that are not here yet.
    private var unplaced = PresenceTable()

    /// `agent` is that of this machine's edits; `wake` is called when there is something to send. ``end()`` is to be called.
    init(_ store: Store, server: String, _ cursors: Cursors, agent: String, wake: @escaping @Sendable () -> Void) {
        self.store = store
        self.server = server
        self.cursors = cursors
        self.agent = agent
        relay = cursors.addRelay(wake: wake)
    }

    /// Takes away the cursors of the server when the connection is over.
    func end() { cursors.remove(relay) }

    // MARK: To the server

    /// Returns what the server has to be told, with the names that it has for the notes, by the agents of the cursors.
    mutating func outgoing() async throws -> [(presence: Presence, agent: String)] {
        var found: [(presence: Presence, agent: String)] = []
        for announcement in relay.take() {
            let key = announcement.key
            let hasLeft = announcement.presence.selection == nil
            guard hasLeft ? shown.contains(key) : canShow(key), let presence = try await outgoing(announcement) else {
                continue
            }
            if hasLeft { shown.remove(key) } else { shown.insert(key) }
            found.append((presence, announcement.agent))
        }
        return found
    }

    /// The server takes no more from one client.
    private func canShow(_ key: PresenceAnnouncement.Key) -> Bool {
        shown.contains(key) || shown.count < ServerSession.maximumCursors
    }

    /// Returns a cursor as the server knows its note; nil for a note that is not there, or locked.
    private func outgoing(_ announcement: PresenceAnnouncement) async throws -> Presence? {
        try await store.read { [server] transaction in
            var presence = announcement.presence
            guard let remote = try transaction.hubRemote(of: presence.note, on: server), remote.state == .synced,
                let access = try transaction.note(presence.note)?.access
            else { return nil }
            if presence.selection != nil, let actor = announcement.actor,
                AccessRule.decide(.presence, by: actor, on: access, legacy: .off) != nil
            {
                return nil
            }
            presence.note = remote.remote
            return presence
        }
    }

    // MARK: From the server

    /// Takes in a cursor of another client of the server; it is shown once its place can be told.
    mutating func receive(_ presence: Presence, user: String, agent path: String) async throws {
        guard presence.selection == nil || presence.version != nil, let path = AgentPath(path).relayed(by: agent) else {
            return
        }
        let known = try await store.read { [server] in try $0.hubRemote(presence.note, on: server) }
        guard let known, known.state == .synced else { return }
        var presence = presence
        presence.note = known.note
        try await place(PresenceAnnouncement(presence, agent: path.text, user: user, actor: nil))
    }

    /// Looks again at the cursors whose edits may have come since.
    mutating func place() async throws {
        for announcement in unplaced.all { try await place(announcement) }
    }

    private mutating func place(_ announcement: PresenceAnnouncement) async throws {
        unplaced.remove(announcement.key)
        guard let placed = try await store.read({ try $0.placed(announcement.presence) }) else {
            unplaced.set(announcement)
            return
        }
        var announcement = announcement
        announcement.presence = placed
        cursors.announce(announcement, from: relay.source)
    }

    /// Takes away the cursors in a note that the server no longer offers, by the server's name for it.
    mutating func lose(_ note: String) async throws {
        guard let known = try await store.read({ [server] in try $0.hubRemote(note, on: server) }) else { return }
        _ = unplaced.take(of: known.note)
        // The server has taken the own ones away itself.
        shown = shown.filter { $0.note != known.note }
        cursors.forget(relay.source, in: known.note)
    }
}
