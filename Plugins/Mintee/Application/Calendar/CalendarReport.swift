package import CivilDate
package import HubKit
import MinteeDomain
package import Sync

/// The result of a sync of one account.
package struct CalendarReport: Sendable {
    /// A day that was not synced, with the reason.
    package struct Problem: Hashable, Sendable {
        /// The name of the task; nil for a to-do that exists only on the server.
        package let task: String?
        /// The day of the to-do; nil if unknown.
        package let date: CivilDate?
        /// The reason in one sentence.
        package let text: String
    }

    /// The stored record of the run.
    package internal(set) var run: SyncLogEntry
    /// The days that were not synced.
    package internal(set) var problems: [Problem] = []
    /// Notices for the user, one sentence each.
    package internal(set) var notices: [String] = []
    /// The error that ended the sync; earlier changes are kept.
    package internal(set) var failure: HubError?
    /// The command or service that synced while this one waited; nil if this one synced.
    package internal(set) var doneBy: String?

    /// The name of the account.
    package var account: String { run.account }

    init(_ run: SyncLogEntry) { self.run = run }
}

extension SyncProblem<TaskDay> {
    /// The reason in one sentence.
    var text: String {
        switch reason {
        case .readOnly, .readOnlyRemoval: "the calendar is read-only; changes here are not sent"
        case .refused(.tooLarge(let reason)): "too large, or no space on the server: \(reason)"
        case .refused(let refusal): "rejected by the server: \(refusal.reason)"
        case .notRemovable(let refusal): "could not be deleted on the server: \(refusal.reason)"
        case .sameUID, .sameUIDHere: "another to-do on the server has the same UID"
        case .busy: "it keeps changing on the server; the next sync tries again"
        case .changedHere: "it was changed here meanwhile; the next sync compares it"
        case .unreadable: "\(href ?? "the item") is no longer a to-do created by hub"
        case .unfetchable(let reason): "\(href ?? "the item") could not be fetched (\(reason)); will be retried"
        }
    }
}
