import HubKit
import Sync

/// Syncs every account in the background: on its interval, and soon after a change here.
struct CalendarService: Service {
    let manager: CalendarAccountManager
    let sync: SyncCalendar
    let log: Log

    init(_ manager: CalendarAccountManager, sync: SyncCalendar, log: Log) {
        self.manager = manager
        self.sync = sync
        self.log = log
    }

    func run() async throws {
        try await AccountSyncLoop(manager.register, on: "domain.mintee/*", settling: SyncSchedule.settling) { hasNews in
            try await round(hasNews: hasNews)
        }.run()
    }

    /// Syncs the accounts that are due, and after a change also those with unsent changes; returns the time until the
    /// next sync.
    func round(hasNews: Bool) async throws -> Duration {
        guard !manager.register.isOffline else { return AccountSyncLoop.longestRest }
        var rest = AccountSyncLoop.longestRest
        for setup in try manager.register.accounts() {
            let (now, window) = (manager.clock.now.milliseconds, manager.window)
            let (run, isWaiting) = try await manager.store.read { transaction in
                let run = try transaction.calendarRun(setup.name)
                // A failing account is retried after its back-off.
                let looks = hasNews && run?.failures ?? 0 == 0
                return (run, try looks && transaction.hasTodoWork(window, account: setup.name))
            }
            let due = isWaiting ? now : SyncSchedule.due(run, every: setup.account.every, now: now)
            guard due <= now else {
                rest = min(rest, .milliseconds(due - now))
                continue
            }
            try Task.checkCancellation()
            rest = min(rest, try await syncOnce(setup))
        }
        return max(rest, .milliseconds(100))
    }

    private func syncOnce(_ setup: ConfiguredAccount) async throws -> Duration {
        let operation = Operation("mintee sync \(setup.name)", who: .service("serve"))
        guard let report = try await sync.ifFree(setup, operation: operation) else { return AccountSyncLoop.heldRest }
        if let failure = report.failure {
            log.warning("\(setup.name): \(failure.message)\(failure.details.first.map { ": \($0)" } ?? "")")
        } else {
            log.info("\(setup.name): \(report.run.received.total) received, \(report.run.sent.total) sent")
        }
        return .milliseconds(max(report.run.nextAt - manager.clock.now.milliseconds, 0))
    }
}
