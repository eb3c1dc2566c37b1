package import CivilDate

extension TaskStatistics {
    /// The number of periods of the share, by their kind; rolling periods are counted by day.
    static func window(of period: PeriodTarget.Period) -> Int {
        switch period {
        case .week: 4
        case .month: 12
        case .days: window
        }
    }

    /// Computes the statistics on `today` of a task with a period target.
    ///
    /// A calendar period adds to the streak when it is over and reached; the current one as soon as it is reached. A rolling
    /// target counts days: those that its reached days cover, as Loop Habit Tracker fills them in, or for sums and upper
    /// bounds those on which the last days together meet the target. The score is Loop's in both cases.
    package init(
        _ target: PeriodTarget, _ days: PeriodDays, lastDueDay: CivilDate?, weekStart: Weekday, today: CivilDate
    ) {
        let end = min(today, lastDueDay ?? today)
        let counted =
            target.isRolling
            ? target.rollingStates(days, to: end, today: today)
            : target.calendarStates(days, to: end, weekStart: weekStart, today: today)
        var streak = Streak()
        for state in counted {
            switch state {
            case .reached: streak.add(true)
            case .under, .over: streak.add(false)
            case .open, .none: break
            }
        }
        let recent = counted.suffix(TaskStatistics.window(of: target.period)).filter { $0 != .open && $0 != .none }
        let progress = target.progress(on: today, days, weekStart: weekStart, today: today)
        let spare: Int? =
            switch progress.state {
            case .open where target.measure == .days && !target.isRolling:
                progress.daysLeft - Int(((progress.needed ?? 0) - progress.amount).rounded(.up))
            case .reached: progress.daysLeft
            default: nil
            }
        self.init(
            streak: streak, reached: recent.count { $0 == .reached }, due: recent.count,
            score: target.score(days, to: end, today: today), buffer: spare)
    }
}

extension PeriodTarget {
    /// The states of the calendar periods from the first to that of `end`.
    func calendarStates(
        _ days: PeriodDays, to end: CivilDate, weekStart: Weekday, today: CivilDate
    ) -> [PeriodProgress.State] {
        periods(days, from: days.first, to: end, weekStart: weekStart, today: today).map(\.state)
    }

    /// The progress of the calendar periods from that of `start` to that of `end`; empty for a rolling target.
    package func periods(
        _ days: PeriodDays, from start: CivilDate, to end: CivilDate, weekStart: Weekday, today: CivilDate
    ) -> [PeriodProgress] {
        guard !isRolling else { return [] }
        var periods: [PeriodProgress] = []
        var date = max(days.first, start)
        while date <= end {
            let progress = progress(on: date, days, weekStart: weekStart, today: today)
            periods.append(progress)
            date = progress.days.upperBound.adding(days: 1)
        }
        return periods
    }

    /// The states of the days of a rolling period from the first to `end`: reached, under or over; open where nothing is
    /// decided yet.
    func rollingStates(_ days: PeriodDays, to end: CivilDate, today: CivilDate) -> [PeriodProgress.State] {
        guard days.first <= end else { return [] }
        if measure == .days, upperBound == nil, let needed = neededDays {
            return coverage(days, needed, to: end, today)
        }
        return (days.first.daysSinceEpoch...end.daysSinceEpoch).map { number in
            progress(on: CivilDate(daysSinceEpoch: number), days, weekStart: .monday, today: today).state
        }
    }

    /// The days that reached days cover: each run of `needed` reached days within the period covers as many days as the
    /// period has, beginning with its first one; overlapping runs move back as far as their last reached day allows.
    private func coverage(
        _ days: PeriodDays, _ needed: Int, to end: CivilDate, _ today: CivilDate
    ) -> [PeriodProgress.State] {
        let done = (days.first.daysSinceEpoch...end.daysSinceEpoch).filter {
            days[CivilDate(daysSinceEpoch: $0)].isReached
        }
        var runs: [(begin: Int, center: Int, end: Int)] = []
        for index in done.indices.dropFirst(needed - 1) {
            let (begin, center) = (done[index - needed + 1], done[index])
            let size = coveredDays(from: begin)
            if center - begin < size { runs.append((begin, center, begin + size - 1)) }
        }
        for index in runs.indices.dropLast().reversed() {
            let (run, next) = (runs[index], runs[index + 1])
            guard run.end >= next.begin else { continue }
            let shift = min(run.end - run.center, run.end - next.begin + 1)
            runs[index] = (run.begin - shift, run.center, run.end - shift)
        }
        let first = days.first.daysSinceEpoch
        var isCovered = [Bool](repeating: false, count: end.daysSinceEpoch - first + 1)
        for run in runs {
            let (from, to) = (max(run.begin, first), min(run.end, end.daysSinceEpoch))
            if from <= to { for day in from...to { isCovered[day - first] = true } }
        }
        return isCovered.enumerated().map { offset, isCovered in
            let date = days.first.adding(days: offset)
            if isCovered || days[date].isSkipped || days[date].isReached { return .reached }
            return date == today ? .open : .under
        }
    }

    /// The number of days that a run covers: those of the month for a period of 30 or 31 days, as in Loop.
    private func coveredDays(from begin: Int) -> Int {
        guard length == 30 || length == 31 else { return length }
        return CalendarDay(CivilDate(daysSinceEpoch: begin)).daysInMonth
    }

    /// The score by Loop's formula, from the first day with an entry on. Today counts once something is entered.
    func score(_ days: PeriodDays, to end: CivilDate, today: CivilDate) -> Double {
        let last = end == today && !days[today].isEntered ? end.adding(days: -1) : end
        guard days.first <= last else { return 0 }
        let all = days.all(days.first...last).drop { !$0.isEntered }
        let (times, count) = frequency
        let amounts = all.map { $0.isSkipped ? nil : amount(of: $0) }
        let parts: [[Double]] = [
            lowerBound.map { bound in
                measure == .days
                    ? LoopScore.scores(
                        of: all.map { $0.isSkipped ? .skip : $0.isReached ? .yes : .no }, times: times, in: count)
                    : LoopScore.scores(of: amounts, .atLeast(bound), in: count)
            },
            upperBound.map { LoopScore.scores(of: amounts, .atMost($0), times: times, in: count) },
        ].compactMap(\.self)
        return parts.compactMap(\.last).min() ?? 0
    }

    /// The timeline as it is shown: a day without an entry is free as long as its period does not need it.
    package func shown(_ timeline: Timeline, _ days: PeriodDays, weekStart: Weekday, today: CivilDate) -> Timeline {
        var date = timeline.first
        let states = timeline.states.map { state in
            defer { date = date.adding(days: 1) }
            // 0 is not a missed day of a sum.
            let isNeutral = measure == .sum && state.category == .under && days.isDoneOrNot(date)
            guard state.counts, !state.isEntered || isNeutral else { return state }
            let isNeeded = progress(on: date, days, weekStart: weekStart, today: date).isTight
            if isNeeded { return DayState(.under, isEntered: state.isEntered) }
            return state.isEntered ? .freeEntered : .free
        }
        return Timeline(first: timeline.first, states: states)
    }
}
