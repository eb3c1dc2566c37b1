import CivilDate
package import MinteeDomain
import Storage

/// A task with a period target on a day: what its periods say.
struct PeriodOfTask: Sendable {
    /// The progress of the period of the day.
    let progress: PeriodProgress
    /// The last calendar periods, at most ``shownPeriods``, up to that of the day; empty for a rolling target.
    let latest: [PeriodProgress]
    /// The statistics up to and including the day.
    let statistics: TaskStatistics
    /// The states of all days; those that need nothing are free.
    let timeline: Timeline

    /// The number of periods that are shown one by one.
    static let shownPeriods = 12
}

extension Transaction {
    /// Returns what the periods of a task say on `date`; nil for a task without a period target. What is before `today` is
    /// over; `weekStart` is read for a task with such a target alone.
    func period(
        of record: TaskRecord, on date: CivilDate, today: CivilDate, weekStart: @autoclosure () -> Weekday
    ) throws -> PeriodOfTask? {
        guard let target = record.draft.period else { return nil }
        let weekStart = weekStart()
        let end = target.isRolling ? date : target.days(around: date, weekStart: weekStart).upperBound
        let timeline = try timeline(of: record, through: max(end, date))
        let amounts = Dictionary(
            try entries(of: record.id, from: timeline.first, to: timeline.last)
                .map { ($0.day, $0.entry.skipReason == nil ? $0.entry.completion : 0) }
        ) { $1 }
        let days = PeriodDays(timeline, amounts: amounts, sets: record.draft.schedule.sets)
        let length = target.period == .month ? 31 : 7
        let latest = target.periods(
            days, from: date.adding(days: -length * PeriodOfTask.shownPeriods), to: date, weekStart: weekStart,
            today: today)
        return PeriodOfTask(
            progress: target.progress(on: date, days, weekStart: weekStart, today: today),
            latest: latest.suffix(PeriodOfTask.shownPeriods),
            statistics: TaskStatistics(
                target, days, lastDueDay: record.schedule(today: date).lastDueDay, weekStart: weekStart, today: date),
            timeline: target.shown(timeline, days, weekStart: weekStart, today: today))
    }
}

extension PeriodProgress {
    /// The progress in words: `1 of 3 this week, 4 days left`.
    package var words: String {
        let period =
            switch target.period {
            case .week: "this week"
            case .month: "this month"
            case .days(let count): "in the last \(count) days"
            }
        return "\(count) \(period)\(rest)"
    }

    private var rest: String {
        switch state {
        case .open where target.isRolling: isTight ? ", due" : ""
        case .open: daysLeft == 1 ? ", last day" : ", \(daysLeft) days left"
        case .reached: target.isRolling && needed != nil ? ", kept for \(NumberFormat.counted(daysLeft, "day"))" : ""
        case .under: ", missed"
        case .over: ", over"
        case .none: ""
        }
    }
}
