package import CivilDate

/// The days of a task with a period target, from its first day on: what may be entered, and what was.
package struct PeriodDays: Hashable, Sendable {
    /// One day.
    package struct Day: Hashable, Sendable {
        /// Whether the task may be done on the day: it is due, and the day is not skipped.
        package var isPossible: Bool
        /// Whether the day is skipped.
        package var isSkipped: Bool
        /// Whether a value or a note was entered.
        package var isEntered: Bool
        /// Whether an entered value reached the target of the day.
        package var isReached: Bool
        /// The value; 0 if none was entered, or if the day is skipped.
        package var amount: Double
    }

    /// The first day of the task.
    package let first: CivilDate
    private let days: [Day]
    private let sets: [TargetSet]

    /// Creates the days of `timeline` with their values.
    ///
    /// A day without an entry is not reached, even if its own target is a maximum that 0 does not exceed.
    package init(_ timeline: Timeline, amounts: [CivilDate: Double], sets: [TargetSet]) {
        first = timeline.first
        // A holiday leaves less to do in its period, as a skipped day does.
        self.sets = sets.map { TargetSet($0.pattern.except(nil), $0.target) }
        var date = timeline.first
        days = timeline.states.map { state in
            let day = Day(
                isPossible: state.isDue && !state.isSkipped, isSkipped: state.isSkipped, isEntered: state.isEntered,
                isReached: state.isEntered && state.isReached, amount: state.isSkipped ? 0 : amounts[date] ?? 0)
            date = date.adding(days: 1)
            return day
        }
    }

    /// The last day that is known.
    package var last: CivilDate { first.adding(days: days.count - 1) }

    /// The day; one on which nothing is possible outside of the task.
    package subscript(date: CivilDate) -> Day {
        let index = date.daysSinceEpoch - first.daysSinceEpoch
        guard days.indices.contains(index) else {
            return Day(isPossible: false, isSkipped: false, isEntered: false, isReached: false, amount: 0)
        }
        return days[index]
    }

    /// The number of days of a range that match a pattern, whether or not the task has begun or ended then.
    func matches(in range: ClosedRange<CivilDate>) -> Int {
        var day = CalendarDay(range.lowerBound)
        var count = 0
        for _ in range.lowerBound.daysSinceEpoch...range.upperBound.daysSinceEpoch {
            if Schedule.set(of: sets, on: day) != nil { count += 1 }
            day.advance()
        }
        return count
    }

    /// The number of days of a range that match a pattern and on which nothing is possible: skipped days, holidays, and those
    /// before the task begins or after it ends.
    func impossible(in range: ClosedRange<CivilDate>) -> Int {
        var day = CalendarDay(range.lowerBound)
        var count = 0
        for number in range.lowerBound.daysSinceEpoch...range.upperBound.daysSinceEpoch {
            if !self[CivilDate(daysSinceEpoch: number)].isPossible, Schedule.set(of: sets, on: day) != nil {
                count += 1
            }
            day.advance()
        }
        return count
    }

    /// Whether the day has no target of its own beyond being done.
    func isDoneOrNot(_ date: CivilDate) -> Bool {
        Schedule.set(of: sets, on: CalendarDay(date)).map { sets[$0].target == .done } ?? false
    }

    /// Returns the days of a range.
    func all(_ range: ClosedRange<CivilDate>) -> [Day] {
        (range.lowerBound.daysSinceEpoch...range.upperBound.daysSinceEpoch).map { self[CivilDate(daysSinceEpoch: $0)] }
    }
}

/// A period of a task: what was done in it, and what it still needs.
package struct PeriodProgress: Hashable, Sendable {
    /// The states of a period.
    package enum State: String, CaseIterable, Sendable {
        /// The days that are left can still reach the target.
        case open
        /// The target is reached.
        case reached
        /// The target was missed, or can no longer be reached.
        case under
        /// The upper bound is exceeded.
        case over
        /// The period counts neither way: no day of it is possible, or those that are not would have been enough.
        case none
    }

    /// The target of the period.
    package let target: PeriodTarget
    /// The days of the period.
    package let days: ClosedRange<CivilDate>
    /// The number of days that reached their target, or the sum of the values.
    package let amount: Double
    /// The lower bound, lowered for a calendar period with fewer possible days; nil for none.
    package let needed: Double?
    /// The upper bound; nil for none.
    package let limit: Double?
    /// The number of days left on which something can still be entered, from today on; of a rolling period that is
    /// reached the number of days for which it stays so without another entry.
    package let daysLeft: Int
    /// The state.
    package let state: State
    /// Whether today is needed: without it, the target can no longer be reached or kept.
    package let isTight: Bool

    /// The share of the lower bound that is done, 0...1; 1 without a lower bound.
    package var share: Double { needed.map { $0 <= 0 ? 1 : min(1, max(0, amount / $0)) } ?? 1 }
}

extension PeriodTarget {
    /// Returns the progress of the period of `date`.
    /// - Parameters:
    ///   - date: Any day of a calendar period, or the last day of a rolling one.
    ///   - days: The days of the task until the end of that period.
    ///   - today: The current day; what is before it is over.
    package func progress(
        on date: CivilDate, _ days: PeriodDays, weekStart: Weekday, today: CivilDate
    ) -> PeriodProgress {
        let span = self.days(around: date, weekStart: weekStart)
        return isRolling ? rolling(span, days, today: today) : calendar(span, days, today: today)
    }

    /// Whether the period ends with any day.
    package var isRolling: Bool {
        if case .days = period { true } else { false }
    }

    /// What a day adds to the amount of a period.
    func amount(of day: PeriodDays.Day) -> Double { measure == .days ? day.isReached ? 1 : 0 : day.amount }

    /// Whether an amount reaches the lower bound, of which `needed` is what the period needs.
    func isMet(_ amount: Double, _ needed: Double?) -> Bool {
        guard let needed else { return true }
        return target.minOperator == .less && measure == .sum ? amount > needed : amount >= needed
    }

    /// Whether an amount exceeds the upper bound.
    private func isOver(_ amount: Double) -> Bool {
        guard let upperBound else { return false }
        return target.maxOperator == .less && measure == .sum ? amount >= upperBound : amount > upperBound
    }

    /// Whether something can still be entered that the amount needs.
    func isLeft(_ day: PeriodDays.Day) -> Bool { day.isPossible && !(measure == .days && day.isReached) }

    /// The progress of a calendar period. Days on which nothing is possible are neither done nor missed: the period needs no
    /// more days than are possible, or that share of the sum, and is missed only if it would be so with these days done.
    private func calendar(_ span: ClosedRange<CivilDate>, _ days: PeriodDays, today: CivilDate) -> PeriodProgress {
        let all = days.all(span)
        let possible = all.count { $0.isPossible }
        let amount = all.reduce(0.0) { $0 + self.amount(of: $1) }
        let start = max(today, span.lowerBound)
        let left = start > span.upperBound ? 0 : days.all(start...span.upperBound).count { isLeft($0) }
        let whole = Double(max(1, days.matches(in: span)))
        let needed = lowerBound.map { bound in
            measure == .days ? min(bound, Double(possible)) : bound * Double(possible) / whole
        }
        let missing =
            measure == .days
            ? min(lowerBound ?? 0, whole) - amount - max(0, whole - Double(possible)) : (needed ?? 0) - amount
        let state: PeriodProgress.State =
            if possible == 0 {
                .none
            } else if isOver(amount) {
                .over
            } else if isMet(amount, needed) {
                .reached
            } else if measure == .days, missing > Double(left) {
                .under
            } else if left == 0 {
                measure == .days ? .none : .under
            } else {
                .open
            }
        let isTight =
            state == .open && start == today && isLeft(days[today])
            && (measure == .days ? Double(left) <= missing : left == 1)
        return PeriodProgress(
            target: self, days: span, amount: amount, needed: needed, limit: upperBound, daysLeft: left, state: state,
            isTight: isTight)
    }

    /// The progress of the days that end with `span`. Today is needed if the target is not kept without it.
    private func rolling(_ span: ClosedRange<CivilDate>, _ days: PeriodDays, today: CivilDate) -> PeriodProgress {
        let date = span.upperBound
        let all = days.all(span)
        let amount = all.reduce(0.0) { $0 + self.amount(of: $1) }
        let isReached = isMet(amount, lowerBound)
        let isMissed = !isReached && isMissed(amount, span, days)
        var left = 0
        if isReached, lowerBound != nil {
            // The days until the earliest of those that are needed is too long ago.
            var rest = amount
            for day in all {
                rest -= self.amount(of: day)
                if !isMet(rest, lowerBound) { break }
                left += 1
            }
        }
        let state: PeriodProgress.State =
            if !all.contains(where: { $0.isPossible }) {
                .none
            } else if isOver(amount) {
                .over
            } else if isReached {
                .reached
            } else if date < today {
                isMissed ? .under : .none
            } else {
                .open
            }
        return PeriodProgress(
            target: self, days: span, amount: amount, needed: lowerBound, limit: upperBound, daysLeft: left,
            state: state, isTight: date == today && isMissed && isLeft(days[date]))
    }

    /// Whether the days of `span`, with an amount that does not reach the lower bound, are missed: the days on which nothing
    /// was possible would not have been enough either. A sum is not missed as long as there is such a day.
    func isMissed(_ amount: Double, _ span: ClosedRange<CivilDate>, _ days: PeriodDays) -> Bool {
        let impossible = days.impossible(in: span)
        return measure == .days ? !isMet(amount + Double(impossible), lowerBound) : impossible == 0
    }
}
