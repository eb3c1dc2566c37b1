package import HubKit
import Links
import MinteeDomain

/// Syncs the calendar of one account with the tasks here. Only one process syncs an account at a time.
package struct SyncCalendar: Sendable {
    let desk: CalendarDesk
    /// Returns a random number in 0..<1 for the time of the next sync.
    let jitter: @Sendable () -> Double

    /// Creates the use case; `jitter` returns a number in 0..<1 that spreads retries.
    package init(_ desk: CalendarDesk, jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) {
        self.desk = desk
        self.jitter = jitter
    }

    /// Syncs `setup`; the report includes failures. If another process is already syncing the account, calls `waiting`
    /// with it, and returns its result.
    package func callAsFunction(
        _ setup: AccountSetup, isDryRun: Bool = false, operation: Operation,
        waiting: @Sendable (Lease.Holder?) async -> Void = { _ in },
        progress: @escaping @Sendable (CalendarRun.Progress) -> Void = { _ in }
    ) async throws -> CalendarReport {
        let before = try await lastRun(setup.name)
        return try await desk.register.inTurn(at: setup.name, waiting: waiting) { holder in
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
    func ifFree(_ setup: AccountSetup, operation: Operation) async throws -> CalendarReport? {
        guard let lease = try desk.register.leases.tryAcquire(CalendarDesk.words.lease(setup.name)) else { return nil }
        defer { withExtendedLifetime(lease) {} }
        return try await run(setup, false, operation) { _ in }
    }

    private func lastRun(_ account: String) async throws -> AccountRun? {
        try await desk.store.read { try $0.calendarRun(account) }
    }

    private func run(
        _ setup: AccountSetup, _ isDryRun: Bool, _ operation: Operation,
        _ progress: @escaping @Sendable (CalendarRun.Progress) -> Void
    ) async throws -> CalendarReport {
        let start = desk.clock.monotonicNow
        let before = try await lastRun(setup.name)
        var report = CalendarReport(AccountRun(account: setup.name, finishedAt: 0, milliseconds: 0, nextAt: 0))
        var retryAfter: Int?
        do {
            try await sync(setup, isDryRun, operation, progress, &report)
        } catch let error as LinkError {
            report.failure = desk.register.fitting(error.hubError(setup.name), account: setup.name)
            retryAfter = error.retryAfter
        } catch let error as HubError where error.kind != .internal {
            report.failure = error
            retryAfter = (error.cause as? LinkError)?.retryAfter
        }
        report.run.end(
            report.failure, at: desk.clock.now, after: desk.clock.monotonicNow - start, before: before,
            every: setup.account.every, retryAfter: retryAfter, jitter: jitter())
        report.run.problems = report.problems.count
        if !isDryRun {
            let run = report.run
            try await desk.keep { try $0.saveCalendarRun(run) }
        }
        return report
    }

    private func sync(
        _ setup: AccountSetup, _ isDryRun: Bool, _ operation: Operation,
        _ progress: @escaping @Sendable (CalendarRun.Progress) -> Void, _ report: inout CalendarReport
    ) async throws {
        try desk.register.requireNetwork()
        let account = try await desk.link(to: setup)
        if isDryRun {
            // A dry run does not create a missing calendar.
            guard let known = try await desk.store.read({ try $0.calendar(of: setup.name) }) else {
                let window = desk.window
                report.run.sent.new = try await desk.store.read {
                    try $0.syncDays(window, account: setup.name).days.count
                }
                return
            }
            var run = CalendarRun(desk, known, account.open(known.href), operation, isDryRun: true, tell: progress)
            defer { report.add(run) }
            return try await run()
        }
        let find = FindCalendar(desk: desk)
        let finding = try await find(setup, over: account)
        if finding.isNew { report.notices.append("the calendar \(finding.calendar.name) was created") }
        do {
            try await once(finding.calendar, account, operation, progress, &report)
        } catch LinkError.notFound(_) where !finding.isNew {
            // The calendar was deleted or moved. Local data is kept, and sent again.
            try await desk.keep { try $0.forgetCalendar(of: setup.name) }
            let again = try await find(setup, over: account)
            if again.isNew {
                report.notices.append(
                    "the calendar \(again.calendar.name) was missing on the server and has been recreated")
            }
            try await once(again.calendar, account, operation, progress, &report)
        }
    }

    private func once(
        _ calendar: KnownCalendar, _ account: any CalendarAccountLink, _ operation: Operation,
        _ progress: @escaping @Sendable (CalendarRun.Progress) -> Void, _ report: inout CalendarReport
    ) async throws {
        var run = CalendarRun(desk, calendar, account.open(calendar.href), operation, isDryRun: false, tell: progress)
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
