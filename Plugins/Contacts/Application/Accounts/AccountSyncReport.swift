package import ContactsDomain
package import HubKit
package import Sync

/// The result of syncing one account.
package struct AccountSyncReport: Sendable {
    /// The outcome as it is stored.
    package internal(set) var run: SyncLogEntry
    /// The new conflicts.
    package internal(set) var conflicts: [BookSyncReport.KeptConflict] = []
    /// The items that were skipped for the first time.
    package internal(set) var problems: [BookSyncReport.Problem] = []
    /// The number of items that were skipped, as in earlier syncs.
    package internal(set) var standing = 0
    /// The sent contacts that the server did not store completely.
    package internal(set) var losses: [BookSyncReport.Loss] = []
    /// The contacts in no book that have the same `UID` as a received card.
    package internal(set) var twins: [ContactSummary] = []
    /// The errors of the books that could not be synced, while others were.
    package internal(set) var bookFailures: [HubError] = []
    /// The removals that the user did not confirm; none of them was done.
    package internal(set) var withheld: [SyncQuestion] = []
    /// The changes of the books themselves, such as a new one, one sentence each.
    package internal(set) var news: [String] = []
    /// Messages about the books, one sentence each.
    package internal(set) var notices: [String] = []
    /// The error that ended the sync; earlier results are stored.
    package internal(set) var failure: HubError?
    /// The command or service that synced the account while this one waited; nil if this one did.
    package internal(set) var doneBy: String?

    /// The name of the account.
    package var account: String { run.account }

    init(_ run: SyncLogEntry) { self.run = run }

    /// Adds the result of one book.
    mutating func add(_ report: BookSyncReport, notices: [String]) {
        run.received.add(report.received)
        run.sent.add(report.sent)
        run.merged += report.merged
        conflicts += report.conflicts
        problems += report.problems
        standing += report.standing
        losses += report.losses
        twins += report.twins
        if let question = report.withheld { withheld.append(question) }
        self.notices += notices
        run.conflicts = conflicts.count
        countProblems()
    }

    /// Adds books that could not be synced.
    mutating func fail(_ failures: [HubError]) {
        bookFailures += failures
        countProblems()
    }

    private mutating func countProblems() {
        run.problems = problems.count + standing + withheld.count + bookFailures.count
    }
}

extension SyncLogEntry.Counts {
    fileprivate mutating func add(_ counts: BookSyncReport.Counts) {
        new += counts.new
        changed += counts.changed
        removed += counts.removed
    }
}
