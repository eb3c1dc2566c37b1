package import CivilDate

/// A recurrence rule: the value of an `RRULE` (RFC 5545 §3.3.10).
package struct RecurrenceRule: Hashable, Sendable {
    /// The period of a rule.
    package enum Frequency: Int, CaseIterable, Sendable {
        case secondly = 0, minutely, hourly, daily, weekly, monthly, yearly

        /// As it is written.
        package var name: String { "\(self)".uppercased() }
    }

    /// A day of the week, every one of the period or a certain one.
    package struct Day: Hashable, Sendable {
        /// The day.
        package var weekday: Weekday
        /// Which one of the month or year: 2 is the second, -1 the last; 0 for every one.
        package var ordinal: Int

        package init(_ weekday: Weekday, ordinal: Int = 0) {
            self.weekday = weekday
            self.ordinal = ordinal
        }
    }

    /// The period.
    package var frequency: Frequency
    /// Every how many periods.
    package var interval = 1
    /// The total number of occurrences; nil for no limit.
    package var count: Int?
    /// The last moment at which it may be; nil without such an end.
    package var until: ICalTime?
    /// `BYDAY`.
    package var days: [Day] = []
    /// `BYMONTHDAY`; -1 is the last day.
    package var monthDays: [Int] = []
    /// `BYYEARDAY`.
    package var yearDays: [Int] = []
    /// `BYWEEKNO`.
    package var weekNumbers: [Int] = []
    /// `BYMONTH`.
    package var months: [Int] = []
    /// `BYSETPOS`.
    package var positions: [Int] = []
    /// `BYHOUR`.
    package var hours: [Int] = []
    /// `BYMINUTE`.
    package var minutes: [Int] = []
    /// `BYSECOND`.
    package var seconds: [Int] = []
    /// `WKST`.
    package var weekStart = Weekday.monday

    package init(_ frequency: Frequency) { self.frequency = frequency }
}

extension RecurrenceRule: CustomStringConvertible {
    /// The rule as it is written, its parts in the order of the standard.
    package var description: String {
        var parts = ["FREQ=\(frequency.name)"]
        if let until { parts.append("UNTIL=\(until)") }
        if let count { parts.append("COUNT=\(count)") }
        if interval != 1 { parts.append("INTERVAL=\(interval)") }
        func add(_ name: String, _ values: [String]) {
            if !values.isEmpty { parts.append("\(name)=\(values.joined(separator: ","))") }
        }
        add("BYSECOND", seconds.map(String.init))
        add("BYMINUTE", minutes.map(String.init))
        add("BYHOUR", hours.map(String.init))
        add("BYDAY", days.map { ($0.ordinal == 0 ? "" : "\($0.ordinal)") + $0.weekday.ruleName })
        add("BYMONTHDAY", monthDays.map(String.init))
        add("BYYEARDAY", yearDays.map(String.init))
        add("BYWEEKNO", weekNumbers.map(String.init))
        add("BYMONTH", months.map(String.init))
        add("BYSETPOS", positions.map(String.init))
        if weekStart != .monday { parts.append("WKST=\(weekStart.ruleName)") }
        return parts.joined(separator: ";")
    }
}

extension Weekday {
    /// The two letters of rules: `MO`.
    var ruleName: String {
        switch self {
        case .monday: "MO"
        case .tuesday: "TU"
        case .wednesday: "WE"
        case .thursday: "TH"
        case .friday: "FR"
        case .saturday: "SA"
        case .sunday: "SU"
        }
    }

    /// The day with a number of the library: 1 is Sunday.
    init?(libraryNumber number: Int) { self.init(rawValue: number == 1 ? 7 : number - 1) }
}
