/// A day of the proleptic Gregorian calendar, without a time and without a time zone.
///
/// It is stored as the number of days since 1970-01-01, so arithmetic and order are integer arithmetic and order. The
/// text form is `yyyy-MM-dd` (RFC 3339 `full-date`). The conversions follow Howard Hinnant's `days_from_civil`.
package struct CivilDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01; negative before it.
    package let daysSinceEpoch: Int

    /// The day that lies `days` after 1970-01-01.
    package init(daysSinceEpoch days: Int) { daysSinceEpoch = days }

    /// The given day, or nil when the calendar has no such day or the year is not in 1...9999.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= CivilDate.daysInMonth(month, of: year)
        else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted >= 0 ? shifted / 400 : (shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        daysSinceEpoch = era * 146_097 + dayOfEra - 719_468
    }

    /// The day written as `yyyy-MM-dd`, or nil when `text` is anything else.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(Int?.some(0)) { sum, byte in
                guard let sum, (0x30...0x39).contains(byte) else { return nil }
                return sum * 10 + Int(byte - 0x30)
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Year, month (1...12) and day of the month (1...31).
    package var components: (year: Int, month: Int, day: Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = shifted >= 0 ? shifted / 146_097 : (shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The day of the week.
    package var weekday: Weekday {
        let index = (daysSinceEpoch + 3) % 7
        return Weekday.allCases[index < 0 ? index + 7 : index]
    }

    /// The day that lies `days` later, or earlier when negative.
    package func adding(days: Int) -> CivilDate { CivilDate(daysSinceEpoch: daysSinceEpoch + days) }

    /// Returns the number of days in the given month of the given year.
    package static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether the given year has a 29 February.
    package static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    /// Whether `left` is an earlier date.
    package static func < (left: CivilDate, right: CivilDate) -> Bool { left.daysSinceEpoch < right.daysSinceEpoch }
}

extension CivilDate {
    /// The English names of the months, January first.
    package static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// The day in words: `20 November 2026`.
    package var words: String {
        let (year, month, day) = components
        return "\(day) \(CivilDate.monthNames[month - 1]) \(year)"
    }
}

extension CivilDate: CustomStringConvertible {
    /// The day as `yyyy-MM-dd`.
    package var description: String {
        let (year, month, day) = components
        guard (0...9999).contains(year) else {
            func padded(_ number: Int) -> String { "\(number < 10 ? "0" : "")\(number)" }
            return "\(year)-\(padded(month))-\(padded(day))"
        }
        return String(unsafeUninitializedCapacity: 10) { text in
            var (place, rest) = (9, year * 10_000 + month * 100 + day)
            while place >= 0 {
                let isMark = place == 4 || place == 7
                text[place] = isMark ? 0x2D : UInt8(0x30 + rest % 10)
                if !isMark { rest /= 10 }
                place -= 1
            }
            return 10
        }
    }
}

/// A day of the week; Monday comes first, as in ISO 8601.
package enum Weekday: Int, CaseIterable, Sendable, Comparable {
    case monday = 1, tuesday, wednesday, thursday, friday, saturday, sunday

    /// Whether `left` comes earlier in a week that starts with Monday.
    package static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }
}
