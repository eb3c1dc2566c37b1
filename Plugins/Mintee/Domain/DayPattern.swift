package import CivilDate

/// The due days of a target set: one of three kinds of patterns.
///
/// A pattern has a kind and three sets of days; the rules DP-1 to DP-7 define which sets a kind requires, and
/// ``violations`` reports violations. A value created by one of the named initialisers from a non-empty set is valid.
package struct DayPattern: Hashable, Sendable {
    /// The kinds of days.
    package enum Kind: Int, CaseIterable, Sendable {
        /// Days of every week: `Mon,Wed`.
        case daysOfWeek = 1
        /// Certain weekdays of a month: `1st,Last Fri`.
        case weekdaysOfMonth
        /// Days of every month by number: `1,15,last`.
        case daysOfMonth
    }

    /// The kind of days.
    package var kind: Kind
    /// The days of the week.
    package var weekdays: WeekdaySet
    /// The weeks of the month.
    package var weeks: MonthWeekSet
    /// The days of the month.
    package var monthDays: MonthDaySet
    /// Which days, weeks or months count; nil for all.
    package var interval: DayInterval?
    /// The holidays that are left out; nil for none.
    package var exception: HolidayException?

    /// Creates a pattern without validation.
    package init(
        kind: Kind, weekdays: WeekdaySet = [], weeks: MonthWeekSet = [], monthDays: MonthDaySet = [],
        interval: DayInterval? = nil, exception: HolidayException? = nil
    ) {
        self.interval = interval
        self.exception = exception
        self.kind = kind
        self.weekdays = weekdays
        self.weeks = weeks
        self.monthDays = monthDays
    }

    /// Creates a pattern of these days of every week.
    package init(weekdays: WeekdaySet) { self.init(kind: .daysOfWeek, weekdays: weekdays) }

    /// Creates a pattern of these weekdays in these weeks of every month.
    package init(weekdays: WeekdaySet, weeks: MonthWeekSet) {
        self.init(kind: .weekdaysOfMonth, weekdays: weekdays, weeks: weeks)
    }

    /// Creates a pattern of these days of every month; days that a month lacks are skipped.
    package init(monthDays: MonthDaySet) { self.init(kind: .daysOfMonth, monthDays: monthDays) }

    /// Every day of the week.
    package static let daily = DayPattern(weekdays: .all)

    /// The pattern with an interval.
    package func every(_ interval: DayInterval?) -> DayPattern {
        var pattern = self
        pattern.interval = interval
        return pattern
    }

    /// The pattern with the days of a calendar of holidays left out; nil for none.
    package func except(_ exception: HolidayException?) -> DayPattern {
        var pattern = self
        pattern.exception = exception
        return pattern
    }

    /// Whether the pattern includes `day`.
    package func matches(_ day: CalendarDay) -> Bool {
        isAmong(day) && (interval?.includes(day) ?? true) && !(exception?.includes(day.date) ?? false)
    }

    /// Whether the pattern includes `day` in a unit that counts.
    private func isAmong(_ day: CalendarDay) -> Bool {
        switch kind {
        case .daysOfWeek: weekdays.contains(day.weekday)
        case .weekdaysOfMonth:
            // The fifth occurrence of a weekday is always the last one, so the ordinals 1 to 4 and `last` cover
            // everything.
            weekdays.contains(day.weekday)
                && (weeks.contains(ordinal: (day.day + 6) / 7)
                    || weeks.contains(.last) && day.day + 7 > day.daysInMonth)
        case .daysOfMonth:
            monthDays.contains(day: day.day) || monthDays.contains(.last) && day.day == day.daysInMonth
        }
    }

    /// Whether the pattern includes `date`.
    package func matches(_ date: CivilDate) -> Bool { matches(CalendarDay(date)) }

    /// The codes of the violated rules.
    package var violations: [RuleCode] {
        daysViolations + (interval.map { $0.isValid(for: kind) ? [] : ["DP-5"] } ?? []) + (exception?.violations ?? [])
    }

    private var daysViolations: [RuleCode] {
        switch kind {
        case .daysOfWeek: !weekdays.isEmpty && weeks.isEmpty && monthDays.isEmpty ? [] : ["DP-2"]
        case .weekdaysOfMonth: !weekdays.isEmpty && !weeks.isEmpty && monthDays.isEmpty ? [] : ["DP-3"]
        case .daysOfMonth: weekdays.isEmpty && weeks.isEmpty && !monthDays.isEmpty ? [] : ["DP-4"]
        }
    }
}
