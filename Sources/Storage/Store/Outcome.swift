import SQLite
import Synchronization

/// The result of a write, passed from the writer to the waiting caller.
final class Outcome<T: Sendable>: Sendable {
    private let result = Mutex<Result<WriteResult<T>, any Error>>(.failure(Outcome.notRun))

    /// Runs `body` and keeps what it answers or throws; unless it is alone in its transaction, in a savepoint.
    func perform(
        _ body: (StoreConnection) throws -> WriteResult<T>, on store: StoreConnection, isAlone: Bool
    ) -> WriteQueue.Performed {
        do {
            let written = try withStoreErrors {
                isAlone ? try body(store) : try store.connection.savepoint { try body(store) }
            }
            result.withLock { $0 = .success(written) }
            return WriteQueue.Performed(failure: nil, topics: written.topics, actions: written.actions)
        } catch {
            result.withLock { $0 = .failure(error) }
            return WriteQueue.Performed(failure: error, topics: [], actions: [])
        }
    }

    /// Makes the result final. When the commit failed nothing was done, whatever the body answered.
    func finish(_ failure: (any Error)?) {
        guard let failure else { return }
        result.withLock { $0 = .failure(failure) }
    }

    /// The result, or why there is none.
    func get() throws -> WriteResult<T> { try result.withLock { $0 }.get() }

    private static var notRun: HubError {
        HubError(.internal, code: "write-not-run", "the store did not run this change")
    }
}

/// The result of a write, and the topics that changed when it is committed.
struct WriteResult<T: Sendable>: Sendable {
    let value: T
    let topics: Set<Topic>
    /// The operation under which an edit was recorded as a whole; nil when nothing was, or more is to follow.
    var edit: Operation?
    /// What is called after the commit.
    var actions: [@Sendable () -> Void] = []
}
