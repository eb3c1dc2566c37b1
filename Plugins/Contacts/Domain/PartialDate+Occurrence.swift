package import CivilDate

/// The day on which 29 February is celebrated in common years.
package enum LeapDayRule: Sendable {
    case february28, march1
}

extension PartialDate {
    /// The first day on or after `start` with this month and day, or nil when either is unknown.
    package func next(from start: CivilDate, leapDay rule: LeapDayRule = .february28) -> CivilDate? {
        let year = start.components.year
        return [year, year + 1].lazy.compactMap { occurrence(in: $0, leapDay: rule) }.first { $0 >= start }
    }

    /// The day in `year` with this month and day, or nil when either is unknown.
    package func occurrence(in year: Int, leapDay rule: LeapDayRule = .february28) -> CivilDate? {
        guard let month, let day else { return nil }
        if month == 2, day == 29, !CivilDate.isLeap(year) {
            return rule == .march1
                ? CivilDate(year: year, month: 3, day: 1) : CivilDate(year: year, month: 2, day: 28)
        }
        return CivilDate(year: year, month: month, day: day)
    }

    /// The number of full years from the date to `day`, or nil if a part is unknown or the date is in the future.
    package func age(on day: CivilDate, leapDay rule: LeapDayRule = .february28) -> Int? {
        let current = day.components.year
        guard let year, year <= current, let birthday = occurrence(in: current, leapDay: rule) else { return nil }
        let age = current - year - (birthday > day ? 1 : 0)
        return age < 0 ? nil : age
    }
}
