import ContactsDomain
import HubKit
import Sync

/// Syncs all accounts in the background: at their interval, and soon after a local change.
struct AccountSyncService: Service {
    let manager: AccountManager
    let sync: SyncAccount
    let log: Log

    init(_ manager: AccountManager, sync: SyncAccount, log: Log) {
        self.manager = manager
        self.sync = sync
        self.log = log
    }

    func run() async throws {
        try await AccountSyncLoop(manager.register, on: "domain.contacts/*", settling: SyncSchedule.settling) {
            hasNews in
            try await round(hasNews: hasNews)
        }.run()
    }

    /// Syncs the accounts that are due, and after a local change also those with changes to send. Returns the time
    /// until the next one is due.
    func round(hasNews: Bool) async throws -> Duration {
        guard !manager.register.isOffline else { return AccountSyncLoop.longestRest }
        var rest = AccountSyncLoop.longestRest
        for setup in try manager.accounts() {
            let now = manager.clock.now.milliseconds
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

    private func due(_ setup: ConfiguredAccount) async throws -> Int64 {
        let run = try await manager.contacts.read { try $0.accountRun(setup.name) }
        return SyncSchedule.due(run, every: setup.account.every, now: manager.clock.now.milliseconds)
    }

    /// Whether local changes are pending; an account that fails waits for its back-off instead.
    private func isWaiting(_ setup: ConfiguredAccount) async throws -> Bool {
        try await manager.contacts.read { transaction in
            guard try transaction.accountRun(setup.name)?.failures ?? 0 == 0 else { return false }
            return try transaction.books(of: setup.name).contains { try transaction.hasSyncWork(in: $0) }
        }
    }

    private func syncOnce(_ setup: ConfiguredAccount) async throws -> Duration {
        let operation = Operation("contacts sync \(setup.name)", who: .service("serve"))
        guard let report = try await sync.ifFree(setup, options: SyncOptions(), operation: operation) else {
            return AccountSyncLoop.heldRest
        }
        if let failure = report.failure {
            log.warning("\(setup.name): \(failure.message)\(failure.details.first.map { ": \($0)" } ?? "")")
        } else {
            log.info("\(setup.name): \(report.run.received.total) received, \(report.run.sent.total) sent")
        }
        return .milliseconds(max(report.run.nextAt - manager.clock.now.milliseconds, 0))
    }
}
