package import CivilDate
package import Time

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
    package func violations(of family: String = "ANL") -> [RuleCode] {
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
    package var violations: [RuleViolation] {
        var broken: [RuleViolation] = []
        if name.isBlank || name.count > TaskDraft.maximumName {
            broken.append(RuleViolation("I-2", name, TaskDraft.nameProblem(name)))
        }
        if tags.isEmpty { broken.append(RuleViolation("I-2", name, "has no tag; choose at least one", field: "tags")) }
        broken += range.violations().map { RuleViolation($0, name, range.problem) }
        if case .dates(let start, let end) = range, let far = [start, end].first(where: { !TaskDraft.isNear($0) }) {
            let years = TaskDraft.years
            broken.append(
                RuleViolation(
                    "ANL-8", name,
                    "cannot look at \(far); days of tasks lie in the years \(years.lowerBound) to \(years.upperBound)"))
        }
        return broken + legend.violations.map { RuleViolation($0, name) }
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
    package var violations: [RuleCode] { range.violations(of: "TSA") + legend.violations }
}

/// A stored analysis.
package struct AnalysisRecord: Hashable, Sendable {
    /// The id of the analysis.
    package let id: String
    /// The data entered by the user.
    package var analysis: Analysis
    /// The position on the home page, from 0; -1 if it is not there.
    package let order: Int
    /// The revision, which increases with every change; an edit names the one that it is based on.
    package let revision: Int
    /// The time of the move to the trash; nil for a live analysis.
    package let deletedAt: Instant?

    package init(id: String, analysis: Analysis, order: Int, revision: Int, deletedAt: Instant? = nil) {
        self.id = id
        self.analysis = analysis
        self.order = order
        self.revision = revision
        self.deletedAt = deletedAt
    }
}

/// The order of analyses on the home page: numbers from 0, and -1 for those that are not on it.
package enum AnalysisOrder {
    /// The number of an analysis that is not on the home page.
    package static let excluded = -1

    /// Sorts the list of all analyses: those on the home page by number, then all others in their order.
    package static func sorted<Element>(_ elements: [Element], order: (Element) -> Int) -> [Element] {
        let included = elements.enumerated().filter { order($0.element) >= 0 }
            .sorted { (order($0.element), $0.offset) < (order($1.element), $1.offset) }
        return included.map(\.element) + elements.filter { order($0) < 0 }
    }

    /// Returns the codes of the rules that the numbers of all analyses violate together.
    package static func violations(_ orders: [Int]) -> [RuleCode] {
        let included = orders.filter { $0 >= 0 }
        return orders.contains { $0 < excluded } || Set(included).count < included.count ? ["ANL-5"] : []
    }
}
