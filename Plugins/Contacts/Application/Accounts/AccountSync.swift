import ContactsDomain
import HubKit
import Links
import Synchronization

/// Syncs every account in the background: on its interval, and soon after a change here.
///
/// What is due is read from the store, where a sync by a command leaves its time too; so the two never do the same twice,
/// and a restart changes nothing.
struct AccountSync: Service {
    let desk: AccountDesk
    let sync: SyncAccount
    let log: Log

    init(_ desk: AccountDesk, sync: SyncAccount, log: Log) {
        self.desk = desk
        self.sync = sync
        self.log = log
    }

    /// The longest time between two looks, in which a change of the config file by an editor is noticed.
    private static let longestRest = Duration.seconds(60)
    /// How long another process may hold an account before it is looked at again.
    private static let heldRest = Duration.seconds(5)

    func run() async throws {
        let changes = desk.bus.changes(of: ["domain.contacts/*", TopicPattern(AccountDesk.changed)])
        let (news, wake) = (News(), WakeSignal())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in changes {
                    // A person types; one sync sends what they did in a few seconds.
                    try await desk.clock.sleep(for: SyncSchedule.settling)
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
                    let rest = try await round(hasNews: hasNews)
                    guard await wake.wait(until: desk.clock.now + rest, clock: desk.clock) else { return }
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

    /// Syncs what is due, and with news also what has something to send; how long there is nothing to do then.
    func round(hasNews: Bool) async throws -> Duration {
        guard !desk.isOffline else { return Self.longestRest }
        var rest = Self.longestRest
        for setup in try desk.accounts() {
            let now = desk.clock.now.milliseconds
            var due = try await due(setup)
            if hasNews, due > now, try await isWaiting(setup) { due = now }
            guard due <= now else {
                rest = min(rest, .milliseconds(due - now))
                continue
            }
            try Task.checkCancellation()
            rest = min(rest, try await syncOnce(setup))
        }
        return max(rest, .milliseconds(100))
    }

    private func due(_ setup: AccountSetup) async throws -> Int64 {
        let run = try await desk.contacts.read { try $0.accountRun(setup.name) }
        return SyncSchedule.due(run, every: setup.account.every)
    }

    /// Whether something here waits to be sent; an account that fails is left to its back-off.
    private func isWaiting(_ setup: AccountSetup) async throws -> Bool {
        try await desk.contacts.read { transaction in
            guard try transaction.accountRun(setup.name)?.failures ?? 0 == 0 else { return false }
            return try transaction.books(of: setup.name).contains { try transaction.hasSyncWork(in: $0) }
        }
    }

    private func syncOnce(_ setup: AccountSetup) async throws -> Duration {
        let operation = Operation("contacts sync \(setup.name)", who: .service("serve"))
        guard let report = try await sync.ifFree(setup, options: SyncOptions(), operation: operation) else {
            return Self.heldRest
        }
        if let failure = report.failure {
            log.warning("\(setup.name): \(failure.message)\(failure.details.first.map { ": \($0)" } ?? "")")
        } else {
            log.info("\(setup.name): \(report.run.received.total) received, \(report.run.sent.total) sent")
        }
        return .milliseconds(max(report.run.nextAt - desk.clock.now.milliseconds, 0))
    }
}
