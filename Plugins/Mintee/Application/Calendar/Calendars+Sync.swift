package import CivilDate
package import HubKit
import MinteeDomain
import Storage
package import Sync

extension Calendars {
    /// Syncs the calendar of an account with the tasks here; it is created if it is missing.
    package func sync(
        _ account: Account, over connection: any CalendarAccountClient, _ request: SyncRequest,
        into report: inout SyncReport<CalendarReport>
    ) async throws {
        // A dry run does not create a missing calendar.
        if request.isDryRun {
            guard let known = try await store.read({ try $0.calendar(of: account.name) }) else {
                let window = window
                report.run.sent.new = try await store.read {
                    try $0.syncDays(window, account: account.name).days.count
                }
                return
            }
            return try await once(known, connection, request, &report)
        }
        let finding = try await calendar(of: account, over: connection)
        if finding.isNew { report.notices.append("the calendar \(finding.calendar.name) was created") }
        do {
            try await once(finding.calendar, connection, request, &report)
        } catch RemoteError.notFound(_) where !finding.isNew {
            // The calendar was deleted or moved. Local data is kept, and sent again.
            try await keep { try $0.forgetCalendar(of: account.name) }
            let again = try await calendar(of: account, over: connection)
            if again.isNew {
                report.notices.append(
                    "the calendar \(again.calendar.name) was missing on the server and has been recreated")
            }
            try await once(again.calendar, connection, request, &report)
        }
    }

    private func once(
        _ calendar: KnownCalendar, _ connection: any CalendarAccountClient, _ request: SyncRequest,
        _ report: inout SyncReport<CalendarReport>
    ) async throws {
        if request.isAwaited { connection.expectAnswersSoon() }
        // A completed period has other numbers, and perhaps another day to show.
        for _ in 0..<3 {
            if try await !run(calendar, connection, request, &report) || request.isDryRun { return }
        }
    }

    /// - Returns: whether another run has something to send.
    private func run(
        _ calendar: KnownCalendar, _ connection: any CalendarAccountClient, _ request: SyncRequest,
        _ report: inout SyncReport<CalendarReport>
    ) async throws -> Bool {
        let known = try await store.read { try $0.calendar(of: calendar.account) } ?? calendar
        var run = CalendarRun(
            self, known, connection.open(calendar.href), request.operation, isDryRun: request.isDryRun
        ) { progress in
            request.progress(progress.received + progress.sent + progress.listed, progress.total)
        }
        defer { report.add(run) }
        try await run.sync()
        return run.hasEdits
    }

    /// Returns the calendar among those found; nil if it is missing. Throws if it does not accept tasks.
    static func choice(
        among found: [DiscoveredCollection], of account: Account
    ) throws(HubError) -> DiscoveredCollection? {
        let named = found.filter { $0.name == account.calendar }
        if let fit = named.first(where: { $0.takesTodos && !$0.isReadOnly }) { return fit }
        guard let unfit = named.first else { return nil }
        throw HubError(
            .notFound, code: "calendar-unfit", "the calendar \(account.calendar) does not accept tasks",
            details: [
                unfit.isReadOnly
                    ? "it is read-only" : "it is for \(unfit.supported.sorted().joined(separator: ", "))"
            ],
            hint: "choose another one with --calendar NAME; it is created if missing")
    }

    /// Returns the known calendar of an account, or finds or creates it and stores it; `isNew` if it was created.
    private func calendar(
        of account: Account, over connection: any CalendarAccountClient
    ) async throws -> (calendar: KnownCalendar, isNew: Bool) {
        if let known = try await store.read({ try $0.calendar(of: account.name) }), known.name == account.calendar {
            return (known, false)
        }
        let chosen = try Self.choice(among: try await connection.calendars(), of: account)
        let place: DiscoveredCollection
        if let chosen { place = chosen } else { place = try await connection.createCalendar(account.calendar) }
        let calendar = KnownCalendar(account: account.name, href: place.href, name: account.calendar)
        try await keep { try $0.saveCalendar(calendar) }
        return (calendar, chosen == nil)
    }
}

/// The results of a sync of one account beyond its counts.
package struct CalendarReport: SyncDetails {
    /// A day that was not synced, with the reason.
    package struct Problem: Hashable, Sendable {
        /// The name of the task; nil for a to-do that exists only on the server.
        package let task: String?
        /// The day of the to-do; nil if unknown.
        package let date: CivilDate?
        /// The reason in one sentence.
        package let text: String
    }

    /// The days that were not synced.
    package internal(set) var problems: [Problem] = []
    /// Notices for the user, one sentence each.
    package internal(set) var notices: [String] = []

    package init() {}
}

extension SyncReport<CalendarReport> {
    fileprivate mutating func add(_ other: CalendarRun) {
        run.received.changed += other.received
        run.sent.new += other.sent.new
        run.sent.changed += other.sent.changed
        run.sent.removed += other.sent.removed
        self.problems += other.problems
        self.notices += other.notices
        run.problems = self.problems.count
    }
}
