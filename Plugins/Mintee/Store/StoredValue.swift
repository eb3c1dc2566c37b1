import CivilDate
import HubKit
package import MinteeDomain

/// Converts between stored and domain values. Every domain value can be stored; an unknown stored value is nil.
package enum StoredValue {
    /// Days of the week as bits: Sunday is bit 1, Saturday bit 7.
    package static func bits(_ days: WeekdaySet) -> Int { days.days.reduce(0) { $0 | 1 << $1.sundayFirstNumber } }

    /// Returns the days of the week of stored bits.
    package static func weekdays(_ bits: Int) -> WeekdaySet? {
        guard bits & ~0xFE == 0 else { return nil }
        // `WeekdaySet` begins with Monday, the stored bits with Sunday.
        return WeekdaySet(rawValue: UInt8(bits >> 2 | (bits & 2) << 5))
    }

    /// Returns the pattern of stored columns; nil if its type is unknown or a bit has no meaning.
    package static func pattern(type: Int, daysOfWeek: Int, weeks: Int, daysOfMonth: Int) -> DayPattern? {
        guard let kind = DayPattern.Kind(rawValue: type), let weekdays = weekdays(daysOfWeek), weeks & ~0x3E == 0,
            let monthDays = UInt32(exactly: daysOfMonth)
        else { return nil }
        return DayPattern(
            kind: kind, weekdays: weekdays, weeks: MonthWeekSet(rawValue: UInt8(weeks)),
            monthDays: MonthDaySet(rawValue: monthDays))
    }

    /// Returns the target of stored columns; nil if an operator is unknown.
    package static func target(minOperator: Int, maxOperator: Int, min: Double, max: Double) -> Target? {
        guard let lower = TargetOperator(rawValue: minOperator), let upper = TargetOperator(rawValue: maxOperator)
        else {
            return nil
        }
        return Target(unchecked: lower, upper, min, max)
    }

    /// The error for a row with an unknown value.
    static func damaged(_ what: String, _ id: String) -> HubError {
        HubError(
            .internal, code: "mintee-damaged", "\(what) \(id) contains an unknown value",
            hint: "run hub mintee check to see which rule it violates")
    }
}
