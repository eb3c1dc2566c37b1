package import CivilDate

/// The type of a chart.
package enum AnalysisKind: Int, CaseIterable, Sendable {
    /// A grid of days.
    case box = 0
    /// A value for each day.
    case line

    /// The name in commands.
    package var name: String { self == .box ? "box" : "line" }
}

/// The range of an analysis.
package enum AnalysisRange: Hashable, Sendable {
    /// From one date to another, both included.
    case dates(from: CivilDate, to: CivilDate)
    /// A number of days that end today.
    case last(days: Int)

    /// Returns the first and last day as of `today`.
    package func days(today: CivilDate) -> (first: CivilDate, last: CivilDate) {
        switch self {
        case .dates(let start, let end): (start, end)
        case .last(let days): (today.adding(days: 1 - days), today)
        }
    }

    /// The maximum number of days of a chart: 25 years.
    package static let maximumDays = 25 * 366

    /// The number of days in the range.
    package var count: Int {
        switch self {
        case .dates(let start, let end): max(0, end.daysSinceEpoch - start.daysSinceEpoch + 1)
        case .last(let days): days
        }
    }

    /// The range in words: `last 28 days`, `2026-01-01 to 2026-03-31`.
    package var text: String {
        switch self {
        case .dates(let start, let end): "\(start) to \(end)"
        case .last(let days): days == 1 ? "last day" : "last \(days) days"
        }
    }

    /// A description of the problem for a range that violates rules.
    var problem: String {
        switch self {
        case .dates(let start, let end): "ends on \(end), before it starts on \(start)"
        case .last: "must cover 1 to \(Int16.max) days"
        }
    }

    /// Returns the codes of the violated rules; `family` is `ANL`, or `TSA` for the summary of a task.
    package func breaches(of family: String = "ANL") -> [RuleCode] {
        switch self {
        case .dates(let start, let end):
            start <= end ? [] : family == "ANL" ? ["ANL-8", "ANL-12"] : ["TSA-8"]
        case .last(let days):
            (1...Int(Int16.max)).contains(days) ? [] : family == "ANL" ? ["ANL-4", "ANL-11"] : ["TSA-4"]
        }
    }
}

/// A saved chart over the tasks that have any of its tags.
package struct Analysis: Hashable, Sendable {
    /// The name, unique among analyses.
    package var name: String
    /// The type of the chart.
    package var kind: AnalysisKind
    /// The range.
    package var range: AnalysisRange
    /// The colours.
    package var legend: Legend
    /// The tags; tasks with any of them are included.
    package var tags: [String]

    package init(
        name: String, kind: AnalysisKind = .box, range: AnalysisRange = .last(days: 28), legend: Legend = .standard,
        tags: [String] = []
    ) {
        self.name = name
        self.kind = kind
        self.range = range
        self.legend = legend
        self.tags = tags
    }

    /// The rules that the analysis violates by itself, regardless of others.
    package var breaches: [RuleViolation] {
        var broken: [RuleViolation] = []
        if name.isBlank || name.count > TaskDraft.maximumName {
            broken.append(RuleViolation("I-2", name, TaskDraft.nameProblem(name)))
        }
        if tags.isEmpty { broken.append(RuleViolation("I-2", name, "has no tag; choose at least one", field: "tags")) }
        broken += range.breaches().map { RuleViolation($0, name, range.problem) }
        if case .dates(let start, let end) = range, let far = [start, end].first(where: { !TaskDraft.isNear($0) }) {
            let years = TaskDraft.years
            broken.append(
                RuleViolation(
                    "ANL-8", name,
                    "cannot look at \(far); days of tasks lie in the years \(years.lowerBound) to \(years.upperBound)"))
        }
        return broken + legend.breaches.map { RuleViolation($0, name) }
    }
}

/// The chart settings for the progress of one task; every task has one.
package struct TaskSummary: Hashable, Sendable {
    /// The type of the chart.
    package var kind: AnalysisKind
    /// The range.
    package var range: AnalysisRange
    /// The colours.
    package var legend: Legend

    package init(
        kind: AnalysisKind = .box, range: AnalysisRange = .last(days: 365), legend: Legend = .standard
    ) {
        self.kind = kind
        self.range = range
        self.legend = legend
    }

    /// The codes of the violated rules.
    package var breaches: [RuleCode] { range.breaches(of: "TSA") + legend.breaches }
}
