import CivilDate

/// The dates of one file. Whether the day or the month of `03/04/2024` comes first is found in all of them.
struct ImportedDates: Sendable {
    private enum Order { case dayFirst, monthFirst }

    private let order: Order?
    /// Whether `24-03-11` begins with the year.
    private let hasShortYears: Bool
    /// The seconds that times without a zone are ahead of UTC.
    private let offset: Int

    /// Looks for the order in the texts of dates.
    init(_ cells: [String], isDayFirst: Bool = false, hasShortYears: Bool = false, offset: Int = 0) {
        self.hasShortYears = hasShortYears
        self.offset = offset
        var (days, months) = (isDayFirst, false)
        for cell in cells where !isDayFirst {
            guard let (first, second) = Self.doubtful(cell) else { continue }
            if first > 12 { days = true }
            if second > 12 { months = true }
        }
        order = days == months ? nil : days ? .dayFirst : .monthFirst
    }

    /// The first two numbers of a date that ends in its year.
    private static func doubtful(_ text: String) -> (Int, Int)? {
        let parts = numbers(text.prefix { !$0.isWhitespace && $0 != "," && $0 != "T" })
        guard let parts, parts.count == 3, parts[2].digits == 4, parts[0].digits <= 2 else { return nil }
        return (parts[0].value, parts[1].value)
    }

    /// The three numbers of a date and how many digits each has; nil for anything else.
    private static func numbers(_ text: Substring) -> [(value: Int, digits: Int)]? {
        guard let separator = text.first(where: { !("0"..."9").contains($0) }), "-/.".contains(separator) else {
            return nil
        }
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.count <= 4 && part.allSatisfy { ("0"..."9").contains($0) }
                ? Int(part).map { (value: $0, digits: part.utf8.count) } : nil
        }
        return parts.count == 3 && numbers.count == 3 ? numbers : nil
    }

    /// Returns the day and time of a row; with a zone, or a file that has one, in UTC.
    func moment(_ text: String) throws(RowProblem) -> ImportedMoment {
        guard let moment = try day(text) else {
            let shown = TokenLabel.cleaned(String(text.prefix(30)))
            throw RowProblem(
                text.isEmpty ? "the date is missing" : "invalid date \"\(shown)\"; write it as 2026-01-31 14:30")
        }
        return moment
    }

    private func day(_ text: String) throws(RowProblem) -> ImportedMoment? {
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Self.compact(text) }
        if text.first?.isLetter ?? false || text.contains(where: { $0.isLetter && $0 != "T" && $0 != "Z" }),
            let moment = namedMonth(text)
        {
            return moment
        }
        let date = text.prefix { !$0.isWhitespace && $0 != "T" && $0 != "," }
        guard let numbers = Self.numbers(date), let day = try day(numbers, date) else { return nil }
        return time(text.dropFirst(date.count).drop { $0.isWhitespace || $0 == "T" || $0 == "," }, of: day)
    }

    /// `20260131`, or seconds or milliseconds since 1970.
    private static func compact(_ text: String) -> ImportedMoment? {
        guard let number = Int(text) else { return nil }
        switch text.utf8.count {
        case 8:
            return CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100).map {
                ImportedMoment(day: $0, time: nil)
            }
        case 10: return ImportedMoment(seconds: number)
        case 13: return ImportedMoment(seconds: number / 1000)
        default: return nil
        }
    }

    private func day(_ parts: [(value: Int, digits: Int)], _ text: Substring) throws(RowProblem) -> CivilDate? {
        let (first, second, third) = (parts[0].value, parts[1].value, parts[2].value)
        if parts[0].digits == 4 { return CivilDate(year: first, month: second, day: third) }
        if hasShortYears, parts[2].digits == 2, text.contains("-") {
            return CivilDate(year: 2000 + first, month: second, day: third)
        }
        guard parts[2].digits == 4 else { return nil }
        let isDayFirst = text.contains(".") || first > 12 || first == second || order == .dayFirst
        guard isDayFirst || second > 12 || order == .monthFirst else {
            throw RowProblem("the date \"\(text)\" may start with the day or the month; write it as 2026-01-31")
        }
        return isDayFirst
            ? CivilDate(year: third, month: second, day: first) : CivilDate(year: third, month: first, day: second)
    }

    /// A date such as `Fri, 02 Jun 2023 16:06:47 -0400` (RFC 2822).
    private func namedMonth(_ text: String) -> ImportedMoment? {
        var words = text.split { $0 == " " || $0 == "," }[...]
        if let first = words.first, first.allSatisfy(\.isLetter), words.count > 3 { words.removeFirst() }
        guard words.count >= 3, let number = Int(words[words.startIndex]), words[words.startIndex + 1].count >= 3,
            let month = CivilDate.monthNames.firstIndex(where: {
                $0.lowercased().hasPrefix(words[words.startIndex + 1].lowercased())
            }), let year = Int(words[words.startIndex + 2]),
            let day = CivilDate(year: year, month: month + 1, day: number)
        else { return nil }
        return time(Substring(words.dropFirst(3).joined(separator: " ")), of: day)
    }

    /// Reads `14:30`, `14:30:05.123 UTC`, `02:30 PM`, `14:30:05-04:00`; nil for anything else.
    private func time(_ text: Substring, of day: CivilDate) -> ImportedMoment? {
        if text.isEmpty { return ImportedMoment(day: day, time: nil) }
        let clock = text.prefix { ("0"..."9").contains($0) || $0 == ":" || $0 == "." }
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), var hour = Self.short(parts[0]), let minute = Self.short(parts[1]),
            let second = parts.count == 2 ? 0 : Self.short(parts[2].prefix { $0 != "." })
        else { return nil }
        var zone = text.dropFirst(clock.count).filter { !$0.isWhitespace }.uppercased()
        for (word, shift) in [("AM", 0), ("PM", 12)] where zone.hasPrefix(word) {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + shift
            zone.removeFirst(2)
        }
        guard hour < 24, minute < 60, second <= 60, let ahead = seconds(ahead: zone) else { return nil }
        let total = day.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + min(second, 59)
        return ImportedMoment(seconds: total - ahead)
    }

    private static func short(_ text: Substring) -> Int? {
        (1...2).contains(text.utf8.count) && text.allSatisfy { ("0"..."9").contains($0) } ? Int(text) : nil
    }

    /// The seconds that a zone is ahead of UTC: `Z`, `UTC`, `+02:00`, `-0400`, `UTC+2`.
    private func seconds(ahead zone: String) -> Int? {
        if zone.isEmpty { return offset }
        var rest = Substring(zone)
        for word in ["UTC", "GMT", "Z"] where rest.hasPrefix(word) { rest = rest.dropFirst(word.count) }
        if rest.isEmpty { return 0 }
        guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
        let digits = rest.dropFirst().filter { $0 != ":" }
        guard let number = Int(digits), digits.utf8.count <= 4 else { return nil }
        let (hours, minutes) = digits.utf8.count <= 2 ? (number, 0) : (number / 100, number % 100)
        guard hours <= 14, minutes < 60 else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}

extension ImportedMoment {
    /// The moment that lies `seconds` after 1970-01-01 in UTC; nil outside of the years 1970 to 9999.
    init?(seconds: Int) {
        guard (0..<253_402_300_800).contains(seconds) else { return nil }
        self.init(day: CivilDate(daysSinceEpoch: seconds / 86_400), time: seconds % 86_400)
    }
}
