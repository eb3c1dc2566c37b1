import CivilDate
package import Commands
package import HubKit
package import Sync

/// What accounts show in `accounts`, `sync` and `status`.
extension MinteePlugin: AccountPlugin {
    /// The fields of a calendar as the server reports it.
    package static let itemFields = [
        Field<DiscoveredCollection>("name", "CALENDAR", help: "name of the calendar") { .text($0.name) },
        Field<DiscoveredCollection>("todos", "TASKS", help: "whether the calendar accepts tasks") {
            .bool($0.takesTodos)
        },
        Field<DiscoveredCollection>("read_only", "READ ONLY", help: "whether the calendar is read-only") {
            .bool($0.isReadOnly)
        },
        Field<DiscoveredCollection>("href", "PATH", help: "path on the server", column: .onRequest) { .text($0.href) },
    ]

    /// The columns about the calendar of an account.
    package static let accountColumns = [
        Field<AccountStatus<Calendars.State>>(
            "calendar", "CALENDAR", help: "calendar for tasks", column: .ifRoom(1)
        ) { .text($0.setup.account.calendar) },
        Field<AccountStatus<Calendars.State>>(
            "days", "DAYS", help: "number of task days in the calendar", align: .trailing
        ) { .integer($0.state.todos) },
    ]

    /// Returns a calendar in one line.
    package static func line(_ calendar: DiscoveredCollection) -> String {
        calendar.name + (calendar.takesTodos ? "" : " (no tasks)") + (calendar.isReadOnly ? " (read-only)" : "")
    }

    /// Returns which calendar is used.
    package static func summary(of calendars: [DiscoveredCollection], in account: Account) -> AccountSummary {
        let isThere = calendars.contains { $0.name == account.calendar }
        return AccountSummary(
            isThere ? "calendar \(account.calendar)" : "the first sync will create the calendar \(account.calendar)")
    }

    /// Returns the messages about a sync: days that were not synced, and notices.
    package func notes(on report: SyncReport<CalendarReport>) async throws -> [Diagnostic] {
        let name = report.run.account
        var notes = report.problems.prefix(10).map { problem in
            let who = [problem.task, problem.date?.description].compactMap(\.self).joined(separator: ", ")
            return Diagnostic.warning("\(who.isEmpty ? name : who): \(problem.text)", code: "not-synced")
        }
        if report.problems.count > 10 {
            notes.append(.warning("\(name): and \(report.problems.count - 10) more", code: "not-synced"))
        }
        return notes + report.notices.map { Diagnostic("\(name): \($0)", code: "calendar-notice") }
    }
}
