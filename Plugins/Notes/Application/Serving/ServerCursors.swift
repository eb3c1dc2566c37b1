import NotesDomain
import Synchronization

/// The cursors of the clients of other servers of the same store. Each is told again now and then, and one that is not is gone.
final class ServerCursors: Sendable {
    private struct Cursor {
        let announcement: PresenceAnnouncement
        let source: Int
        var heardAt: ContinuousClock.Instant
    }

    private struct State {
        /// The numbers of the servers among the sources of cursors.
        var sources: [String: Int] = [:]
        var cursors: [PresenceAnnouncement.Key: Cursor] = [:]
        /// What is about to be taken in.
        var arrivals: [(server: String, text: String)] = []
        var isTaking = false
    }

    /// The most texts that wait.
    private static let limit = 1000

    /// The time after which a cursor that is not told again is gone.
    static let silence = Duration.seconds(15)

    private let state = Mutex(State())
    private let store: any NoteServerStore

    init(_ store: any NoteServerStore) { self.store = store }

    /// Tells the other servers of a cursor of a client here.
    func tell(_ announcement: PresenceAnnouncement) {
        let frame = ServerFrame.presence(
            announcement.presence, user: announcement.user, agent: announcement.agent)
        store.tellServers(frame.text, key: "\(announcement.presence.note) \(announcement.agent)")
    }

    /// Shows the clients here the cursors of which a server tells, one after the other. Never waits.
    func receive(_ texts: [String], from server: String, _ cursors: Cursors) {
        let begins = state.withLock { state in
            // They come again.
            if state.arrivals.count < Self.limit { state.arrivals += texts.map { (server, $0) } }
            defer { state.isTaking = true }
            return !state.isTaking
        }
        guard begins else { return }
        Task {
            while let arrivals = next() {
                for (server, text) in arrivals { await take(text, from: server, cursors) }
            }
        }
    }

    private func next() -> [(server: String, text: String)]? {
        state.withLock { state in
            defer { state.arrivals = [] }
            state.isTaking = !state.arrivals.isEmpty
            return state.isTaking ? state.arrivals : nil
        }
    }

    private func take(_ text: String, from server: String, _ cursors: Cursors) async {
        guard case .presence(let presence, let user, let agent)? = try? ServerFrame(text) else { return }
        // The other server has checked who may show it; who may see it is checked for each client.
        var announcement = PresenceAnnouncement(presence, agent: agent, user: user, actor: nil)
        let source = state.withLock { state in
            if let source = state.sources[server] { return source }
            let source = cursors.addSource()
            state.sources[server] = source
            return source
        }
        guard presence.selection != nil else {
            state.withLock { $0.cursors[announcement.key] = nil }
            return cursors.announce(announcement, from: source)
        }
        guard let access = try? await store.access(of: presence.note) else { return }
        announcement.access = access
        let isNew = state.withLock { state in
            let old = state.cursors.updateValue(
                Cursor(announcement: announcement, source: source, heardAt: .now), forKey: announcement.key)
            return old?.announcement != announcement || old?.source != source
        }
        if isNew { cursors.announce(announcement, from: source) }
    }

    /// Takes away the cursors that were not told again.
    func forgetSilent(_ cursors: Cursors, at now: ContinuousClock.Instant) {
        let silent = state.withLock { state in
            let silent = state.cursors.filter { now - $0.value.heardAt > Self.silence }
            for key in silent.keys { state.cursors[key] = nil }
            if state.cursors.isEmpty { state.sources = [:] }
            return silent.values
        }
        for cursor in silent { cursors.announce(cursor.announcement.left, from: cursor.source) }
    }
}
