import CivilDate
import MinteeDomain
import Testing

/// The day written so; the test fails when it is none.
func day(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> CivilDate {
    try #require(CivilDate(text), sourceLocation: location)
}

extension DayPattern {
    /// Any pattern that breaks no rule.
    static func random(using generator: inout some RandomNumberGenerator) -> DayPattern {
        let weekdays = WeekdaySet(rawValue: UInt8.random(in: 1...0x7F, using: &generator))
        switch Kind.allCases.randomElement(using: &generator) {
        case .weekdaysOfMonth?:
            let weeks = MonthWeekSet(rawValue: UInt8.random(in: 1...0x1F, using: &generator) << 1)
            return DayPattern(weekdays: weekdays, weeks: weeks)
        case .daysOfMonth?:
            return DayPattern(monthDays: MonthDaySet(rawValue: UInt32.random(in: 1...UInt32.max, using: &generator)))
        default: return DayPattern(weekdays: weekdays)
        }
    }
}

extension Target {
    /// Any target in normal form, its bounds with up to two decimals.
    static func random(using generator: inout some RandomNumberGenerator) -> Target {
        while true {
            let operators = (0..<2).map { _ in TargetOperator.allCases.randomElement(using: &generator) ?? .none }
            let bounds = (0..<2).map { _ in Double(Int.random(in: -2000...2000, using: &generator)) / 100 }
            if let target = try? Target(
                minOperator: operators[0], maxOperator: operators[1], min: bounds[0], max: bounds[1])
            {
                return target
            }
        }
    }
}
