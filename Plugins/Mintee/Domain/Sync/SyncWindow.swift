package import CivilDate

/// The days shown in a calendar: those around today, and earlier ones with entries.
package struct SyncWindow: Hashable, Sendable {
    /// The current day.
    package let today: CivilDate
    /// The number of past days whose due tasks are shown.
    package let back: Int
    /// The number of future days shown.
    package let ahead: Int
    /// The number of past days shown if they have entries; at least ``back``.
    package let filledBack: Int
    /// The first day of a week, for targets of a week.
    package let weekStart: Weekday

    /// Creates the window around `today`, in days; `filledBack` is at least `back`. The defaults are those of the
    /// config.
    package init(
        today: CivilDate, back: Int = 1, ahead: Int = 14, filledBack: Int = 90, weekStart: Weekday = .monday
    ) {
        self.today = today
        self.back = back
        self.ahead = ahead
        self.filledBack = max(filledBack, back)
        self.weekStart = weekStart
    }

    /// The days that are shown if they are due.
    package var due: ClosedRange<CivilDate> { today.adding(days: -back)...today.adding(days: ahead) }

    /// The days that are shown if they are due and have an entry.
    package var filled: ClosedRange<CivilDate> {
        today.adding(days: -filledBack)...max(today.adding(days: ahead), today.adding(days: filledBack))
    }

    /// Whether a due day is shown.
    package func shows(_ date: CivilDate, isFilled: Bool) -> Bool {
        due.contains(date) || isFilled && filled.contains(date)
    }
}

extension Schedule {
    /// Returns the days of the task within `span`, ascending.
    package func days(in span: ClosedRange<CivilDate>) -> [CivilDate] {
        switch self {
        case .specific(let dates): dates.filter(span.contains)
        case .recurring(let start, let end, let sets):
            Schedule.recurring(from: max(start, span.lowerBound), to: min(end, span.upperBound), sets).days
        }
    }
}
