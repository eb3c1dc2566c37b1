package import Sync
import System

/// One sync of one calendar, from the first request to the last commit. All changes of a sync are one operation.
package struct CalendarRun {
    /// The progress of a sync.
    package typealias Progress = SyncProgress

    private var driver: SyncDriver<LocalCalendar>

    init(
        _ manager: Calendars, _ known: KnownCalendar, _ link: any CalendarClient, _ operation: Operation,
        isDryRun: Bool, tell: @escaping @Sendable (Progress) -> Void
    ) {
        driver = SyncDriver(
            LocalCalendar(manager, known, link, operation, isDryRun: isDryRun), over: link, policy: .calendar,
            options: SyncOptions(isDryRun: isDryRun, progress: tell))
    }

    /// Syncs once. Throws ``RemoteError`` if the server cannot be reached; earlier changes are kept.
    mutating func sync() async throws { try await driver.run() }

    /// The number of days changed here by the server.
    var received: Int { driver.local.received }
    /// Whether a to-do of a period was changed on the server; another run sends what follows from that.
    var hasEdits: Bool { driver.local.hasEdits }
    /// The counts of sent changes.
    var sent: SyncLogEntry.Counts { driver.sent }
    /// Notices for the user, one sentence each.
    var notices: [String] { driver.local.notices }
    /// The days that were not synced.
    var problems: [CalendarReport.Problem] { driver.local.problems }
}

extension SyncPolicy {
    /// A to-do that was deleted on the server is created again; a deletion there never changes anything here. A changed
    /// day is written into the to-do that is there, which keeps the properties of other programs.
    static var calendar: SyncPolicy {
        var policy = SyncPolicy()
        policy.remoteDeletion = .createsAgain
        policy.fetchesBeforeUpdate = true
        policy.confirmsRemovals = false
        return policy
    }
}
