package import Storage
import Sync

extension AccountManager {
    /// Syncs an account; the report also contains errors. Only one process syncs an account at a time: if another one
    /// does, `waiting` is called with it, and its result is returned.
    package func sync(
        _ setup: ConfiguredAccount, _ request: SyncRequest,
        waiting: @Sendable (FileLock.Holder?) async -> Void = { _ in }
    ) async throws -> SyncReport<Backend.Details> {
        if let lock = try await registry.tryLock(setup.account) {
            defer { withExtendedLifetime(lock) {} }
            return try await run(setup, request)
        }
        let before = try await lastSync(setup)
        let holder = try registry.holder(of: setup.account)
        await waiting(holder)
        let lock = try await registry.lock(setup.account)
        defer { withExtendedLifetime(lock) {} }
        if let after = try await lastSync(setup), after != before, after.failures == 0, !request.isDryRun,
            !request.isForced
        {
            var report = SyncReport<Backend.Details>(after)
            report.doneBy = holder?.command ?? "another hub"
            return report
        }
        return try await run(setup, request)
    }

    private func lastSync(_ setup: ConfiguredAccount) async throws -> SyncLogEntry? {
        try await store.read { try $0.lastSync(of: setup.name) }
    }

    /// Syncs an account whose lock is held.
    private func run(_ setup: ConfiguredAccount, _ request: SyncRequest) async throws -> SyncReport<Backend.Details> {
        let clock = registry.clock
        let start = clock.monotonicNow
        let before = try await lastSync(setup)
        var report = SyncReport<Backend.Details>(
            SyncLogEntry(account: setup.name, finishedAt: 0, milliseconds: 0, nextAt: 0))
        do {
            try registry.requireNetwork(for: setup.account)
            let connection = try await connect(to: setup)
            try await backend.sync(setup.account, over: connection, request, into: &report)
        } catch let error as RemoteError {
            report.failure = registry.fitting(HubError(error, account: setup.name, kind), account: setup.name)
        } catch let error as HubError where error.kind != .internal {
            report.failure = error
        }
        report.run.end(
            report.failure, at: clock.now, after: clock.monotonicNow - start, before: before,
            every: setup.account.every, jitter: jitter())
        if !request.isDryRun, !(kind.isIntermittent && report.isAbsent) {
            let entry = report.run
            try await store.write(kind.operation) { try $0.saveSync(entry) }
        }
        return report
    }
}

// MARK: In the background

extension AccountManager {
    /// Returns the service that syncs the accounts: at their interval, and soon after a change here or in a folder.
    package func service(log: Log) -> AccountSyncService {
        AccountSyncService(registry, log: log) { hasNews, changed in
            try await round(hasNews: hasNews, changed: &changed, log: log)
        }
    }

    /// Syncs the accounts that are due, and with news also those with pending changes, and those whose folders have
    /// `changed`, by name; an account that is synced is taken out of these. Returns the time until the next one is due.
    package func round(hasNews: Bool, changed: inout Set<String>, log: Log) async throws -> Duration {
        var rest = AccountSyncService.longestRest
        guard !registry.isOffline, kind.interval != nil else { return rest }
        let setups = try registry.accounts()
        changed.formIntersection(setups.map(\.name))
        for setup in setups {
            let now = registry.clock.now.milliseconds
            let (run, isPending) = try await store.read { transaction in
                let run = try transaction.lastSync(of: setup.name)
                // A failing account is retried after its delay, whatever changes here.
                let looks = hasNews && run?.failures ?? 0 == 0
                return (run, try looks && backend.hasPendingChanges(for: setup.account, in: transaction))
            }
            var due = isPending ? now : SyncSchedule.due(run, every: setup.account.every, now: now)
            if changed.contains(setup.name) { due = min(due, SyncSchedule.dueAfterChange(run, now: now)) }
            guard due <= now else {
                rest = min(rest, .milliseconds(due - now))
                continue
            }
            try Task.checkCancellation()
            rest = min(rest, try await syncIfFree(setup, &changed, log))
        }
        return max(rest, .milliseconds(100))
    }

    /// Syncs an account unless another process does. Returns the time until it is due again.
    private func syncIfFree(
        _ setup: ConfiguredAccount, _ changed: inout Set<String>, _ log: Log
    ) async throws -> Duration {
        guard let lock = try await registry.tryLock(setup.account) else {
            return AccountSyncService.heldRest
        }
        defer { withExtendedLifetime(lock) {} }
        changed.remove(setup.name)
        let operation = Operation("\(kind.plugin) sync \(setup.name)", who: .service("serve"))
        let report = try await run(setup, SyncRequest(operation))
        if kind.isIntermittent, report.isAbsent { return setup.account.every }
        if let failure = report.failure {
            log.warning("\(setup.name): \(failure.message)\(failure.details.first.map { ": \($0)" } ?? "")")
        } else {
            log.info("\(setup.name): \(report.run.received.total) received, \(report.run.sent.total) sent")
        }
        return .milliseconds(max(report.run.nextAt - registry.clock.now.milliseconds, 0))
    }
}
