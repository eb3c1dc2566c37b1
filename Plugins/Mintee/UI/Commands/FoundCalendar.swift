import HubKit
import Sync

/// A calendar found on a server.
struct FoundCalendar: Sendable {
    let calendar: DiscoveredCollection

    static let fields = [
        Field<FoundCalendar>("name", "CALENDAR", help: "name of the calendar") { .text($0.calendar.name) },
        Field<FoundCalendar>("todos", "TASKS", help: "whether the calendar accepts tasks") {
            .bool($0.calendar.takesTodos)
        },
        Field<FoundCalendar>("read_only", "READ ONLY", help: "whether the calendar is read-only") {
            .bool($0.calendar.isReadOnly)
        },
        Field<FoundCalendar>("href", "PATH", help: "path on the server", column: .onRequest) {
            .text($0.calendar.href)
        },
    ]

    /// The calendar in one line.
    var line: String {
        calendar.name + (calendar.takesTodos ? "" : " (no tasks)") + (calendar.isReadOnly ? " (read-only)" : "")
    }

    /// The output of `add` and `edit`.
    static func output(_ account: Account, _ calendars: [DiscoveredCollection], isNew: Bool) -> Output {
        let found = calendars.map { FoundCalendar(calendar: $0) }
        var output = Output.report(found, fields)
        let isThere = calendars.contains { $0.name == account.calendar }
        output.human = [
            "\(account.name) is \(isNew ? "connected" : "changed"): \(account.place), "
                + (isThere
                    ? "calendar \(account.calendar)" : "the first sync will create the calendar \(account.calendar)"),
            "Next: hub mintee sync \(account.name)",
        ]
        return output
    }
}
