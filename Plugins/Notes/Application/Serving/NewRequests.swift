import HubKit
import NotesDomain
import Synchronization

/// Finds the requests for access that were made at other servers.
final class NewRequests: Sendable {
    private struct Key: Hashable {
        let note: String
        let requester: String
        let at: Instant
    }

    private struct State {
        var number: Int?
        var known: Set<Key> = []
        /// When requests were found that the clients were told of.
        var found: [Key: ContinuousClock.Instant] = [:]
    }

    /// A server finds its own request, too, if it looks between the commit and the message. What is to be told within this time after it was
    /// found is the same request.
    private static let same = Duration.seconds(5)

    private let state = Mutex(State())

    private static func key(_ request: AccessRequest) -> Key {
        Key(note: request.note, requester: request.requester, at: request.requestedAt)
    }

    /// Records that the clients are told of a request. Returns false if they just were, since it was found.
    func told(_ request: AccessRequest) -> Bool {
        state.withLock { state in
            let key = Self.key(request)
            state.known.insert(key)
            return state.found.removeValue(forKey: key).map { .now - $0 > Self.same } ?? true
        }
    }

    /// Returns the requests that are new since the last time; none the first time, since clients are told what waits when they come.
    func found(at position: ServerPosition, in store: any NoteServerStore) async throws -> [PendingRequest] {
        let (known, before) = state.withLock { state in
            defer { state.number = position.requests }
            return (state.number, state.known)
        }
        guard known != position.requests else { return [] }
        let pending = try await store.pendingRequests()
        return state.withLock { state in
            let news = known == nil ? [] : pending.filter { !state.known.contains(Self.key($0.request)) }
            // With those that clients were told of since they were read.
            state.known = Set(pending.map { Self.key($0.request) }).union(state.known.subtracting(before))
            state.found = state.found.filter { .now - $0.value < Self.same }
            for one in news { state.found[Self.key(one.request)] = .now }
            return news
        }
    }
}
