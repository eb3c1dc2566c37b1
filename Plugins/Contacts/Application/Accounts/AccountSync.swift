import ContactsDomain
import HubKit
import Links

/// Syncs all accounts in the background: at their interval, and soon after a local change.
struct AccountSync: Service {
    let desk: AccountDesk
    let sync: SyncAccount
    let log: Log

    init(_ desk: AccountDesk, sync: SyncAccount, log: Log) {
        self.desk = desk
        self.sync = sync
        self.log = log
    }

    func run() async throws {
        try await AccountService(desk.register, on: "domain.contacts/*", settling: SyncSchedule.settling) { hasNews in
            try await round(hasNews: hasNews)
        }.run()
    }

    /// Syncs the accounts that are due, and after a local change also those with changes to send. Returns the time
    /// until the next one is due.
    func round(hasNews: Bool) async throws -> Duration {
        guard !desk.register.isOffline else { return AccountService.longestRest }
        var rest = AccountService.longestRest
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
        return SyncSchedule.due(run, every: setup.account.every, now: desk.clock.now.milliseconds)
    }

    /// Whether local changes are pending; an account that fails waits for its back-off instead.
    private func isWaiting(_ setup: AccountSetup) async throws -> Bool {
        try await desk.contacts.read { transaction in
            guard try transaction.accountRun(setup.name)?.failures ?? 0 == 0 else { return false }
            return try transaction.books(of: setup.name).contains { try transaction.hasSyncWork(in: $0) }
        }
    }

    private func syncOnce(_ setup: AccountSetup) async throws -> Duration {
        let operation = Operation("contacts sync \(setup.name)", who: .service("serve"))
        guard let report = try await sync.ifFree(setup, options: SyncOptions(), operation: operation) else {
            return AccountService.heldRest
        }
        if let failure = report.failure {
            log.warning("\(setup.name): \(failure.message)\(failure.details.first.map { ": \($0)" } ?? "")")
        } else {
            log.info("\(setup.name): \(report.run.received.total) received, \(report.run.sent.total) sent")
        }
        return .milliseconds(max(report.run.nextAt - desk.clock.now.milliseconds, 0))
    }
}
