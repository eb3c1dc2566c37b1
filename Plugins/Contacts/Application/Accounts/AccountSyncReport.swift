package import ContactsDomain
package import HubKit
package import Links

/// What a sync of one account did.
package struct AccountSyncReport: Sendable {
    /// How it went, as it is kept.
    package internal(set) var run: AccountRun
    /// The conflicts that were found.
    package internal(set) var conflicts: [BookSyncReport.KeptConflict] = []
    /// What was left as it is, and was not before.
    package internal(set) var problems: [BookSyncReport.Problem] = []
    /// How many more items were left as they are, as in earlier syncs.
    package internal(set) var standing = 0
    /// What was not kept there of what was sent.
    package internal(set) var losses: [BookSyncReport.Loss] = []
    /// Contacts that are only here, whose card came as another contact.
    package internal(set) var twins: [ContactSummary] = []
    /// The books that could not be synced, while others were.
    package internal(set) var bookFailures: [HubError] = []
    /// What a person did not agree to remove; nothing of it was.
    package internal(set) var withheld: [SyncQuestion] = []
    /// What has changed with the books themselves and is no problem, a sentence each.
    package internal(set) var news: [String] = []
    /// What a person should know of the books, a sentence each.
    package internal(set) var notices: [String] = []
    /// Why it failed; what was done before is kept.
    package internal(set) var failure: HubError?
    /// Another command or service that did it while this one waited; nil when this one did.
    package internal(set) var doneBy: String?

    /// The account's name.
    package var account: String { run.account }

    init(_ run: AccountRun) { self.run = run }

    /// Adds what a sync of one of its books did.
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

extension AccountRun.Counts {
    fileprivate mutating func add(_ counts: BookSyncReport.Counts) {
        new += counts.new
        changed += counts.changed
        removed += counts.removed
    }
}
