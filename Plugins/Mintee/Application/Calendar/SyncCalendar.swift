package import HubKit
import MinteeDomain
import Sync

/// Syncs the calendar of one account with the tasks here. Only one process syncs an account at a time.
package struct SyncCalendar: Sendable {
    let manager: CalendarAccountManager
    /// Returns a random number in 0..<1 for the time of the next sync.
    let jitter: @Sendable () -> Double

    /// Creates the use case; `jitter` returns a number in 0..<1 that spreads retries.
    package init(
        _ manager: CalendarAccountManager, jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.manager = manager
        self.jitter = jitter
    }

    /// Syncs `setup`; the report includes failures. If another process is already syncing the account, calls `waiting`
    /// with it, and returns its result.
    package func callAsFunction(
        _ setup: ConfiguredAccount, isDryRun: Bool = false, operation: Operation,
        waiting: @Sendable (FileLock.Holder?) async -> Void = { _ in },
        progress: @escaping @Sendable (CalendarRun.Progress) -> Void = { _ in }
    ) async throws -> CalendarReport {
        let before = try await lastRun(setup.name)
        return try await manager.register.withLock(at: setup.name, waiting: waiting) { holder in
            guard let after = try await lastRun(setup.name), after != before, after.failures == 0, !isDryRun else {
                return nil
            }
            var report = CalendarReport(after)
            report.doneBy = holder
            return report
        } work: {
            try await run(setup, isDryRun, operation, progress)
        }
    }

    /// Syncs `setup`; returns nil if another process is syncing it.
    func ifFree(_ setup: ConfiguredAccount, operation: Operation) async throws -> CalendarReport? {
        guard let lock = try manager.register.locks.tryAcquire(CalendarAccountManager.words.lock(setup.name)) else {
            return nil
        }
        defer { withExtendedLifetime(lock) {} }
        return try await run(setup, false, operation) { _ in }
    }

    private func lastRun(_ account: String) async throws -> SyncLogEntry? {
        try await manager.store.read { try $0.calendarRun(account) }
    }

    private func run(
        _ setup: ConfiguredAccount, _ isDryRun: Bool, _ operation: Operation,
        _ progress: @escaping @Sendable (CalendarRun.Progress) -> Void
    ) async throws -> CalendarReport {
        let start = manager.clock.monotonicNow
        let before = try await lastRun(setup.name)
        var report = CalendarReport(SyncLogEntry(account: setup.name, finishedAt: 0, milliseconds: 0, nextAt: 0))
        var retryAfter: Int?
        do {
            try await sync(setup, isDryRun, operation, progress, &report)
        } catch let error as RemoteError {
            report.failure = manager.register.fitting(error.hubError(setup.name), account: setup.name)
            retryAfter = error.retryAfter
        } catch let error as HubError where error.kind != .internal {
            report.failure = error
            retryAfter = (error.cause as? RemoteError)?.retryAfter
        }
        report.run.end(
            report.failure, at: manager.clock.now, after: manager.clock.monotonicNow - start, before: before,
            every: setup.account.every, retryAfter: retryAfter, jitter: jitter())
        report.run.problems = report.problems.count
        if !isDryRun {
            let run = report.run
            try await manager.keep { try $0.saveCalendarRun(run) }
        }
        return report
    }

    private func sync(
        _ setup: ConfiguredAccount, _ isDryRun: Bool, _ operation: Operation,
        _ progress: @escaping @Sendable (CalendarRun.Progress) -> Void, _ report: inout CalendarReport
    ) async throws {
        try manager.register.requireNetwork()
        let account = try await manager.link(to: setup)
        if isDryRun {
            // A dry run does not create a missing calendar.
            guard let known = try await manager.store.read({ try $0.calendar(of: setup.name) }) else {
                let window = manager.window
                report.run.sent.new = try await manager.store.read {
                    try $0.syncDays(window, account: setup.name).days.count
                }
                return
            }
            var run = CalendarRun(manager, known, account.open(known.href), operation, isDryRun: true, tell: progress)
            defer { report.add(run) }
            return try await run()
        }
        let find = FindCalendar(manager: manager)
        let finding = try await find(setup, over: account)
        if finding.isNew { report.notices.append("the calendar \(finding.calendar.name) was created") }
        do {
            try await once(finding.calendar, account, operation, progress, &report)
        } catch RemoteError.notFound(_) where !finding.isNew {
            // The calendar was deleted or moved. Local data is kept, and sent again.
            try await manager.keep { try $0.forgetCalendar(of: setup.name) }
            let again = try await find(setup, over: account)
            if again.isNew {
                report.notices.append(
                    "the calendar \(again.calendar.name) was missing on the server and has been recreated")
            }
            try await once(again.calendar, account, operation, progress, &report)
        }
    }

    private func once(
        _ calendar: KnownCalendar, _ account: any CalendarAccountClient, _ operation: Operation,
        _ progress: @escaping @Sendable (CalendarRun.Progress) -> Void, _ report: inout CalendarReport
    ) async throws {
        var run = CalendarRun(
            manager, calendar, account.open(calendar.href), operation, isDryRun: false, tell: progress)
        defer { report.add(run) }
        try await run()
    }
}

extension CalendarReport {
    fileprivate mutating func add(_ other: CalendarRun) {
        run.received.changed += other.received
        run.sent.new += other.sent.new
        run.sent.changed += other.sent.changed
        run.sent.removed += other.sent.removed
        problems += other.problems
        notices += other.notices
    }
}
