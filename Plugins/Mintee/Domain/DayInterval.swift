package import CivilDate

/// Which days, weeks or months of a pattern count: one of so many, from that of a day on.
package struct DayInterval: Hashable, Sendable {
    /// What is counted.
    package enum Unit: Int, CaseIterable, Sendable {
        case day = 1, week, month

        /// The numbers that an interval may have.
        package var counts: ClosedRange<Int> {
            switch self {
            case .day: 2...366
            case .week: 2...104
            case .month: 2...120
            }
        }
    }

    /// What is counted; weeks begin with Monday.
    package var unit: Unit
    /// The number of units from one to the next.
    package var count: Int
    /// A day in the first unit that counts.
    package var start: CivilDate

    /// Creates an interval without validation.
    package init(every count: Int, _ unit: Unit, from start: CivilDate) {
        self.unit = unit
        self.count = count
        self.start = start
    }

    /// Whether a day is in a unit that counts.
    func includes(_ day: CalendarDay) -> Bool {
        let distance =
            switch unit {
            case .day: day.date.daysSinceEpoch - start.daysSinceEpoch
            case .week: DayInterval.week(day.date) - DayInterval.week(start)
            case .month: day.monthNumber - CalendarDay(start).monthNumber
            }
        return count > 0 && distance.isMultiple(of: count)
    }

    /// The number of the week, which begins with Monday; 1970-01-01 was a Thursday.
    private static func week(_ date: CivilDate) -> Int {
        Int((Double(date.daysSinceEpoch + 3) / 7).rounded(.down))
    }

    /// Whether the interval is valid for a kind of days: days and weeks are counted for days of the week alone.
    func isValid(for kind: DayPattern.Kind) -> Bool {
        unit.counts.contains(count) && (unit == .month || kind == .daysOfWeek)
    }

    /// The number of days within which a pattern with the interval matches, if it ever does.
    package var horizon: Int {
        switch unit {
        case .day: count * 7
        case .week: count * 7
        // 29 February may be eight years away.
        case .month: count * 31 + (count.isMultiple(of: 12) ? 366 * 8 * (count / 12) : 31 * 12)
        }
    }
}
