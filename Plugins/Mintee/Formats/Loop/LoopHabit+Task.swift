package import CivilDate

extension LoopHabit {
    /// Whether Loop can represent the days and the target of a task without loss.
    package static func holds(_ draft: TaskDraft) -> Bool {
        guard case .recurring(_, _, let sets) = draft.schedule, sets.count == 1, sets[0].pattern == .daily else {
            return false
        }
        if let period = draft.period { return holds(period, of: sets[0].target) }
        switch (sets[0].target.minOperator, sets[0].target.maxOperator) {
        case (.lessOrEqual, .none), (.none, .lessOrEqual): return true
        default: return false
        }
    }

    /// Whether Loop can represent a target over several days: at least so many times, or one bound of a sum.
    private static func holds(_ period: PeriodTarget, of day: Target) -> Bool {
        guard period.isRolling else { return false }
        switch (period.measure, period.target.minOperator, period.target.maxOperator) {
        case (.days, .lessOrEqual, .none): return day == .done
        case (.sum, .lessOrEqual, .none): return day.minOperator == .less && day.min == 0 && day.maxOperator == .none
        case (.sum, .none, .lessOrEqual): return day == period.target
        default: return false
        }
    }

    /// The task as a habit of Loop, with every day that has an entry.
    package init(
        _ draft: TaskDraft, entries: [(day: CivilDate, entry: Entry)], summary: TaskSummary = TaskSummary()
    ) {
        self.init(draft.name)
        description = draft.notes
        (times, days) = draft.period?.frequency ?? LoopHabit.frequency(draft.schedule)
        color = summary.legend.color(of: .reached).map(LoopHabit.nearest)
        let targets = draft.schedule.sets.map(\.target)
        isNumerical =
            targets.contains { $0 != .done }
            || entries.contains { $0.entry.skipReason == nil && ![0, 1].contains($0.entry.completion) }
        if isNumerical {
            let target = targets.first ?? .done
            isAtMost = target.minOperator == .none
            targetValue = isAtMost ? target.max : target.min
        }
        if let period = draft.period, period.measure == .sum {
            isNumerical = true
            isAtMost = period.target.minOperator == .none
            targetValue = isAtMost ? period.target.max : period.target.min
        }
        if case .recurring(_, let end, _) = draft.schedule, !draft.hasOpenEnd, let last = entries.last?.day {
            isArchived = end <= last
        }
        entered = entries.map { day, entry in
            let note = [entry.skipReason ?? "", entry.note ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
            return Day(day, mark(entry), note: note)
        }
    }

    private func mark(_ entry: Entry) -> Mark {
        if entry.skipReason != nil { return .skip }
        guard isNumerical else { return .number(entry.completion >= 1 ? 2 : 0) }
        return .number(Int((min(max(entry.completion, -1e15), 1e15) * 1000).rounded()))
    }

    /// The frequency: a number of times per week, or per month of 30 days.
    static func frequency(_ schedule: Schedule) -> (times: Int, days: Int) {
        guard case .recurring(_, _, let sets) = schedule else { return (1, 1) }
        let patterns = sets.map(\.pattern)
        if patterns.contains(.daily) || patterns.isEmpty { return (1, 1) }
        if patterns.count == 1, let interval = patterns[0].interval {
            // The nearest that Loop has: so many times within the days of one interval.
            var pattern = patterns[0]
            pattern.interval = nil
            let each = frequency(.recurring(from: interval.start, to: interval.start, [TargetSet(pattern)]))
            switch interval.unit {
            case .day: return (1, interval.count)
            case .week: return each == (1, 1) ? (7, 7 * interval.count) : (each.times, 7 * interval.count)
            case .month: return each == (1, 1) ? (30, 30 * interval.count) : (each.times, 30 * interval.count)
            }
        }
        if patterns.allSatisfy({ $0.kind == .daysOfWeek && $0.interval == nil }) {
            let days = patterns.reduce(into: WeekdaySet()) { $0.formUnion($1.weekdays) }
            return days == .all ? (1, 1) : (days.days.count, 7)
        }
        let times = patterns.reduce(0) { sum, pattern in
            switch pattern.kind {
            case .daysOfWeek: sum + pattern.weekdays.days.count * 4
            case .weekdaysOfMonth: sum + pattern.weekdays.days.count * pattern.weeks.weeks.count
            case .daysOfMonth: sum + pattern.monthDays.days.count
            }
        }
        return times >= 30 ? (1, 1) : (max(1, times), 30)
    }

    /// Returns the colour of the app that is most similar to another.
    private static func nearest(_ color: LegendColor) -> LegendColor {
        func distance(_ other: LegendColor) -> Int {
            [8, 16, 24].reduce(0) { sum, shift in
                let difference = Int(color.rgba >> shift & 0xFF) - Int(other.rgba >> shift & 0xFF)
                return sum + difference * difference
            }
        }
        return palette.min { distance($0) < distance($1) } ?? palette[0]
    }
}
