import CivilDate
package import MinteeDomain
import System

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

/// A day as one byte of a stored year: its state, and whether its entry is only the value 0 or only the value 1. Most
/// entries are, and then the row of the entry need not be read.
struct StoredDay: Hashable {
    let rawValue: UInt8

    private static let saysZero: UInt8 = 0x40
    private static let saysOne: UInt8 = 0x20

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A day without an entry.
    init(_ state: DayState) { rawValue = state.rawValue }

    /// A day with an entry and this target; nil for a specific task.
    init(_ entry: Entry, _ target: Target?) {
        let state = entry.state(target).rawValue
        rawValue =
            entry == Entry() ? state | Self.saysZero : entry == Entry(completion: 1) ? state | Self.saysOne : state
    }

    /// The state of the day.
    var state: DayState { DayState(rawValue: rawValue & ~(Self.saysZero | Self.saysOne)) }

    /// The entry if it is only 0 or only 1; nil if it has to be looked up, or if there is none.
    var entry: Entry? {
        rawValue & Self.saysZero != 0 ? Entry() : rawValue & Self.saysOne != 0 ? Entry(completion: 1) : nil
    }
}
