package import CivilDate

/// A target over several days, beside the targets of single days: `3 times a week`, `at most 12 a week`.
///
/// The patterns and targets of a task say on which days something may be entered and when such a day is reached; the
/// period target says how many reached days, or how large a sum of values, a period needs. No day of it is missed by
/// itself as long as the days that are left can reach the target.
package struct PeriodTarget: Hashable, Sendable {
    /// The days that are counted together.
    package enum Period: Hashable, Sendable {
        /// A calendar week.
        case week
        /// A calendar month.
        case month
        /// The last days, ending with any day.
        case days(Int)
    }

    /// What is compared with the target.
    package enum Measure: Int, CaseIterable, Sendable {
        /// The number of days that reached their own target.
        case days = 0
        /// The sum of the values of the days.
        case sum
    }

    /// The days that are counted together.
    package var period: Period
    /// What is compared with the target.
    package var measure: Measure
    /// The bounds.
    package var target: Target

    package init(_ target: Target, _ measure: Measure = .days, in period: Period) {
        self.period = period
        self.measure = measure
        self.target = target
    }

    /// The numbers of days of a rolling period.
    package static let rollingDays = 2...366

    /// The maximum number of days of the period.
    package var length: Int {
        switch period {
        case .week: 7
        case .month: 31
        case .days(let count): count
        }
    }

    /// The number of days that the period needs if days are counted; nil if there is no lower bound.
    package var neededDays: Int? { lowerBound.map { Int($0.rounded(.up)) } }

    /// The smallest value that reaches the lower bound: of days a whole number, of sums the bound itself; nil for none.
    package var lowerBound: Double? {
        switch target.minOperator {
        case .none: nil
        case .less: measure == .days ? target.min.rounded(.down) + 1 : target.min
        case .lessOrEqual, .equal: target.min
        }
    }

    /// The largest value that reaches the upper bound: of days a whole number, of sums the bound itself; nil for none.
    package var upperBound: Double? {
        if target.minOperator == .equal { return target.min }
        switch target.maxOperator {
        case .none: return nil
        case .less: return measure == .days ? target.max.rounded(.up) - 1 : target.max
        case .lessOrEqual, .equal: return target.max
        }
    }

    /// The violated rules of a period target of a task with this schedule.
    package func violations(with schedule: Schedule) -> [RuleCode] {
        var broken = target.violations(of: "PT")
        if schedule.kind != .recurring { broken.append("PT-8") }
        let most = possibleDays(schedule)
        if measure == .days, !bounds.allSatisfy({ $0.rounded() == $0 && $0 >= 1 && $0 <= most }) {
            broken.append("PT-9")
        }
        if case .days(let count) = period, !PeriodTarget.rollingDays.contains(count) { broken.append("PT-10") }
        return broken
    }

    /// The bounds that have an operator.
    private var bounds: [Double] {
        (target.minOperator == .none ? [] : [target.min]) + (target.maxOperator == .none ? [] : [target.max])
    }

    /// The largest number of due days that a period can have.
    private func possibleDays(_ schedule: Schedule) -> Double {
        let patterns = schedule.sets.map(\.pattern)
        guard case .week = period, !patterns.isEmpty, patterns.allSatisfy({ $0.kind == .daysOfWeek }) else {
            return Double(length)
        }
        return Double(patterns.reduce(into: WeekdaySet()) { $0.formUnion($1.weekdays) }.days.count)
    }

    /// The days of the calendar period that contains `date`, or of the rolling period that ends with it.
    package func days(around date: CivilDate, weekStart: Weekday) -> ClosedRange<CivilDate> {
        switch period {
        case .week:
            let first = date.adding(days: -((date.weekday.rawValue - weekStart.rawValue + 7) % 7))
            return first...first.adding(days: 6)
        case .month:
            let day = CalendarDay(date)
            return date.adding(days: 1 - day.day)...date.adding(days: day.daysInMonth - day.day)
        case .days(let count): return date.adding(days: 1 - count)...date
        }
    }

    /// The frequency by the formula of Loop Habit Tracker: a number of times in a number of days.
    package var frequency: (times: Int, days: Int) {
        let days =
            switch period {
            case .week: 7
            case .month: 30
            case .days(let count): count
            }
        return (measure == .days ? max(1, neededDays ?? 1) : 1, days)
    }
}
