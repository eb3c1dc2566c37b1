import CivilDate
import HubKit
import MinteeDomain

/// `hub mintee today`: shows the due tasks of a day.
enum TodayCommand {
    private static let day = Arguments<DateExpression>(
        "DATE", .optional, help: "day, such as yesterday, mon or 2026-11-20; default today")

    static let command = Command(
        "today", summary: "show due tasks of today or another day",
        examples: [
            Example("hub mintee today", "due today"), Example("hub mintee today yesterday", "due yesterday"),
        ], parameters: [day], fields: DueTask.fields
    ) { (mintee: MinteePlugin, input: Input) in
        let date = input[day].first?.day(today: mintee.day.today, .back) ?? mintee.day.today
        let items = try await mintee.getDay(date)
        var output = Output.list(try await mintee.due(items), DueTask.fields)
        if items.isEmpty {
            let isNew = try await mintee.getTasks(limit: 1).isEmpty
            output.notes.append(isNew ? MinteeCommand.empty : Diagnostic("Nothing is due on \(date.longText)"))
        } else {
            output.heading = ["\(date.longText): \(summary(items)) done"]
        }
        return output
    }

    /// The number of tasks that are done: `2 of 4`.
    static func summary(_ items: [GetDay.Item]) -> String {
        let counted = items.filter(\.state.counts)
        return "\(counted.count { $0.state.isReached }) of \(counted.count)"
    }
}

/// A task on a day as a row of a table. It is a class because each cell gets all of it.
final class DueTask: Sendable {
    let item: GetDay.Item
    /// The shortest unique prefix of the id.
    let shortID: String

    init(item: GetDay.Item, shortID: String) {
        self.item = item
        self.shortID = shortID
    }

    /// The columns of a day.
    static let fields = [
        Field<DueTask>("id", "ID", help: "id of the task") { .id($0.item.task.id, shown: $0.shortID.count) },
        Field<DueTask>("name", "TASK", help: "name of the task") { .text($0.item.task.draft.name) },
        Field<DueTask>("value", "VALUE", help: "value entered; 0 if none", align: .trailing) {
            .number(NumberText.text($0.item.value))
        },
        Field<DueTask>("target", "TARGET", help: "target of the day") { .text($0.item.targetText) },
        Field<DueTask>(
            "state", "STATE", help: "done, under, over or skipped",
            tone: { $0.item.state.isReached ? .good : $0.item.state.category == .over ? .bad : .plain }
        ) { .text($0.item.stateText) },
        Field<DueTask>("streak", "STREAK", help: "number of consecutive due days reached", align: .trailing) {
            .integer($0.item.streak)
        },
        Field<DueTask>(
            "week", "LAST 7 DAYS", help: "last seven days: reached, under, over, skipped or none",
            column: .ifRoom(1),
            cell: {
                let (week, pattern) = (DayGlyphs.week($0.item), $0.item.patternText)
                return pattern.isEmpty ? week : "\(week)  \(pattern)"
            }
        ) { FieldValue($0.item.week.map(\.name)) },
        Field<DueTask>(
            "pattern", "DAYS", help: "due days of the matching target set, unless daily", column: .onRequest
        ) {
            .text($0.item.patternText)
        },
        Field<DueTask>("note", "NOTE", help: "note of the day", column: .onRequest) {
            FieldValue($0.item.entry?.note)
        },
        Field<DueTask>("skip", "SKIPPED", help: "reason for skipping the day", column: .onRequest) {
            FieldValue($0.item.entry?.skipReason)
        },
        Field<DueTask>("tags", "TAGS", help: "tags of the task", column: .onRequest) {
            FieldValue($0.item.task.draft.tags)
        },
        Field<DueTask>("open", "OPEN", help: "whether the target can still be reached", column: .onRequest) {
            .bool($0.item.isOpen)
        },
        Field<DueTask>("meter", "METER", help: "progress toward the target, 0 to 1", column: .onRequest) {
            .number(DecimalText.text($0.item.meter, digits: 3))
        },
        Field<DueTask>(
            "status", "STATUS", help: "satisfactory, borderline or unsatisfactory",
            column: .onRequest
        ) { .text($0.item.status.name) },
    ]
}

extension MinteePlugin {
    /// The due tasks as rows.
    func due(_ items: [GetDay.Item]) async throws -> [DueTask] {
        let short = try await shortenIDs(items.map(\.task.id))
        return items.map { DueTask(item: $0, shortID: short[$0.task.id] ?? $0.task.id) }
    }
}
