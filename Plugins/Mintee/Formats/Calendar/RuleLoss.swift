import CivilDate
import ICalendar

/// The reason why no pattern can express a recurrence rule, in a few words: `every 2 weeks`, `the 5th Friday`.
package struct RuleLoss: Error, Hashable, Sendable {
    /// The description.
    package let words: String

    package init(_ words: String) { self.words = words }

    /// Describes the part of `rule` that patterns cannot express.
    init(_ rule: RecurrenceRule) { self.init(RuleLoss.words(of: rule)) }

    /// Throws if a part of `rule` cannot be expressed by any pattern.
    static func check(_ rule: RecurrenceRule) throws(RuleLoss) {
        let isMonthly = rule.frequency == .monthly
        guard rule.interval == 1, rule.months.isEmpty, rule.yearDays.isEmpty, rule.weekNumbers.isEmpty,
            isMonthly || rule.positions.isEmpty, isMonthly || rule.days.allSatisfy({ $0.ordinal == 0 }),
            rule.days.isEmpty || rule.monthDays.isEmpty
        else { throw RuleLoss(rule) }
    }

    private static func words(of rule: RecurrenceRule) -> String {
        let unit =
            switch rule.frequency {
            case .secondly: "second"
            case .minutely: "minute"
            case .hourly: "hour"
            case .daily: "day"
            case .weekly: "week"
            case .monthly: "month"
            case .yearly: "year"
            }
        if rule.interval > 1 { return "every \(rule.interval) \(unit)s" }
        if rule.frequency == .yearly || rule.frequency.rawValue < RecurrenceRule.Frequency.daily.rawValue {
            return "every \(unit)"
        }
        if !rule.months.isEmpty { return "only in some months" }
        if !rule.weekNumbers.isEmpty || !rule.yearDays.isEmpty { return "by week or day of the year" }
        if !rule.days.isEmpty, !rule.monthDays.isEmpty { return "weekdays on certain days of the month" }
        if !rule.positions.isEmpty { return "by position (BYSETPOS)" }
        let weeks = [1, 2, 3, 4, -1]
        if let day = rule.days.first(where: { $0.ordinal != 0 && !weeks.contains($0.ordinal) }) {
            return "the \(ordinal(day.ordinal)) \(day.weekday.name)"
        }
        if let day = rule.monthDays.first(where: { $0 < -1 }) { return "the \(ordinal(day)) day of a month" }
        return "\(rule)"
    }

    private static func ordinal(_ number: Int) -> String {
        let value = abs(number)
        let ending =
            switch value % 100 {
            case 11, 12, 13: "th"
            default: [1: "st", 2: "nd", 3: "rd"][value % 10] ?? "th"
            }
        return "\(value)\(ending)\(number < 0 ? " last" : "")"
    }
}
