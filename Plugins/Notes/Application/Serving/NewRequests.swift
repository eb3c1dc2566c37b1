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
    }

    private let state = Mutex(State())

    private static func key(_ request: AccessRequest) -> Key {
        Key(note: request.note, requester: request.requester, at: request.requestedAt)
    }

    /// Records that the clients are told of a request.
    func told(_ request: AccessRequest) { state.withLock { _ = $0.known.insert(Self.key(request)) } }

    /// Returns the requests that are new since the last time; none the first time, since clients are told what waits when they come.
    func found(at position: ServerPosition, in store: any NoteServerStore) async throws -> [PendingRequest] {
        let known = state.withLock { state in
            defer { state.number = position.requests }
            return state.number
        }
        guard known != position.requests else { return [] }
        let pending = try await store.pendingRequests()
        return state.withLock { state in
            let news = pending.filter { !state.known.contains(Self.key($0.request)) }
            state.known = Set(pending.map { Self.key($0.request) })
            return known == nil ? [] : news
        }
    }
}
