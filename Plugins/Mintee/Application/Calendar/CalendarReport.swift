package import CivilDate
package import HubKit
package import Links

/// The result of a sync of one account.
package struct CalendarReport: Sendable {
    /// A day that was not synced, and why.
    package struct Problem: Hashable, Sendable {
        /// The task; nil for a to-do that is only on the other side.
        package let task: String?
        /// The day of the to-do; nil if unknown.
        package let date: CivilDate?
        /// The reason in one sentence.
        package let text: String
    }

    /// The stored record of the run.
    package internal(set) var run: AccountRun
    /// The days that were not synced.
    package internal(set) var problems: [Problem] = []
    /// Notices for the user, one sentence each.
    package internal(set) var notices: [String] = []
    /// The error that ended the sync; earlier changes are kept.
    package internal(set) var failure: HubError?
    /// Another command or service that did it while this one waited; nil when this one did.
    package internal(set) var doneBy: String?

    /// The account's name.
    package var account: String { run.account }

    init(_ run: AccountRun) { self.run = run }
}
