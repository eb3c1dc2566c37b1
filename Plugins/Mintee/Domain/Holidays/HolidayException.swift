package import CivilDate

/// The days on which a pattern is not due because they are in a calendar of holidays.
package struct HolidayException: Hashable, Sendable {
    /// The name of the calendar.
    package var calendar: String
    /// The holidays on which the task has no entry, ascending; empty until the calendar is looked up.
    package var days: [CivilDate]

    package init(_ calendar: String, days: [CivilDate] = []) {
        self.calendar = calendar
        self.days = days
    }

    /// Whether `date` is one of the days.
    func includes(_ date: CivilDate) -> Bool { days.contains(sorted: date) }

    /// The codes of the violated rules.
    var violations: [RuleCode] { HolidayCalendar.isName(calendar) ? [] : ["DP-7"] }
}
