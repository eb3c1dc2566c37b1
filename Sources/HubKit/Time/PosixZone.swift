import CivilDate

/// A time zone as the variable `TZ` of POSIX spells it, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
struct PosixZone: Sendable {
    private let standard: Int
    private let summer: Summer?

    private struct Summer {
        let offset: Int
        let start: YearlyChange
        let end: YearlyChange
    }

    /// Nil when `text` is not written so, or leaves out when summer time begins.
    init?(_ text: String) {
        var reader = Reader(rest: text[...])
        guard reader.skipName(), let west = reader.time() else { return nil }
        standard = -west
        if reader.rest.isEmpty {
            summer = nil
            return
        }
        guard reader.skipName() else { return nil }
        let offset = reader.rest.first == "," ? standard + 3600 : reader.time().map { -$0 }
        guard let offset, let start = reader.change(), let end = reader.change(), reader.rest.isEmpty else {
            return nil
        }
        summer = Summer(offset: offset, start: start, end: end)
    }

    /// Seconds that clocks are ahead of UTC at `seconds` since 1970.
    func offset(at seconds: Int64) -> Int {
        guard let summer else { return standard }
        let local = Int(seconds) + standard
        let day = (local >= 0 ? local : local - 86_399) / 86_400
        let year = CivilDate(daysSinceEpoch: day).components.year
        let start = summer.start.seconds(in: year) - standard
        let end = summer.end.seconds(in: year) - summer.offset
        let isSummer =
            start < end ? (start..<end).contains(Int(seconds)) : !(end..<start).contains(Int(seconds))
        return isSummer ? summer.offset : standard
    }

    /// The yearly change of daylight saving time.
    private struct YearlyChange {
        enum Day {
            /// The `week`-th (5: the last) `weekday` (0: Sunday) of a month.
            case weekday(month: Int, week: Int, weekday: Int)
            /// The day of the year, from 1, 29 February not counted.
            case julian(Int)
            /// The day of the year, from 0.
            case ordinal(Int)
        }

        let day: Day
        /// Seconds after midnight of that day; more than a day or negative for places that need it.
        let time: Int

        /// The change on the clock that it ends, as seconds since 1970 of a clock at UTC.
        func seconds(in year: Int) -> Int { daysSinceEpoch(in: year) * 86_400 + time }

        private func daysSinceEpoch(in year: Int) -> Int {
            func first(_ month: Int) -> Int { CivilDate(year: year, month: month, day: 1)?.daysSinceEpoch ?? 0 }
            switch day {
            case .ordinal(let number): return first(1) + number
            case .julian(let number):
                return first(1) + number - 1 + (CivilDate.isLeap(year) && number >= 60 ? 1 : 0)
            case .weekday(let month, let week, let weekday):
                let start = first(month)
                // 1970-01-01 was a Thursday, the fifth day of a week that begins on Sunday.
                let toFirst = (weekday - (start + 4) % 7 + 14) % 7
                let days = toFirst + (week - 1) * 7
                return start + (days < CivilDate.daysInMonth(month, of: year) ? days : days - 7)
            }
        }
    }

    private struct Reader {
        var rest: Substring

        /// Passes over letters, or over anything in angle brackets.
        mutating func skipName() -> Bool {
            if rest.first == "<", let end = rest.firstIndex(of: ">") {
                rest = rest[rest.index(after: end)...]
                return true
            }
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count)
            return !name.isEmpty
        }

        /// `[+-]hh[:mm[:ss]]` in seconds.
        mutating func time() -> Int? {
            let isNegative = rest.first == "-"
            if isNegative || rest.first == "+" { rest.removeFirst() }
            guard var seconds = number(through: 167).map({ $0 * 3600 }) else { return nil }
            for unit in [60, 1] where rest.first == ":" {
                rest.removeFirst()
                guard let part = number(through: 59) else { return nil }
                seconds += part * unit
            }
            return isNegative ? -seconds : seconds
        }

        mutating func change() -> YearlyChange? {
            guard skip(","), let day = day() else { return nil }
            guard skip("/") else { return YearlyChange(day: day, time: 7200) }
            return time().map { YearlyChange(day: day, time: $0) }
        }

        private mutating func day() -> YearlyChange.Day? {
            if skip("J") { return number(through: 365).flatMap { $0 > 0 ? .julian($0) : nil } }
            guard skip("M") else { return number(through: 365).map { .ordinal($0) } }
            guard let month = number(through: 12), month > 0, skip("."), let week = number(through: 5), week > 0,
                skip("."), let weekday = number(through: 6)
            else { return nil }
            return .weekday(month: month, week: week, weekday: weekday)
        }

        private mutating func skip(_ character: Character) -> Bool {
            guard rest.first == character else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func number(through limit: Int) -> Int? {
            let digits = rest.prefix { ("0"..."9").contains($0) }
            guard let number = Int(digits), number <= limit else { return nil }
            rest = rest.dropFirst(digits.count)
            return number
        }
    }
}
