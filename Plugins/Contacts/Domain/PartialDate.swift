package import CivilDate

/// A date whose year, day, or day and month may be unknown (RFC 6350 §4.3.1); at least one part is known.
package struct PartialDate: Hashable, Sendable {
    /// The year, 1...9999.
    package let year: Int?
    /// The month, 1...12.
    package let month: Int?
    /// The day of the month, 1...31.
    package let day: Int?

    /// Creates a date, or nil if it does not exist: 30 February, or a year and a day without a month.
    package init?(year: Int? = nil, month: Int? = nil, day: Int? = nil) {
        guard PartialDate.reasonAgainst(year: year, month: month, day: day) == nil else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The reason why these parts are not a date, or nil if they are.
    static func reasonAgainst(year: Int?, month: Int?, day: Int?) -> String? {
        if year == nil, month == nil, day == nil { return "the date is empty" }
        if let year, !(1...9999).contains(year) { return "the year \(year) is out of range" }
        if let month, !(1...12).contains(month) { return "month \(month) does not exist" }
        guard let day else { return nil }
        guard (1...31).contains(day) else { return "day \(day) does not exist" }
        guard let month else { return year == nil ? nil : "the month is missing" }
        // 29 February without a year is a date.
        let days = CivilDate.daysInMonth(month, of: year ?? 2000)
        guard day > days else { return nil }
        let name = CivilDate.monthNames[month - 1]
        return year.map { "\(name) \($0) has \(days) days" } ?? "\(name) has at most \(days) days"
    }
}

extension PartialDate: CustomStringConvertible {
    /// The extended form: `1985-02-28`, `--02-28`, `1985-02`, `1985`, `--02`, `---28`.
    package var description: String {
        switch (year, month, day) {
        case (let year?, let month?, let day?): "\(padded(year, 4))-\(padded(month))-\(padded(day))"
        case (let year?, let month?, nil): "\(padded(year, 4))-\(padded(month))"
        case (let year?, nil, _): padded(year, 4)
        case (nil, let month?, let day?): "--\(padded(month))-\(padded(day))"
        case (nil, let month?, nil): "--\(padded(month))"
        case (nil, nil, let day): "---\(padded(day ?? 1))"
        }
    }

    /// The basic form of vCard 4.0, without hyphens between the parts: `19850228`, `--0228`, `1985-02`, `---28`.
    package var basicDescription: String {
        switch (year, month, day) {
        case (let year?, let month?, let day?): "\(padded(year, 4))\(padded(month))\(padded(day))"
        case (nil, let month?, let day?): "--\(padded(month))\(padded(day))"
        default: description
        }
    }

    private func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// A birthday or anniversary: a date, or free text.
package enum ContactDate: Hashable, Sendable {
    /// A date with possibly unknown parts.
    case date(PartialDate)
    /// Free text, such as `circa 1800`, or a date that does not exist.
    case text(String)

    /// The date, or nil for free text.
    package var date: PartialDate? {
        if case .date(let date) = self { date } else { nil }
    }
}

extension ContactDate: CustomStringConvertible {
    /// The date as `PartialDate` formats it, free text in quotes; parsing it gives the same value.
    package var description: String {
        switch self {
        case .date(let date): date.description
        case .text(let text): "\"\(text)\""
        }
    }
}

/// The day on which 29 February is celebrated in common years.
package enum LeapDayRule: Sendable {
    case february28, march1
}

extension PartialDate {
    /// The first day on or after `start` with this month and day, or nil when either is unknown.
    package func next(from start: CivilDate, leapDay rule: LeapDayRule = .february28) -> CivilDate? {
        let year = start.components.year
        return [year, year + 1].lazy.compactMap { occurrence(in: $0, leapDay: rule) }.first { $0 >= start }
    }

    /// The day in `year` with this month and day, or nil when either is unknown.
    package func occurrence(in year: Int, leapDay rule: LeapDayRule = .february28) -> CivilDate? {
        guard let month, let day else { return nil }
        if month == 2, day == 29, !CivilDate.isLeap(year) {
            return rule == .march1
                ? CivilDate(year: year, month: 3, day: 1) : CivilDate(year: year, month: 2, day: 28)
        }
        return CivilDate(year: year, month: month, day: day)
    }

    /// The number of full years from the date to `day`, or nil if a part is unknown or the date is in the future.
    package func age(on day: CivilDate, leapDay rule: LeapDayRule = .february28) -> Int? {
        let current = day.components.year
        guard let year, year <= current, let birthday = occurrence(in: current, leapDay: rule) else { return nil }
        let age = current - year - (birthday > day ? 1 : 0)
        return age < 0 ? nil : age
    }
}
