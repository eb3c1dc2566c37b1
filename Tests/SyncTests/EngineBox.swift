import Sync
import Testing

/// An engine by reference, so that it can be called in expectations.
final class EngineBox<ID: Hashable & Comparable & Sendable> {
    private var engine: SyncEngine<ID>

    /// Creates an engine that has read a listing.
    init(
        _ items: [SyncItem<ID>], held: [RemoteEntry] = [], _ changes: RemoteChanges, policy: SyncPolicy = SyncPolicy()
    ) throws {
        engine = SyncEngine(items: items, held: held, policy: policy)
        engine.list(changes)
        try engine.guardRemovals()
    }

    var missing: Set<ID> { engine.missing }

    func next() -> SyncAction<ID>? { engine.next() }
    func apply(_ outcome: FetchOutcome<ID>, at href: String, identity: Int? = nil) {
        engine.apply(outcome, at: href, identity: identity)
    }
    func answer(_ result: PutResult, to send: SyncSend<ID>) -> Bool { engine.answer(result, to: send) }
    func answer(_ result: DeleteResult, toRemoving id: ID, _ entry: RemoteEntry) -> Bool {
        engine.answer(result, toRemoving: id, entry)
    }
    func confirm(_ isConfirmed: Bool) { engine.confirm(isConfirmed) }
    func markMoved(_ id: ID) { engine.markMoved(id) }
    func takeProblems() -> [SyncProblem<ID>] { engine.takeProblems() }

    /// Returns the next action, which is a request.
    func send() throws -> SyncSend<ID> {
        let action = engine.next()
        guard case .send(let send)? = action else { throw NoRequest(action: "\(String(describing: action))") }
        return send
    }

    /// Returns all further actions; questions are confirmed.
    func rest() -> [SyncAction<ID>] {
        var actions: [SyncAction<ID>] = []
        while let action = engine.next() {
            actions.append(action)
            if case .confirm = action { engine.confirm(true) }
        }
        return actions
    }

    /// The next action is not a request.
    struct NoRequest: Error {
        let action: String
    }
}
