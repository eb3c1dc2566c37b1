/// An occurrence of a weekday in a month: the first, second, third, fourth, or last.
package enum MonthWeek: Int, CaseIterable, Sendable {
    case first = 1, second, third, fourth, last

    /// The short form: `1st`, `Last`.
    package var shortName: String {
        switch self {
        case .first: "1st"
        case .second: "2nd"
        case .third: "3rd"
        case .fourth: "4th"
        case .last: "Last"
        }
    }
}

/// A set of weeks of a month.
package struct MonthWeekSet: OptionSet, Hashable, Sendable {
    /// Bit 1 is the first week, bit 5 the last one.
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Creates the set of these weeks.
    package init(_ weeks: some Sequence<MonthWeek>) {
        self.init(rawValue: weeks.reduce(0) { $0 | 1 << UInt8($1.rawValue) })
    }

    /// Whether `week` is in the set.
    package func contains(_ week: MonthWeek) -> Bool { rawValue & 1 << UInt8(week.rawValue) != 0 }

    /// Whether the week with the ordinal 1...4 is in the set; the fifth is in no set.
    package func contains(ordinal: Int) -> Bool { ordinal <= 4 && rawValue & 1 << UInt8(ordinal) != 0 }

    /// The weeks in order.
    package var weeks: [MonthWeek] { MonthWeek.allCases.filter { contains($0) } }

    /// The short forms of the weeks, in order: `1st`, `Last`.
    package var names: [String] { weeks.map(\.shortName) }
}

extension MonthWeekSet: ExpressibleByArrayLiteral {
    /// Creates the set of these weeks; duplicates are ignored.
    package init(arrayLiteral elements: MonthWeek...) { self.init(elements) }
}
