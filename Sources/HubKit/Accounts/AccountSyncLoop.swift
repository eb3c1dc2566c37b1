import Synchronization

/// Syncs a plugin's accounts in the background: on their intervals, and soon after a change here.
///
/// What is due is read from the store, where a sync by a command leaves its time too; so the two never do the same twice,
/// and a restart changes nothing.
package struct AccountSyncLoop: Service {
    /// The longest time between two looks, in which a change of the config file by an editor is noticed.
    package static let longestRest = Duration.seconds(60)
    /// The time to wait before checking again an account that another process is using.
    package static let heldRest = Duration.seconds(5)

    private let register: AccountRegistry
    private let facts: TopicPattern
    private let settling: Duration
    private let round: @Sendable (_ hasNews: Bool) async throws -> Duration

    /// `round` syncs what is due, and with news also what has something to send; it answers how long there is nothing to
    /// do then. `facts` are the changes here that are sent; `settling` is waited after one, so that one sync sends several.
    package init(
        _ register: AccountRegistry, on facts: TopicPattern, settling: Duration,
        round: @escaping @Sendable (_ hasNews: Bool) async throws -> Duration
    ) {
        self.register = register
        self.facts = facts
        self.settling = settling
        self.round = round
    }

    /// Syncs accounts when they are due or changed, until the task is cancelled.
    package func run() async throws {
        let changes = register.bus.changes(of: [facts, TopicPattern(register.words.changed)])
        let (news, wake) = (News(), AsyncSignal())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in changes {
                    // A person types; one sync sends what they did in a few seconds.
                    try await register.clock.sleep(for: settling)
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
                    guard await wake.wait(until: register.clock.now + rest, clock: register.clock) else { return }
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Whether something was changed here since it was looked at last.
    private final class News: Sendable {
        let arrived = Mutex(true)
    }
}
