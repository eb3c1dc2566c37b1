/// A day of a month by its number, or the last one.
package enum MonthDay: Hashable, Sendable {
    /// The day with this number, 1...31.
    case day(Int)
    /// The last day, whichever number it has.
    case last
}

/// A set of days of a month.
package struct MonthDaySet: OptionSet, Hashable, Sendable {
    /// Bits 1 to 31 are the days, bit 0 is the last one.
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates the set of these days; numbers outside 1...31 are ignored.
    package init(_ days: some Sequence<MonthDay>) {
        self.init(
            rawValue: days.reduce(0) { bits, day in
                switch day {
                case .last: bits | 1
                case .day(let number): (1...31).contains(number) ? bits | 1 << UInt32(number) : bits
                }
            })
    }

    /// Whether `day` is in the set.
    package func contains(_ day: MonthDay) -> Bool {
        switch day {
        case .last: rawValue & 1 != 0
        case .day(let number): contains(day: number)
        }
    }

    /// Whether the day with the number 1...31 is in the set.
    package func contains(day: Int) -> Bool { rawValue & 1 << UInt32(day) != 0 }

    /// The days by number, `last` at the end.
    package var days: [MonthDay] {
        (1...31).filter(contains(day:)).map(MonthDay.day) + (contains(.last) ? [.last] : [])
    }

    /// The short forms of the days, by number: `1`, `15`, `last`.
    package var names: [String] {
        days.map { day in
            switch day {
            case .day(let number): String(number)
            case .last: "last"
            }
        }
    }
}

extension MonthDaySet: ExpressibleByArrayLiteral {
    /// Creates the set of these days; duplicates are ignored.
    package init(arrayLiteral elements: MonthDay...) { self.init(elements) }
}

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
