package import CivilDate

/// A set of days of the week.
package struct WeekdaySet: OptionSet, Hashable, Sendable {
    /// Bit 0 is Monday, bit 6 Sunday.
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Creates the set of these days.
    package init(_ days: some Sequence<Weekday>) {
        self.init(rawValue: days.reduce(0) { $0 | 1 << UInt8($1.rawValue - 1) })
    }

    /// All seven days.
    package static let all = WeekdaySet(rawValue: 0x7F)

    /// Whether `day` is in the set.
    package func contains(_ day: Weekday) -> Bool { rawValue & 1 << UInt8(day.rawValue - 1) != 0 }

    /// The days, Monday first.
    package var days: [Weekday] { Weekday.allCases.filter { contains($0) } }

    /// The weekdays that come so many days later.
    package func moved(by days: Int) -> WeekdaySet {
        WeekdaySet(self.days.compactMap { Weekday(rawValue: ($0.rawValue - 1 + days) % 7 + 1) })
    }

    /// The short names of the days, Monday first: `Mon`, `Wed`.
    package var names: [String] { days.map(\.shortName) }
}

extension WeekdaySet: ExpressibleByArrayLiteral {
    /// Creates the set of these weekdays; duplicates are ignored.
    package init(arrayLiteral elements: Weekday...) { self.init(elements) }
}

extension Weekday {
    /// The short name: `Mon`.
    package var shortName: String {
        switch self {
        case .monday: "Mon"
        case .tuesday: "Tue"
        case .wednesday: "Wed"
        case .thursday: "Thu"
        case .friday: "Fri"
        case .saturday: "Sat"
        case .sunday: "Sun"
        }
    }

    /// The full name: `Monday`.
    package var name: String {
        switch self {
        case .monday: "Monday"
        case .tuesday: "Tuesday"
        case .wednesday: "Wednesday"
        case .thursday: "Thursday"
        case .friday: "Friday"
        case .saturday: "Saturday"
        case .sunday: "Sunday"
        }
    }

    /// The one letter of the app's day bubbles: `M T W R F S U`.
    package var letter: String {
        switch self {
        case .monday: "M"
        case .tuesday: "T"
        case .wednesday: "W"
        case .thursday: "R"
        case .friday: "F"
        case .saturday: "S"
        case .sunday: "U"
        }
    }
}

extension Weekday {
    /// The day with a number of the app's: Sunday 1 … Saturday 7; nil for any other number.
    package init?(sundayFirstNumber number: Int) {
        guard (1...7).contains(number) else { return nil }
        self.init(rawValue: (number + 5) % 7 + 1)
    }

    /// The day's number in the app: Sunday 1 … Saturday 7.
    package var sundayFirstNumber: Int { rawValue % 7 + 1 }
}
