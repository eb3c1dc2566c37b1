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
