import CivilDate
import Commands
import HubKit
import MinteeDomain

/// `hub mintee show`: shows the details of a task.
enum ShowCommand {
    static let command = Command(
        "show", summary: "show a task with streaks, score and a year grid",
        examples: [
            Example("hub mintee show read", "details of a task"), Example("hub mintee show 7kt --json", "for a script"),
        ], parameters: [TaskCommands.many, SharedOptions.oneInTrash], fields: TaskView.fields
    ) { (mintee: MinteePlugin, input: Input) in
        let chosen = try await mintee.tasks.select(
            input[TaskCommands.many], inTrash: input[SharedOptions.oneInTrash], asking: input)
        let short = try await mintee.tasks.shortIDs(of: chosen.map(\.id))
        var shown: [TaskView] = []
        for record in chosen {
            shown.append(
                TaskView(details: try await mintee.details(of: record.id), shortID: short[record.id] ?? record.id))
        }
        return .chosen(shown, TaskView.fields) { $0.lines(width: $1) }
    }
}

/// A task with its details.
struct TaskView: Sendable {
    let details: TaskDetails
    let shortID: String

    private var record: TaskRecord { details.task }
    private var statistics: TaskStatistics { details.statistics }
    private var listed: ListedTask { ListedTask(record, shortID: shortID) }

    static let fields =
        TaskListItem.fields.map { field in
            Field<TaskView>(field.descriptor.name, field.descriptor.title, help: field.descriptor.help) {
                field.value($0.listed)
            }
        } + [
            Field<TaskView>("streak", "STREAK", help: "number of consecutive due days reached, or of periods") {
                .integer($0.statistics.streak.current)
            },
            Field<TaskView>("longest_streak", "LONGEST", help: "longest streak so far") {
                .integer($0.statistics.streak.longest)
            },
            Field<TaskView>("score", "SCORE", help: "score as computed by Loop Habit Tracker, 0 to 1") {
                .number(DecimalText.text($0.statistics.score, digits: 4))
            },
            Field<TaskView>(
                "reached", "REACHED",
                help: "due days reached in the last 28 days, or periods of the last 4 weeks or 12 months"
            ) {
                .integer($0.statistics.reached)
            },
            Field<TaskView>("due", "DUE", help: "number of due days or periods of these") {
                .integer($0.statistics.due)
            },
            Field<TaskView>(
                "buffer", "BUFFER",
                help:
                    "due days that can be missed while staying at 80 % or above, or that the period can do without; null if below"
            ) { FieldValue($0.statistics.buffer) },
            Field<TaskView>("period", "PERIOD", help: "progress of the period; null without a period target") {
                FieldValue($0.progressText)
            },
            Field<TaskView>("period_state", "PERIOD STATE", help: "open, reached, under or over; null without one") {
                FieldValue($0.details.period?.state.rawValue)
            },
            Field<TaskView>(
                "periods", "PERIODS", help: "the last 12 weeks or months: from, to, amount, needed, limit and state"
            ) {
                .list($0.details.periods.map(\.fields))
            },
            Field<TaskView>("streak_unit", "STREAK UNIT", help: "day, week or month") { .text($0.unit) },
            Field<TaskView>("rrule", "RRULE", help: "recurrence rule (RFC 5545) of each target set") {
                .list(TaskCalendar.rules(of: $0.record.draft).map { .text($0) })
            },
        ]

    /// The progress of the period; nil without a period target.
    private var progressText: String? { details.period?.words }

    /// Whether a target over several days is a sum of values; nil without one.
    var isSum: Bool? { record.draft.period.map { $0.measure == .sum } }

    /// What the streak counts.
    private var unit: String {
        switch record.draft.period?.period {
        case .week?: "week"
        case .month?: "month"
        case .days?, nil: "day"
        }
    }

    /// The output for a terminal.
    func lines(width: Int?) -> [String] {
        var lines = TextWrapping.lines(of: "\(record.draft.name) (\(shortID))", width: width)
        func add(_ title: String, _ text: String) {
            if text.isEmpty { return }
            let start = "  \(title)\(String(repeating: " ", count: max(1, 9 - title.count)))"
            lines += TextWrapping.lines(of: text, after: start, width: width)
        }
        switch record.draft.schedule {
        case .recurring(let start, let end, let sets):
            if let period = record.draft.period, sets == [TargetSet(.daily)] {
                add("target", "\(period)")
            } else {
                for (index, set) in sets.enumerated() { add(index == 0 ? "days" : "", "\(set)") }
                add("target", record.draft.period?.description ?? "")
            }
            add("from", record.draft.hasOpenEnd ? "\(start), no end date" : "\(start) to \(end)")
        case .specific(let dates):
            add(
                "dates",
                dates.prefix(8).map(\.description).joined(separator: ", ")
                    + (dates.count > 8 ? " and \(dates.count - 8) more" : ""))
        }
        add("tags", record.draft.tags.joined(separator: ", "))
        add("remind", record.draft.reminderTime ?? "")
        add("section", record.draft.section ?? "")
        add("notes", record.draft.notes)
        add("now", progressText ?? "")
        add("\(unit)s", String(String.UnicodeScalarView(details.periods.map(DayGlyphs.scalar))))
        let (streak, isOfDays) = (statistics.streak, unit == "day")
        add(
            "streak",
            isOfDays
                ? "\(streak.current), longest \(streak.longest)"
                : "\(NumberFormat.counted(streak.current, unit)), longest \(streak.longest)")
        let share = statistics.due == 0 ? "" : ", \(DecimalText.percent(statistics.reached, of: statistics.due))"
        let span =
            isOfDays
            ? "in \(TaskStatistics.window) days" : unit == "week" ? "weeks of the last 4" : "months of the last 12"
        add("reached", "\(statistics.reached) of \(statistics.due) \(span)\(share)")
        add("score", DecimalText.text(statistics.score * 100, digits: 1) + " %")
        if record.draft.period == nil, statistics.due > 0 {
            let goal = Int(TaskStatistics.goal * 100)
            add(
                "buffer",
                statistics.buffer.map { "can miss \($0) more and stay at \(goal) % or above" }
                    ?? "below \(goal) %")
        }
        return lines + [""] + YearGrid(details.timeline, today: details.today).lines(width: width)
    }
}

extension PeriodProgress {
    /// The values of a period in lists.
    fileprivate var fields: FieldValue {
        func number(_ value: Double?) -> FieldValue { value.map { .number(NumberText.text($0)) } ?? .null }
        return .object([
            .init("from", .day(days.lowerBound)), .init("to", .day(days.upperBound)), .init("amount", number(amount)),
            .init("needed", number(needed)), .init("limit", number(limit)), .init("state", .text(state.rawValue)),
        ])
    }
}
