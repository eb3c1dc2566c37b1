import Storage
import Sync
import Synchronization

/// Syncs a plugin's accounts in the background: at their intervals, and soon after a change here or in their folders.
///
/// What is due is read from the log of syncs, which commands write too; so no sync is done twice, and a restart changes
/// nothing.
package struct AccountSyncService: Service {
    /// Syncs what is due, with news also what is pending here and the accounts whose folders have `changed`, and returns
    /// the time until there is more to do. It takes the synced accounts out of `changed`.
    typealias Round = @Sendable (_ hasNews: Bool, _ changed: inout Set<String>) async throws -> Duration

    /// The longest time between two checks, after which an edit of the config file is noticed.
    static let longestRest = Duration.seconds(60)
    /// The time before an account is checked again that another process is syncing.
    static let heldRest = Duration.seconds(5)

    private let registry: AccountRegistry
    private let log: Log
    private let round: Round

    init(_ registry: AccountRegistry, log: Log, round: @escaping Round) {
        self.registry = registry
        self.log = log
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
                    news.add { $0.isHere = true }
                    wake.wake()
                }
            }
            group.addTask {
                var folders: [String: FolderWatch] = [:]
                defer { for folder in folders.values { folder.task.cancel() } }
                var changed: Set<String> = []
                while true {
                    try watch(&folders) { name in
                        news.add { $0.folders.insert(name) }
                        wake.wake()
                    }
                    let latest = news.take()
                    changed.formUnion(latest.folders)
                    let rest = try await round(latest.isHere, &changed)
                    guard await wake.wait(until: registry.clock.now + rest, clock: registry.clock) else { return }
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private struct FolderWatch {
        let path: String
        let task: Task<Void, Never>
    }

    /// Watches the folders of the accounts there are now, by their names.
    private func watch(
        _ folders: inout [String: FolderWatch], _ changed: @escaping @Sendable (_ account: String) -> Void
    ) throws(HubError) {
        guard registry.kind.interval != nil, !registry.isOffline else { return }
        let accounts = try registry.accounts().map(\.account).filter(\.address.isFolder)
        let paths = Dictionary(accounts.map { ($0.name, $0.place) }) { first, _ in first }
        for (name, folder) in folders where folder.path != paths[name] {
            folder.task.cancel()
            folders[name] = nil
        }
        for (name, path) in paths where folders[name] == nil {
            let changes = registry.watcher.changes(below: path) { [log] in log.warning("\(name): \($0)") }
            folders[name] = FolderWatch(path: path, task: Task { for await _ in changes { changed(name) } })
        }
    }

    /// What has changed since the last check.
    private final class News: Sendable {
        struct Content {
            /// Whether something was changed here.
            var isHere = false
            /// The accounts whose folders have changed.
            var folders: Set<String> = []
        }

        private let content = Mutex(Content(isHere: true))

        func add(_ change: (inout Content) -> Void) { content.withLock { change(&$0) } }

        func take() -> Content {
            content.withLock { content in
                defer { content = Content() }
                return content
            }
        }
    }
}
