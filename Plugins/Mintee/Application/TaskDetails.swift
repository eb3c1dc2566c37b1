package import CivilDate
import Commands
import HubKit
package import MinteeDomain
import Storage

/// A task with its statistics.
package struct TaskDetails: Sendable {
    /// The task.
    package let task: TaskRecord
    /// The chart settings for its progress.
    package let summary: TaskSummary
    /// Streaks, share, score and buffer.
    package let statistics: TaskStatistics
    /// The states of all days from the first one to today.
    package let timeline: Timeline
    /// The current day.
    package let today: CivilDate
    /// The number of days with entries.
    package let filled: Int
    /// The current period of a task with a period target; nil without one.
    package let period: PeriodProgress?
    /// The last weeks or months of a task with a target over them, oldest first; empty for all others.
    package let periods: [PeriodProgress]
}

extension MinteePlugin {
    /// Returns the task with the full id `id`, live or in the trash; throws `not-found`.
    package func details(of id: String) async throws -> TaskDetails {
        let today = day.today
        return try await store.read { transaction in
            lazy var weekStart = weekStart
            let record = try TaskRecord.kind.item(id, in: transaction)
            if let period = try transaction.period(of: record, on: today, today: today, weekStart: weekStart) {
                let all = period.timeline
                return TaskDetails(
                    task: record, summary: try transaction.summary(of: id) ?? TaskSummary(),
                    statistics: period.statistics,
                    timeline: Timeline(first: all.first, states: all.states(from: all.first, to: today)), today: today,
                    filled: try transaction.enteredDays(of: id).count, period: period.progress, periods: period.latest)
            }
            // Entries made in advance affect the buffer.
            let ahead = shown(
                try transaction.timeline(of: record, through: today.adding(days: TaskStatistics.window)))
            let timeline = Timeline(first: ahead.first, states: ahead.states(from: ahead.first, to: today))
            return TaskDetails(
                task: record, summary: try transaction.summary(of: id) ?? TaskSummary(),
                statistics: TaskStatistics(
                    ahead, schedule: record.schedule(today: today), today: today,
                    credits: config[MinteeKeys.partialScore] ? try transaction.credits(of: record) : [:]),
                timeline: timeline, today: today, filled: try transaction.enteredDays(of: id).count, period: nil,
                periods: [])
        }
    }

    /// Returns the entries of the task by day, optionally only between two days.
    package func entries(
        of id: String, from first: CivilDate? = nil, to last: CivilDate? = nil
    ) async throws -> [(day: CivilDate, entry: Entry)] {
        try await store.read { try $0.entries(of: id, from: first, to: last) }
    }
}

extension Transaction {
    /// The shares of their targets that the values of days earn which missed them.
    fileprivate func credits(of record: TaskRecord) throws -> [CivilDate: Double] {
        try entries(of: record.id).reduce(into: [:]) { credits, item in
            guard item.entry.skipReason == nil, let target = record.draft.target(on: item.day) else { return }
            credits[item.day] = target.credit(of: item.entry.completion)
        }
    }
}
