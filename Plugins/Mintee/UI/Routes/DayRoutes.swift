import CivilDate
import Commands
import HubKit
import MinteeDomain

/// Routes for the due tasks of a day and their entries, with the use cases of `today`, `done`, `set`, `up`, `down`,
/// `skip`, `unskip`, `note` and `clear`.
enum DayRoutes {
    static let all = [
        Route(
            .get, "/api/mintee/days/{date}", summary: "list due tasks of a date; default today",
            fields: DayView.fields
        ) {
            (mintee: MinteePlugin, request) in
            let today = mintee.day.today
            let date = try date(request, today: today)
            let items = try await mintee.due(try await mintee.dueTasks(on: date))
            return .output(.record(DayView(date: date, today: today, items: items), DayView.fields))
        },
        Route(
            .get, "/api/mintee/months/{month}", summary: "list the days of all tasks in a month",
            details: "a month such as 2026-11, or `today` for this one", fields: MonthView.fields
        ) { (mintee: MinteePlugin, request) in
            let today = mintee.day.today
            let text = request.captures["month"] ?? "today"
            let parts = today.components
            let thisMonth = CivilDate(year: parts.year, month: parts.month, day: 1) ?? today
            let first = text == "today" ? thisMonth : try RouteRequest.day(text + "-01")
            let view = MonthView(first: first, today: today, tasks: try await mintee.month(from: first))
            return .output(.record(view, MonthView.fields))
        },
        Route(
            .post, "/api/mintee/tasks/{id}/days/{date}",
            summary: "change the entry of a day", details: "`do` is set, done, up, down, skip, unskip, note or clear",
            body: #"{"do": "set", "value": null, "by": null, "text": null}"#, required: ["do"]
        ) { (mintee: MinteePlugin, request) in
            let date = try date(request, today: mintee.day.today)
            let change = try EntryChange(try request.json(), mintee.config)
            let result = try await mintee.logCompletion(
                of: try request.id, on: date, change, operation: request.operation)
            return .output(.record(result, TaskEntry.fields + [TaskEntry.told, goal]))
        },
        Route(
            .get, "/api/mintee/tasks/{id}/entries", summary: "list the entries of a task, newest day first",
            query: [.cursor, .limit(of: "days"), .init("before", "only days before this one")]
        ) {
            (mintee: MinteePlugin, request) in
            let limit = try request.number("limit", in: 1...500) ?? 50
            let id = try request.id
            let record = try await mintee.details(of: id).task
            let last = try (request.day("cursor") ?? request.day("before"))?.adding(days: -1)
            let all = try await mintee.entries(of: id, to: last).suffix(limit + 1).reversed()
            let rows = all.prefix(limit).map { day, entry in
                TaskEntry(entry, of: record, on: day, streak: nil)
            }
            let next = all.count > limit ? rows.last.map { "?limit=\(limit)&cursor=\($0.day)" } : nil
            let fields = TaskEntry.fields.filter { $0.descriptor.name != "streak" }
            return .page(.list(rows, fields), next: next.map { "/api/mintee/tasks/\(id)/entries\($0)" })
        },
    ]

    private static let goal = Field<TaskEntry>(
        "goal", "GOAL", help: "target in words; empty if a day is only done or not"
    ) { .text($0.target?.goal ?? "") }

    private static func date(_ request: RouteRequest, today: CivilDate) throws -> CivilDate {
        let text = request.captures["date"] ?? "today"
        return text == "today" ? today : try RouteRequest.day(text)
    }
}

/// A day with its due tasks.
private struct DayView: Sendable {
    let date: CivilDate
    let today: CivilDate
    let items: [DueTaskItem]

    static let fields = [
        Field<DayView>("date", "DATE", help: "the day") { .day($0.date) },
        Field<DayView>("today", "TODAY", help: "current day") { .day($0.today) },
        Field<DayView>("title", "TITLE", help: "day in words") { .text($0.date.longText) },
        Field<DayView>("reached", "REACHED", help: "number of tasks that reached their target") { day in
            .integer(day.items.count { $0.item.state.isReached })
        },
        Field<DayView>("counted", "COUNTED", help: "number of due tasks, without skipped ones") { day in
            .integer(day.items.count { $0.item.state.counts })
        },
        Field<DayView>("tasks", "TASKS", help: "due tasks") { day in
            .list(day.items.map { FieldValue($0, rowFields) })
        },
    ]

    private static let rowFields =
        DueTaskItem.fields + [
            Field<DueTaskItem>("goal", "GOAL", help: "target in words; empty if a day is only done or not") {
                .text($0.item.targetSet?.target.goal ?? "")
            },
            Field<DueTaskItem>("settled", "SETTLED", help: "whether nothing is left to do") {
                .bool($0.item.isSettled && !$0.item.isUntouchedLimit)
            },
            Field<DueTaskItem>("limit", "LIMIT", help: "whether a period has an upper bound alone") {
                .bool($0.item.period.map { $0.needed == nil } ?? false)
            },
            Field<DueTaskItem>("counts", "COUNTS", help: "whether values are entered, and not only done or not") {
                .bool($0.item.isCount)
            },
        ]
}

/// A month with the days of its tasks.
private struct MonthView: Sendable {
    let first: CivilDate
    let today: CivilDate
    let tasks: [TaskMonth]

    static let fields = [
        Field<MonthView>("first", "FIRST", help: "first day of the month") { .day($0.first) },
        Field<MonthView>("last", "LAST", help: "last day of the month") { .day($0.last) },
        Field<MonthView>("today", "TODAY", help: "current day") { .day($0.today) },
        Field<MonthView>(
            "tasks", "TASKS", help: "tasks that may be done in the month, with a state and a value for each day"
        ) {
            view in
            .list(
                view.tasks.map { task in
                    .object([
                        .init("id", .text(task.task.id)), .init("name", .text(task.task.draft.name)),
                        .init("section", FieldValue(task.task.draft.section)),
                        .init("goal", .text(task.task.draft.set(on: view.first)?.target.goal ?? "")),
                        .init("reached", .integer(task.result(from: view.first, to: view.today).reached)),
                        .init("counted", .integer(task.result(from: view.first, to: view.today).counted)),
                        .init("states", FieldValue(task.states.map(\.name))),
                        .init("values", .list(task.values.map { .number(NumberText.text($0)) })),
                    ])
                })
        },
    ]

    private var last: CivilDate {
        let parts = first.components
        return first.adding(days: CivilDate.daysInMonth(parts.month, of: parts.year) - 1)
    }
}

extension EntryChange {
    /// Parses the change of a request: `{"do": "set", "value": "2.5"}`, `{"do": "up", "by": 2}`, `{"do": "skip",
    /// "text": "a cold"}`.
    init(_ json: JSONValue, _ config: Config) throws(HubError) {
        func count() throws(HubError) -> Double {
            guard let by = json["by"] else { return 1 }
            guard let count = by.double, count > 0, count <= 1_000_000 else {
                throw HubError(field: "by", "must be a number above 0, at most 1,000,000")
            }
            return count
        }
        func text() throws(HubError) -> String {
            guard let value = json["text"], value != .null else { return "" }
            guard let text = value.string else { throw HubError(field: "text", "must be a string") }
            return try EntryChange.checked(text)
        }
        switch json["do"]?.string {
        case "set":
            switch json["value"] {
            case .string(let text)?: self = try EntryChange(value: text, config.decimalMark(of: json))
            case let value?:
                guard let number = value.double, abs(number) < 1e308 else {
                    throw HubError(field: "value", "must be a number, or a string with a number")
                }
                self = .value(number)
            case nil: throw HubError(field: "value", "is missing")
            }
        case "done": self = .done
        case "up": self = .more(try count())
        case "down": self = .more(-(try count()))
        case "skip": self = .skip(try text())
        case "unskip": self = .unskip
        case "note": self = .note(try text())
        case "clear": self = .clear
        default:
            throw HubError(
                .invalid, code: "change-unknown", "the request has no valid do field",
                details: ["do is set, done, up, down, skip, unskip, note or clear"])
        }
    }
}
