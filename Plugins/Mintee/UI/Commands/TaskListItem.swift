import CivilDate
import HubKit
import MinteeDomain

/// A task as a row of a table.
struct TaskListItem: Sendable {
    let record: TaskRecord
    /// The shortest unique prefix of the id.
    let shortID: String

    /// The columns of every list of tasks.
    static let fields = [
        Field<TaskListItem>("id", "ID", help: "id of the task") { .id($0.record.id, shown: $0.shortID.count) },
        Field<TaskListItem>("name", "TASK", help: "name of the task") { .text($0.record.draft.name) },
        Field<TaskListItem>(
            "sets", "DAYS AND TARGET", help: "target sets by priority, or the dates of a specific task",
            cell: { $0.record.draft.daysText }
        ) { $0.days },
        Field<TaskListItem>("start", "FROM", help: "first day", column: .onRequest) {
            FieldValue($0.record.draft.firstDay)
        },
        Field<TaskListItem>(
            "end", "TO", help: "last day; null for no end date", column: .ifRoom(2)
        ) { $0.record.draft.hasOpenEnd ? .null : FieldValue($0.lastDay) },
        Field<TaskListItem>(
            "tags", "TAGS", help: "tags of the task", column: .ifRoom(1),
            cell: { $0.record.draft.tags.joined(separator: ", ") }
        ) { FieldValue($0.record.draft.tags) },
        Field<TaskListItem>("remind_at", "REMIND", help: "reminder time, HH:mm", column: .ifRoom(3)) {
            FieldValue($0.record.draft.reminderTime)
        },
        Field<TaskListItem>("notes", "NOTES", help: "notes of the task", column: .onRequest) {
            .text($0.record.draft.notes)
        },
        Field<TaskListItem>("kind", "KIND", help: "Recurring or Specific", column: .onRequest) {
            .text($0.record.draft.schedule.kind.name)
        },
        Field<TaskListItem>("revision", "REVISION", help: "revision, incremented by every change", column: .onRequest) {
            .integer($0.record.revision)
        },
    ]

    private var days: FieldValue {
        switch record.draft.schedule {
        case .recurring(_, _, let sets): FieldValue(sets.map(\.description))
        case .specific(let dates): .list(dates.map(FieldValue.day))
        }
    }

    private var lastDay: CivilDate? {
        switch record.draft.schedule {
        case .recurring(_, let end, _): end
        case .specific(let dates): dates.last
        }
    }
}

extension MinteePlugin {
    /// The tasks as rows.
    func listed(_ records: [TaskRecord]) async throws -> [TaskListItem] {
        let short = try await shortenIDs(records.map(\.id))
        return records.map { TaskListItem(record: $0, shortID: short[$0.id] ?? $0.id) }
    }

    /// A task in a sentence: `Read (7kt)`.
    func named(_ record: TaskRecord) async throws -> String {
        "\(record.draft.name) (\(try await shortenIDs([record.id])[record.id] ?? record.id))"
    }
}
