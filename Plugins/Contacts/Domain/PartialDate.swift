import CivilDate

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
