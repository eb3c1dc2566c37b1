package import ContactsDomain
package import HubKit
package import Sync

/// The results of syncing an account beyond its counts.
package struct AccountSyncDetails: SyncDetails {
    /// The new conflicts.
    package internal(set) var conflicts: [BookSyncReport.KeptConflict] = []
    /// The items that were skipped for the first time.
    package internal(set) var problems: [BookSyncReport.Problem] = []
    /// The number of items that were skipped, as in earlier syncs.
    package internal(set) var standing = 0
    /// The sent contacts that the server did not store completely.
    package internal(set) var losses: [BookSyncReport.Loss] = []
    /// The contacts whose picture was too large for the account.
    package internal(set) var pictures: [BookSyncReport.Picture] = []
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

    package init() {}
}

extension SyncReport<AccountSyncDetails> {
    /// Adds the result of one book.
    mutating func add(_ report: BookSyncReport, notices: [String]) {
        run.received.add(report.received)
        run.sent.add(report.sent)
        run.merged += report.merged
        self.conflicts += report.conflicts
        self.problems += report.problems
        self.standing += report.standing
        self.losses += report.losses
        self.twins += report.twins
        self.pictures += report.pictures
        if let question = report.withheld { self.withheld.append(question) }
        self.notices += notices
        run.conflicts = self.conflicts.count
        countProblems()
    }

    /// Adds books that could not be synced.
    mutating func fail(_ failures: [HubError]) {
        self.bookFailures += failures
        countProblems()
    }

    private mutating func countProblems() {
        run.problems = self.problems.count + self.standing + self.withheld.count + self.bookFailures.count
    }
}
