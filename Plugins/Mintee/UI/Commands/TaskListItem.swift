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
        Field<TaskListItem>("start", "FROM", help: "first day", column: .onRequest) { FieldValue($0.span?.start) },
        Field<TaskListItem>(
            "end", "TO", help: "last day; null for no end date", column: .ifRoom(2)
        ) { $0.record.draft.hasOpenEnd ? .null : FieldValue($0.span?.end) },
        Field<TaskListItem>(
            "tags", "TAGS", help: "tags of the task", column: .ifRoom(1),
            cell: { $0.record.draft.tags.joined(separator: ", ") }
        ) { FieldValue($0.record.draft.tags) },
        Field<TaskListItem>("remind_at", "REMIND", help: "reminder time, HH:mm", column: .ifRoom(3)) {
            FieldValue($0.record.draft.remindAt.map(TaskListItem.clock))
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

    private var span: DateSpan? {
        switch record.draft.schedule {
        case .recurring(let start, let end, _): DateSpan(from: start, to: end)
        case .specific(let dates):
            dates.first.flatMap { first in dates.last.map { DateSpan(from: first, to: $0) } }
        }
    }

    /// Minutes after midnight as `HH:mm`.
    static func clock(_ minutes: Int) -> String {
        [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
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
