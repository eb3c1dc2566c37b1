import Synchronization

/// Follows the commits of all processes that concern notes, for as long as something needs it.
final class CommitFollower: Sendable {
    /// How long it waits before it tries again what has failed.
    private static let pause = Duration.seconds(1)

    private struct State {
        var users = 0
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let store: any NoteServerStore
    /// How long it rests after it was looked what was committed.
    private let rest: Duration?

    init(_ store: any NoteServerStore, rest: Duration? = nil) { (self.store, self.rest) = (store, rest) }

    /// Calls `changed` after commits until `body` ends; those that come while it works or rests are taken together. When it returns false, since the
    /// store could not be read, it is called again soon: no other wake comes for the same commit. The first of several users at a time says
    /// what is called.
    func withCommits(_ changed: @escaping @Sendable () async -> Bool, _ body: () async throws -> Void) async rethrows {
        state.withLock { state in
            state.users += 1
            guard state.task == nil else { return }
            let wakes = store.wakes()
            state.task = Task { [rest] in
                for await _ in wakes {
                    while !Task.isCancelled, await !changed() { try? await Task.sleep(for: Self.pause) }
                    if let rest { try? await Task.sleep(for: rest) }
                }
            }
        }
        defer {
            state.withLock { state in
                state.users -= 1
                guard state.users == 0 else { return }
                state.task?.cancel()
                state.task = nil
            }
        }
        try await body()
    }
}
