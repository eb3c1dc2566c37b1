package import CivilDate
package import HubKit
package import Links

/// What a sync of one account did.
package struct CalendarReport: Sendable {
    /// A day that was not synced, and why.
    package struct Problem: Hashable, Sendable {
        /// The task; nil for a to-do that is only on the other side.
        package let task: String?
        package let date: CivilDate?
        /// The reason in one sentence.
        package let text: String
    }

    /// How it went, as it is kept.
    package internal(set) var run: AccountRun
    /// What was left as it is.
    package internal(set) var problems: [Problem] = []
    /// What a person should know, a sentence each.
    package internal(set) var notices: [String] = []
    /// Why it failed; what was done before is kept.
    package internal(set) var failure: HubError?
    /// Another command or service that did it while this one waited; nil when this one did.
    package internal(set) var doneBy: String?

    /// The account's name.
    package var account: String { run.account }

    init(_ run: AccountRun) { self.run = run }
}
