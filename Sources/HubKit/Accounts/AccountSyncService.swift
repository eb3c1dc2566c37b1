import Sync
import Synchronization

/// Syncs a plugin's accounts in the background: at their intervals, and soon after a local change.
///
/// What is due is read from the log of syncs, which commands write too; so no sync is done twice, and a restart changes
/// nothing.
package struct AccountSyncService: Service {
    /// The longest time between two checks, after which an edit of the config file is noticed.
    static let longestRest = Duration.seconds(60)
    /// The time before an account is checked again that another process is syncing.
    static let heldRest = Duration.seconds(5)

    private let registry: AccountRegistry
    private let round: @Sendable (_ hasNews: Bool) async throws -> Duration

    /// Creates the service; `round` syncs what is due, with news also what is pending, and returns the time until there
    /// is more to do.
    init(_ registry: AccountRegistry, round: @escaping @Sendable (_ hasNews: Bool) async throws -> Duration) {
        self.registry = registry
        self.round = round
    }

    /// Syncs accounts when they are due or changed, until the task is cancelled.
    package func run() async throws {
        let kind = registry.kind
        let facts = TopicPattern(stringLiteral: "domain.\(kind.plugin)/*")
        let changes = registry.bus.changes(of: [facts, TopicPattern(kind.changed)])
        let (news, wake) = (News(), AsyncSignal())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in changes {
                    // A user types; one sync sends all changes of a few seconds.
                    try await registry.clock.sleep(for: SyncSchedule.settling)
                    news.arrived.withLock { $0 = true }
                    wake.wake()
                }
            }
            group.addTask {
                while true {
                    let hasNews = news.arrived.withLock { arrived in
                        defer { arrived = false }
                        return arrived
                    }
                    let rest = try await round(hasNews)
                    guard await wake.wait(until: registry.clock.now + rest, clock: registry.clock) else { return }
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Whether something was changed here since the last check.
    private final class News: Sendable {
        let arrived = Mutex(true)
    }
}
