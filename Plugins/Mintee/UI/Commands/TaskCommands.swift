import CivilDate
import Commands
import HubKit
import MinteeDomain

/// The commands of tasks that follow from the description of the entity.
enum TaskCommands {
    /// The commands and parameters.
    static let entity = EntityCommands(
        TaskRecord.kind, valueName: "TASK", oneForm: "id, words, or last", manyForms: "ids, words, last",
        fields: TaskListItem.fields
    ) { (mintee: MinteePlugin, typed) in
        Array(try await mintee.listTasks().filter { SearchWords.complete(typed, $0) }.prefix(50))
    } in: { mintee in
        mintee.tasks
    }

    /// One selector: an id or its prefix, words, or `last`.
    static let one = entity.one
    /// Several selectors.
    static let many = entity.many

    static let remove = entity.remove(
        examples: [
            Example("hub mintee rm read", "one task"),
            Example("hub mintee rm read run --yes", "two tasks, without confirmation"),
            Example("hub mintee rm --tag old-work", "all with a tag"),
        ], byTag: true
    ) { mintee, chosen in
        var filled = 0
        for record in chosen { filled += try await mintee.details(of: record.id).filled }
        return filled == 0 ? "" : " with \(NumberFormat.counted(filled, "filled day"))"
    }

    static let restore = entity.restore(
        discussion: ["--at restores the days, targets and entries that the task had at that time, as a new change."],
        examples: [
            Example("hub mintee restore read", "one task"),
            Example("hub mintee restore read --at 3d", "as it was three days ago"),
        ])

    static let history = entity.history(examples: [
        Example("hub mintee history read", "all changes"),
        Example("hub mintee history 7kt --json=at,changes", "for a script"),
    ])

    static let diff = entity.diff(examples: [
        Example("hub mintee diff read --since 1w", "since last week"),
        Example("hub mintee diff read --since 2026-11-01 --until 2026-11-08", "over one week"),
    ])

    static let tagging = entity.tagging { verb in
        [
            Example("hub mintee \(verb) run health outside", "two tags"),
            Example("hub mintee \(verb) last work", "the newest task"),
        ]
    }

    /// The days that a command is about.
    static let date = Option<DateRange>(
        "date", "DATE|A..B", help: "for this day or these days: yesterday, mon, 2026-11-20, mon..wed",
        hasEnvironmentVariable: true)

    /// The days of `--date`; today without it. A weekday means the last one, since entries are about the past.
    static func days(_ input: Input, _ mintee: MinteePlugin) throws -> ClosedRange<CivilDate> {
        let today = mintee.day.today
        return try input[date].map { try days($0, today: today, .back) } ?? today...today
    }

    /// The days of a range. Throws `usage` if it ends before it begins, or has more than a year.
    static func days(
        _ range: DateRange, today: CivilDate, _ direction: DateExpression.Direction
    ) throws -> ClosedRange<CivilDate> {
        guard let days = range.days(today: today, direction) else {
            throw HubError(
                .usage, code: "range-invalid", "the range ends before it begins",
                hint: "write the earlier day first, and dates in full: 2026-11-20..2026-11-27")
        }
        guard days.upperBound.daysSinceEpoch - days.lowerBound.daysSinceEpoch < MinteePlugin.maximumDays else {
            throw HubError(
                .usage, code: "range-invalid", "\(days.lowerBound) to \(days.upperBound) is longer than a year",
                hint: "a command changes at most \(MinteePlugin.maximumDays) days")
        }
        return days
    }
}

extension SearchWords {
    /// Whether `typed` is a prefix of the id, or each of its words one of a word of the name, ignoring case and
    /// accents.
    static func complete(_ typed: String, _ item: some EntitySummary) -> Bool {
        if item.id.hasPrefix(typed) { return true }
        let wanted = split(typed)
        return !wanted.isEmpty && begin(wanted, in: split(item.name))
    }
}
