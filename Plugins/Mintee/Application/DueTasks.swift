package import CivilDate
import Commands
package import MinteeDomain
import Storage

/// A task on a day on which it is due. It is a class since it is passed on more often than it is made, and a copy of all its
/// values would take longer than all else.
package final class DueTask: Sendable {
    /// The task.
    package let task: TaskRecord
    /// The entry; nil for none.
    package let entry: Entry?
    /// The target set of the day; nil for a task with specific dates.
    package let targetSet: TargetSet?
    /// The state of the day.
    package let state: DayState
    /// Whether the day is not over and the target can still be reached.
    package let isOpen: Bool
    /// The period of the day; nil for a task without a period target.
    package let period: PeriodProgress?
    /// The streak up to and including the day, in periods if the task has a target over a week or a month.
    package let streak: Int
    /// The seven days that end with this one.
    package let week: [DayState]

    init(
        task: TaskRecord, entry: Entry?, targetSet: TargetSet?, state: DayState, isOpen: Bool, period: PeriodProgress?,
        streak: Int, week: [DayState]
    ) {
        self.task = task
        self.entry = entry
        self.targetSet = targetSet
        self.state = state
        self.isOpen = isOpen
        self.period = period
        self.streak = streak
        self.week = week
    }

    /// Whether the day needs nothing while its period is open, so that the task may be done on it or later.
    package var isFree: Bool { state.isFree && period?.state == .open }

    /// Whether the task has an upper bound over several days alone, and no value of the day yet: one may come.
    package var isUntouchedLimit: Bool { state.isFree && !state.isEntered && period.map { $0.needed == nil } ?? false }

    /// Whether something is left to do, or to be said: the task is neither reached nor skipped.
    package var isWanted: Bool { state.isFree ? isFree : state.isUnknown || state.counts && !state.isReached }

    /// Whether values are entered, and not only done or not.
    package var isCount: Bool { targetSet.map { $0.target != .done } ?? false || task.draft.period?.measure == .sum }

    /// Whether both tasks are in the same section of the day.
    package func isInSection(of other: DueTask) -> Bool {
        TagName.folded(task.draft.section ?? "") == TagName.folded(other.task.draft.section ?? "")
    }

    /// The value; 0 if nothing is entered.
    package var value: Double { entry?.completion ?? 0 }
}

extension MinteePlugin {
    /// Returns the tasks due on `date` by section, in the manual order, and without one in that of their creation. With
    /// `open_first`, those of a section that are done follow the others. Those that may be done then but need not come last.
    package func dueTasks(on date: CivilDate) async throws -> [DueTask] {
        let today = day.today
        let isOver = date < today
        let hasUnknown = hasUnknownLimits
        return try await store.read { transaction in
            lazy var weekStart = weekStart
            let due = try transaction.tasks().filter { $0.draft.isDue(on: date) }
            let years = try transaction.years(
                of: due.map(\.id), from: date.adding(days: -6).components.year, to: date.components.year)
            let items = try zip(due, years).map { record, years in
                let period = try transaction.period(of: record, on: date, today: today, weekStart: weekStart)
                return try transaction.item(record, on: date, years, period, isOver: isOver, hasUnknown: hasUnknown)
            }
            return sorted(items)
        }
    }

    private func sorted(_ items: [DueTask]) -> [DueTask] {
        let sorted = TaskOrder.sorted(
            items, section: { $0.state.isFree ? nil : $0.task.draft.section }, position: \.task.position)
        var due = sorted.filter { !$0.state.isFree }
        if config[MinteeKeys.openFirst] {
            var sections: [[DueTask]] = []
            for item in due {
                let isSame = sections.last?.first.map { $0.isInSection(of: item) } ?? false
                if isSame { sections[sections.count - 1].append(item) } else { sections.append([item]) }
            }
            due = sections.flatMap { section in section.filter(\.isWanted) + section.filter { !$0.isWanted } }
        }
        return due + sorted.filter(\.state.isFree)
    }

    /// The timeline as it is shown: days without an entry are unknown for limits, if the settings say so.
    func shown(_ timeline: Timeline) -> Timeline { hasUnknownLimits ? timeline.withUnknownLimits : timeline }

    private var hasUnknownLimits: Bool { config[MinteeKeys.untouchedLimits] == .unknown }
}

extension Transaction {
    fileprivate func item(
        _ record: TaskRecord, on date: CivilDate, _ years: TaskYears, _ period: PeriodOfTask?, isOver: Bool,
        hasUnknown: Bool
    ) throws -> DueTask {
        func shown(_ timeline: Timeline) -> Timeline { hasUnknown ? timeline.withUnknownLimits : timeline }
        let weekStart = date.adding(days: -6)
        let week =
            period.map { Timeline(first: weekStart, states: $0.timeline.states(from: weekStart, to: date)) }
            ?? shown(years.timeline(of: record.draft, from: weekStart, to: date))
        let state = week[date]
        let isOpen = !isOver && state.isOpen
        var streak = 0
        var known: Entry?
        if let year = years[date.components.year], let first = CivilDate(year: date.components.year, month: 1, day: 1) {
            let number = date.daysSinceEpoch - first.daysSinceEpoch
            streak = year.streak(before: number)
            known = year.entry(onDay: number)
        }
        // Stored streaks do not know unknown days.
        if period == nil, years[date.components.year] == nil || week.states.contains(.unknown) {
            var whole = Streak()
            for state in shown(try timeline(of: record, through: date)).states.dropLast() { whole.add(state) }
            streak = whole.current
        }
        if state.counts, !isOpen { streak = state.isReached ? streak + 1 : 0 }
        if let period { streak = period.statistics.streak.current }
        return DueTask(
            task: record, entry: try known ?? (state.isEntered ? entry(record.id, on: date) : nil),
            targetSet: record.draft.set(on: date),
            state: state, isOpen: isOpen, period: period?.progress, streak: streak, week: week.states)
    }
}

extension TaskDraft {
    /// Returns the target set on `date`; nil for specific dates, and if nothing is due.
    package func set(on date: CivilDate) -> TargetSet? {
        let sets = schedule.sets
        return Schedule.set(of: sets, on: CalendarDay(date)).map { sets[$0] }
    }
}
