package import CivilDate

/// A day with the values that patterns need; stepping through many days does not recompute them.
package struct CalendarDay: Hashable, Sendable {
    /// The day.
    package private(set) var date: CivilDate
    /// The day of the month, from 1.
    package private(set) var day: Int
    /// The day of the week.
    package private(set) var weekday: Weekday
    /// The number of days of the month.
    package private(set) var daysInMonth: Int
    private var month: Int
    private var year: Int

    /// The number of the month, counted from the beginning of the calendar.
    var monthNumber: Int { year * 12 + month }

    /// Computes weekday and month length of `date`.
    package init(_ date: CivilDate) {
        self.date = date
        (year, month, day) = date.components
        // 1970-01-01 was a Thursday.
        let index = (date.daysSinceEpoch + 3) % 7
        weekday = Weekday(rawValue: (index < 0 ? index + 7 : index) + 1) ?? .monday
        daysInMonth = CivilDate.daysInMonth(month, of: year)
    }

    /// Creates a day from the values that patterns need.
    package init(day: Int, weekday: Weekday, daysInMonth: Int) {
        date = CivilDate(daysSinceEpoch: 0)
        (year, month) = (1970, 1)
        self.day = day
        self.weekday = weekday
        self.daysInMonth = daysInMonth
    }

    /// The first day of its month.
    var firstOfMonth: CalendarDay {
        var first = self
        first.date = date.adding(days: 1 - day)
        first.weekday = Weekday(rawValue: (weekday.rawValue + 35 - day) % 7 + 1) ?? .monday
        first.day = 1
        return first
    }

    /// The first day of the month after this one, which is a first day.
    var nextMonth: CalendarDay {
        var next = self
        next.date = date.adding(days: daysInMonth)
        next.weekday = Weekday(rawValue: (weekday.rawValue - 1 + daysInMonth) % 7 + 1) ?? .monday
        next.month = month % 12 + 1
        if month == 12 { next.year += 1 }
        next.daysInMonth = CivilDate.daysInMonth(next.month, of: next.year)
        return next
    }

    /// Advances to the next day.
    package mutating func advance() {
        date = date.adding(days: 1)
        weekday = Weekday(rawValue: weekday.rawValue % 7 + 1) ?? .monday
        day += 1
        guard day > daysInMonth else { return }
        day = 1
        month += 1
        if month > 12 { (year, month) = (year + 1, 1) }
        daysInMonth = CivilDate.daysInMonth(month, of: year)
    }
}
