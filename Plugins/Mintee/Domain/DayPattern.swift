package import CivilDate

/// On which days something is due: one of three kinds of pattern over the calendar.
///
/// A pattern is its kind and three sets of days; which sets a kind needs is said by the rules DP-1 to DP-4, which
/// ``breaches`` reports. A value made by one of the named initialisers from a set that is not empty breaks none.
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
    /// Which of the days of the week in a month.
    package var weeks: MonthWeekSet
    /// The days of the month.
    package var monthDays: MonthDaySet

    /// A pattern of any make, also one that breaks a rule.
    package init(kind: Kind, weekdays: WeekdaySet = [], weeks: MonthWeekSet = [], monthDays: MonthDaySet = []) {
        self.kind = kind
        self.weekdays = weekdays
        self.weeks = weeks
        self.monthDays = monthDays
    }

    /// These days of every week.
    package init(weekdays: WeekdaySet) { self.init(kind: .daysOfWeek, weekdays: weekdays) }

    /// These weekdays in these weeks of every month.
    package init(weekdays: WeekdaySet, weeks: MonthWeekSet) {
        self.init(kind: .weekdaysOfMonth, weekdays: weekdays, weeks: weeks)
    }

    /// These days of every month; days that a month lacks are left out.
    package init(monthDays: MonthDaySet) { self.init(kind: .daysOfMonth, monthDays: monthDays) }

    /// Every day.
    package static let daily = DayPattern(weekdays: .all)

    /// Whether the pattern names `day`.
    package func matches(_ day: CalendarDay) -> Bool {
        switch kind {
        case .daysOfWeek: weekdays.contains(day.weekday)
        case .weekdaysOfMonth:
            // The fifth of a weekday is always the last one, so the ordinals 1 to 4 and `last` say all.
            weekdays.contains(day.weekday)
                && (weeks.contains(ordinal: (day.day + 6) / 7)
                    || weeks.contains(.last) && day.day + 7 > day.daysInMonth)
        case .daysOfMonth:
            monthDays.contains(day: day.day) || monthDays.contains(.last) && day.day == day.daysInMonth
        }
    }

    /// Whether the pattern names `date`.
    package func matches(_ date: CivilDate) -> Bool { matches(CalendarDay(date)) }

    /// The codes of the rules that the pattern breaks.
    package var breaches: [RuleCode] {
        switch kind {
        case .daysOfWeek: !weekdays.isEmpty && weeks.isEmpty && monthDays.isEmpty ? [] : ["DP-2"]
        case .weekdaysOfMonth: !weekdays.isEmpty && !weeks.isEmpty && monthDays.isEmpty ? [] : ["DP-3"]
        case .daysOfMonth: weekdays.isEmpty && weeks.isEmpty && !monthDays.isEmpty ? [] : ["DP-4"]
        }
    }

    /// The frequency in the words of the app: `Every week`, `1st, Last of each month`, `Every month`.
    package var frequency: String {
        switch kind {
        case .daysOfWeek: "Every week"
        case .weekdaysOfMonth: weeks.names.joined(separator: ", ") + " of each month"
        case .daysOfMonth: "Every month"
        }
    }
}
