import CivilDate
import Commands
import HubKit
import MinteeDomain

/// A task as a row of a table.
typealias ListedTask = ListedEntity<TaskRecord>

/// The columns of tasks.
enum TaskListItem {
    /// The columns of every list of tasks.
    static let fields: [Field<ListedTask>] = [
        .id(of: "task"), .name("TASK", of: "task"),
        Field<ListedTask>(
            "sets", "DAYS AND TARGET", help: "target sets by priority, or the dates of a specific task",
            cell: { $0.summary.draft.daysText }
        ) { $0.summary.days },
        Field<ListedTask>("start", "FROM", help: "first day", column: .onRequest) {
            FieldValue($0.summary.draft.firstDay)
        },
        Field<ListedTask>(
            "end", "TO", help: "last day; null for no end date", column: .ifRoom(2)
        ) { $0.summary.draft.hasOpenEnd ? .null : FieldValue($0.summary.lastDay) },
        Field<ListedTask>(
            "tags", "TAGS", help: "tags of the task", column: .ifRoom(1),
            cell: { $0.summary.draft.tags.joined(separator: ", ") }
        ) { FieldValue($0.summary.draft.tags) },
        Field<ListedTask>("remind_at", "REMIND", help: "reminder time, HH:mm", column: .ifRoom(3)) {
            FieldValue($0.summary.draft.reminderTime)
        },
        Field<ListedTask>("section", "SECTION", help: "section of the day; null for none", column: .onRequest) {
            FieldValue($0.summary.draft.section)
        },
        Field<ListedTask>("notes", "NOTES", help: "notes of the task", column: .onRequest) {
            .text($0.summary.draft.notes)
        },
        Field<ListedTask>("kind", "KIND", help: "Recurring or Specific", column: .onRequest) {
            .text($0.summary.draft.schedule.kind.name)
        },
        Field<ListedTask>("revision", "REVISION", help: "revision, incremented by every change", column: .onRequest) {
            .integer($0.summary.revision)
        },
    ]
}

extension TaskRecord {
    fileprivate var days: FieldValue {
        switch draft.schedule {
        case .recurring(_, _, let sets): FieldValue(sets.map(\.description))
        case .specific(let dates): .list(dates.map(FieldValue.day))
        }
    }

    fileprivate var lastDay: CivilDate? {
        switch draft.schedule {
        case .recurring(_, let end, _): end
        case .specific(let dates): dates.last
        }
    }
}
