import CivilDate
import HubKit
package import MinteeDomain
import Storage

/// A chart with its settings.
package struct ConfiguredChart: Sendable {
    /// The cells.
    package let chart: Chart
    /// The type of the chart.
    package let kind: AnalysisKind
    /// The range of the chart.
    package let range: AnalysisRange
    /// The tags of the analysis; empty for one task.
    package let tags: [String]
}

extension MinteePlugin {
    /// Returns the chart of the analysis `id` over all live tasks that have any of its tags. Throws `not-found`.
    package func chart(
        analysis id: String, kind: AnalysisKind? = nil, range: AnalysisRange? = nil
    ) async throws -> ConfiguredChart {
        let today = day.today
        return try await store.read { transaction in
            lazy var weekStart = weekStart
            let analysis = try AnalysisRecord.kind.item(id, in: transaction).analysis
            let tags = Set(analysis.tags.map { TagName.folded($0) })
            let tasks = try transaction.tasks().filter { record in
                record.draft.tags.contains { tags.contains(TagName.folded($0)) }
            }
            let range = range ?? analysis.range
            let chart = try transaction.chart(
                analysis.name, tasks, range, analysis.legend, today: today, weekStart: weekStart,
                shown: shown, needsValues: !analysis.legend.completions.isEmpty)
            return ConfiguredChart(chart: chart, kind: kind ?? analysis.kind, range: range, tags: analysis.tags)
        }
    }

    /// Returns the chart of the task `id` by its settings, or over other days. Throws `not-found`.
    package func chart(
        task id: String, kind: AnalysisKind? = nil, range: AnalysisRange? = nil
    ) async throws -> ConfiguredChart {
        let today = day.today
        return try await store.read { transaction in
            lazy var weekStart = weekStart
            let record = try TaskRecord.kind.item(id, in: transaction)
            let summary = try transaction.summary(of: id) ?? TaskSummary()
            let range = range ?? summary.range
            let chart = try transaction.chart(
                record.draft.name, [record], range, summary.legend, today: today, weekStart: weekStart,
                shown: shown, needsValues: true)
            return ConfiguredChart(chart: chart, kind: kind ?? summary.kind, range: range, tags: [])
        }
    }
}

extension Transaction {
    fileprivate func chart(
        _ name: String, _ tasks: [TaskRecord], _ range: AnalysisRange, _ legend: Legend, today: CivilDate,
        weekStart: @autoclosure () -> Weekday, shown: (Timeline) -> Timeline, needsValues: Bool
    ) throws -> Chart {
        try range.requireBounded(of: name)
        let (first, last) = range.days(today: today)
        let end = max(first, min(last, today))
        let years = try years(of: tasks.map(\.id), from: first.components.year, to: end.components.year)
        let timelines = try zip(tasks, years).map { record, years in
            let period = try period(of: record, on: end, today: today, weekStart: weekStart())
            let timeline = period?.timeline ?? shown(years.timeline(of: record.draft, from: first, to: end))
            return (task: record.draft.name, timeline: timeline)
        }
        var completions: [[CivilDate: Double]] = []
        if needsValues || tasks.count == 1 {
            completions = try tasks.map { record in
                Dictionary(
                    uniqueKeysWithValues: try entries(of: record.id, from: first, to: end)
                        .map { ($0.day, $0.entry.completion) })
            }
        }
        let targets = Set(tasks.count == 1 ? tasks[0].draft.schedule.sets.map(\.target) : [])
        return Chart(
            name: name, timelines: timelines, completions: completions, from: first, to: last, today: today,
            legend: legend, target: targets.count == 1 ? targets.first : nil)
    }
}

extension AnalysisRange {
    /// Throws `invalid` if the range has more days than a chart can cover.
    func requireBounded(of name: String) throws(HubError) {
        guard count > AnalysisRange.maximumDays else { return }
        let most = NumberFormat.grouped(AnalysisRange.maximumDays)
        var error = HubError(
            .invalid, code: "range-too-long", "\(name) would cover \(NumberFormat.grouped(count)) days",
            details: ["a chart covers at most \(most) days (25 years)"], hint: "choose fewer days or nearer dates")
        error.problems = [FieldProblem(field: "range", "at most \(most) days", code: error.code)]
        throw error
    }
}
