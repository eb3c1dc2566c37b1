/// One business rule.
package struct Rule: Hashable, Sendable {
    /// Its code.
    package let code: RuleCode
    /// The requirement, in one sentence without a full stop.
    package let text: String

    init(_ code: RuleCode, _ text: String) {
        self.code = code
        self.text = text
    }

    /// Returns the rule with this code.
    package static func named(_ code: RuleCode) -> Rule? { all.first { $0.code == code } }

    /// All rules: those of tasks, instances, target sets, tags, analyses, legends, patterns and summaries, the twelve that the
    /// forms imply, and those of period targets.
    package static let all: [Rule] =
        tasks + targets("TTS", "a target set") + sets + tags + analyses
        + [
            Rule("ALGND-1", "a legend with category colours has no completion colours"),
            Rule("ALGND-2", "a legend has either completion colours or category colours"),
            Rule("CATLE-1", "a legend's category is Reached target, Under target or Over target"),
        ] + targets("CMPLE", "a legend's band") + patterns + summaries + implied + targets("PT", "a period target")
        + periods

    private static let tasks = [
        Rule("TASK-1", "a task is Recurring or Specific"),
        Rule("TASK-2", "a recurring task has a start and an end"),
        Rule("TASK-3", "a recurring task has at least one target set"),
        Rule("TASK-4", "a specific task has at least one date"),
        Rule("TASK-5", "task names are unique"),
        Rule("TASK-6", "a recurring task does not end before it starts"),
        Rule("TASK-7", "a task has exactly one summary"),
        Rule("TASK-8", "a specific task has neither start nor end"),
        Rule("TASK-9", "a specific task has no target sets"),
        Rule("TI-1", "an instance belongs to one task"),
        Rule("TI-2", "an instance of a recurring task has a target set"),
        Rule("TI-3", "an instance of a specific task has no target set"),
        Rule("TI-4", "a task has at most one instance per day"),
        Rule("TI-5", "an instance has a date"),
    ]

    private static func targets(_ family: String, _ thing: String) -> [Rule] {
        [
            "the lower operator of \(thing) is <, <=, = or none",
            "the upper operator of \(thing) is <, <= or none",
            "without an upper operator \(thing) has no upper bound",
            "without a lower operator \(thing) has no lower bound",
            "\(thing) has a lower or an upper operator",
            "\(thing) with the lower operator = has no upper operator",
            "the lower bound of \(thing) is less than the upper bound",
        ].enumerated().map { Rule(RuleCode("\(family)-\($0.offset + 1)"), $0.element) }
    }

    private static let sets = [
        Rule("TTS-8", "a target set belongs to one task"),
        Rule("TTS-9", "the priorities of a task's target sets are unique"),
        Rule("TTS-10", "a target set has a pattern"),
    ]

    private static let tags = [
        Rule("TAG-1", "tag names are unique"),
        Rule("TAG-2", "a tag has at least one task"),
    ]

    private static let analyses = [
        Rule("ANL-1", "an analysis is of type Box or Line"),
        Rule("ANL-2", "an analysis has both a start and an end, or neither"),
        Rule("ANL-3", "an analysis with dates has no number of days"),
        Rule("ANL-4", "an analysis without dates covers at least one day"),
        Rule("ANL-5", "the order of an analysis is -1, or unique and 0 or more"),
        Rule("ANL-6", "analysis names are unique"),
        Rule("ANL-7", "an analysis has a legend"),
        Rule("ANL-8", "an analysis does not end before it starts"),
        Rule("ANL-9", "the range of an analysis is given by dates or by a number of days"),
        Rule("ANL-11", "a range given by a number of days covers at least one day"),
        Rule("ANL-12", "a range given by dates has a start and an end that is not earlier"),
    ]

    private static let patterns = [
        Rule("DP-1", "a pattern contains days of the week, weekdays of the month or days of the month"),
        Rule("DP-2", "a pattern of days of the week contains only days of the week"),
        Rule("DP-3", "a pattern of weekdays of the month contains only weekdays and weeks"),
        Rule("DP-4", "a pattern of days of the month contains only days of the month"),
        Rule(
            "DP-5",
            "an interval counts every 2 to 366 days or 2 to 104 weeks of days of the week, or every 2 to 120 months"),
        Rule("DP-6", "an interval begins with a day"),
        Rule("DP-7", "an exception of a pattern is a calendar of holidays"),
        Rule("DP-8", "a calendar of holidays has a name of letters and digits that is not a day"),
        Rule("DP-9", "a holiday has a date"),
    ]

    private static let summaries = [
        Rule("TSA-1", "a summary is of type Box or Line"),
        Rule("TSA-2", "a summary has both a start and an end, or neither"),
        Rule("TSA-3", "a summary with dates has no number of days"),
        Rule("TSA-4", "a summary without dates covers at least one day"),
        Rule("TSA-5", "a summary belongs to one task"),
        Rule("TSA-7", "a summary has a legend"),
        Rule("TSA-8", "a summary does not end before it starts"),
    ]

    private static let periods = [
        Rule("PT-8", "only a recurring task has a period target"),
        Rule("PT-9", "the bounds of a period target on days are whole numbers from 1 to the due days of the period"),
        Rule("PT-10", "a rolling period has 2 to 366 days"),
        Rule("PT-11", "a task has at most one period target"),
    ]

    private static let implied = [
        Rule("I-1", "a task has a name and due days"),
        Rule("I-2", "an analysis has a name and at least one tag, and all its tags exist"),
        Rule("I-3", "a tag has a name, and a task has each tag only once"),
        Rule("I-4", "tags differ in more than case and accents"),
        Rule("I-5", "a start date is not after its end date"),
        Rule("I-6", "a target set has days and at least one operator"),
        Rule("I-7", "the bounds of a target are numbers; a missing bound has no operator"),
        Rule("I-8", "the priorities of a task's target sets are 0, 1, 2 and so on"),
        Rule("I-9", "a completion is a real number"),
        Rule("I-10", "the theme is one of the available themes"),
        Rule("I-11", "a section of a day has a name"),
        Rule("I-12", "the places of tasks in the manual order are whole numbers from 0"),
    ]
}
