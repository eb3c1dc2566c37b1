import CivilDate
import Commands
import HubKit
import MinteeDomain

/// `hub mintee today`: shows the due tasks of a day.
enum TodayCommand {
    private static let day = Arguments<DateExpression>(
        "DATE", .optional, help: "day, such as yesterday, mon or 2026-11-20 (default: today)")

    private static let open = Flag("open", help: "only tasks that are neither reached nor skipped")

    static let command = Command(
        "today", summary: "show due tasks of today or another day",
        examples: [
            Example("hub mintee today", "due today"), Example("hub mintee today yesterday", "due yesterday"),
            Example("hub mintee today --open", "what is left today"),
        ], parameters: [day, open], fields: DueTaskItem.fields
    ) { (mintee: MinteePlugin, input: Input) in
        let date = input[day].first?.day(today: mintee.day.today, .back) ?? mintee.day.today
        let items = try await mintee.dueTasks(on: date)
        let shown = input[open] ? items.filter(\.isWanted) : items
        var output = Output.list(try await mintee.due(shown), DueTaskItem.columns(shown))
        if shown.isEmpty, !items.isEmpty {
            output.notes.append(Diagnostic("Nothing is left on \(date.longText): \(summary(items)) reached"))
        } else if items.isEmpty {
            let isNew = try await mintee.listTasks(limit: 1).isEmpty
            output.notes.append(isNew ? MinteeCommand.empty : Diagnostic("Nothing is due on \(date.longText)"))
        } else {
            output.heading = ["\(date.longText): \(summary(items)) reached"]
        }
        let undated = date == mintee.day.today ? try await mintee.undatedTodos() : []
        if !undated.isEmpty {
            let names = undated.prefix(20).map { TerminalSanitizer.line($0) }.joined(separator: ", ")
            let more = undated.count > 20 ? ", and \(undated.count - 20) more" : ""
            output.notes.append(Diagnostic("To do, no date: \(names)\(more)"))
        }
        return output
    }

    /// The number of tasks that reached their target: `2 of 4`.
    static func summary(_ items: [DueTask]) -> String {
        let counted = items.filter(\.state.counts)
        return "\(counted.count { $0.state.isReached }) of \(counted.count)"
    }
}

/// A task on a day as a row of a table. It is a class because each cell gets all of it.
final class DueTaskItem: Sendable {
    let item: DueTask
    /// The shortest unique prefix of the id.
    let shortID: String
    /// The pattern of the day; empty if it is daily.
    let patternText: String

    init(item: DueTask, shortID: String, patternText: String) {
        self.item = item
        self.shortID = shortID
        self.patternText = patternText
    }

    /// The columns of a list: with sections only if there are any.
    static func columns(_ items: [DueTask]) -> [Field<DueTaskItem>] {
        guard items.contains(where: { $0.task.draft.section != nil }) else { return fields }
        return fields.map { $0.descriptor.name == "section" ? section(.always) : $0 }
    }

    private static func section(_ column: FieldDescriptor.Column) -> Field<DueTaskItem> {
        Field("section", "SECTION", help: "section of the day; null for none", column: column) {
            FieldValue($0.item.task.draft.section)
        }
    }

    /// The columns of a day.
    static let fields = [
        section(.onRequest),
        Field<DueTaskItem>("id", "ID", help: "id of the task") { .id($0.item.task.id, shown: $0.shortID.count) },
        Field<DueTaskItem>("name", "TASK", help: "name of the task") { .text($0.item.task.draft.name) },
        Field<DueTaskItem>("value", "VALUE", help: "value entered; 0 if none", align: .trailing) {
            .number(NumberText.text($0.item.value))
        },
        Field<DueTaskItem>("target", "TARGET", help: "target of the day") { .text($0.item.targetText) },
        Field<DueTaskItem>(
            "state", "STATE",
            help:
                "reached, under, over or skipped; free on a day that needs nothing, unknown for a limit without an entry",
            tone: { $0.item.state.isReached ? .good : $0.item.state.category == .over ? .bad : .plain }
        ) { .text($0.item.state.name) },
        Field<DueTaskItem>(
            "streak", "STREAK", help: "number of consecutive due days reached, or of periods", align: .trailing
        ) { .integer($0.item.streak) },
        Field<DueTaskItem>(
            "week", "LAST 7 DAYS", help: "last seven days: reached, under, over, skipped or none",
            column: .ifRoom(1),
            cell: {
                let (week, pattern) = (DayGlyphs.week($0.item), $0.patternText)
                return pattern.isEmpty ? week : "\(week)  \(pattern)"
            }
        ) { FieldValue($0.item.week.map(\.name)) },
        Field<DueTaskItem>(
            "pattern", "DAYS", help: "due days of the matching target set, unless daily", column: .onRequest
        ) {
            .text($0.patternText)
        },
        Field<DueTaskItem>(
            "period", "PERIOD", help: "progress of the period; null without a period target", column: .onRequest
        ) { FieldValue($0.item.progressText) },
        Field<DueTaskItem>(
            "period_state", "PERIOD STATE", help: "open, reached, under or over; null without a period target",
            column: .onRequest
        ) { FieldValue($0.item.period?.state.rawValue) },
        Field<DueTaskItem>("note", "NOTE", help: "note of the day", column: .onRequest) {
            FieldValue($0.item.entry?.note)
        },
        Field<DueTaskItem>("skip", "SKIPPED", help: "reason for skipping the day", column: .onRequest) {
            FieldValue($0.item.entry?.skipReason)
        },
        Field<DueTaskItem>("tags", "TAGS", help: "tags of the task", column: .onRequest) {
            FieldValue($0.item.task.draft.tags)
        },
        Field<DueTaskItem>("open", "OPEN", help: "whether the target can still be reached", column: .onRequest) {
            .bool($0.item.isOpen)
        },
        Field<DueTaskItem>("meter", "METER", help: "progress toward the target, 0 to 1", column: .onRequest) {
            .number(DecimalText.text($0.item.meter, digits: 3))
        },
        Field<DueTaskItem>(
            "status", "STATUS", help: "satisfactory, borderline or unsatisfactory",
            column: .onRequest
        ) { .text($0.item.status.name) },
    ]
}

extension MinteePlugin {
    /// The due tasks as rows.
    func due(_ items: [DueTask]) async throws -> [DueTaskItem] {
        let short = try await tasks.shortIDs(of: items.map(\.task.id))
        // Many tasks share few patterns.
        var patterns: [WeekdaySet: String] = [:]
        return items.map { item in
            var text: String?
            if let days = item.weekdays {
                text = patterns[days] ?? item.patternText
                patterns[days] = text
            }
            return DueTaskItem(
                item: item, shortID: short[item.task.id] ?? item.task.id, patternText: text ?? item.patternText)
        }
    }
}
