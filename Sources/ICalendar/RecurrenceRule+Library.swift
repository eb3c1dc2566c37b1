import CICal
package import CivilDate

extension RecurrenceRule.Day {
    /// Weeks before weekdays, those from the end last: `1MO,1WE,3MO,-1MO`.
    fileprivate var rank: Int { (ordinal < 0 ? ordinal + 1000 : ordinal) * 8 + weekday.rawValue }
}

extension RecurrenceRule {
    /// The longest rule that is read, in bytes: all days of all weeks of a year.
    private static let longest = 8192

    /// Reads the value of an `RRULE`; throws when libical finds none in it.
    package init(_ text: String) throws(ICalError) {
        if let reason = cical_load() { throw .libraryMissing(String(cString: reason)) }
        guard text.utf8.count <= RecurrenceRule.longest else { throw .noRule(String(text.prefix(60)) + "…") }
        var rule = cical_rule()
        var lists = [Int16](repeating: 0, count: Int(CICAL_LISTS) * Int(CICAL_LIST_SIZE))
        guard !text.utf8.contains(0), cical_read(text, &rule, &lists), !rule.foreign,
            let frequency = Frequency(rawValue: Int(rule.frequency)),
            let weekStart = Weekday(libraryNumber: Int(rule.week_start))
        else { throw .noRule(text) }
        self.init(frequency)
        self.weekStart = weekStart
        interval = Int(rule.interval)
        count = rule.count == 0 ? nil : Int(rule.count)
        let until = withUnsafeBytes(of: rule.until) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if !until.isEmpty {
            guard let time = ICalTime(until) else { throw .noRule(text) }
            self.until = time
        }
        func list(_ number: Int) -> [Int] {
            let size = withUnsafeBytes(of: rule.sizes) { Int($0.load(fromByteOffset: number * 4, as: Int32.self)) }
            return lists[(number * Int(CICAL_LIST_SIZE))...].prefix(size).map { Int($0) }
        }
        for (weekday, ordinal) in zip(list(CICAL_DAYS), list(CICAL_ORDINALS)) {
            guard let weekday = Weekday(libraryNumber: weekday) else { throw .noRule(text) }
            days.append(Day(weekday, ordinal: ordinal))
        }
        // libical sorts them by weekday alone, and leaves the others in no order.
        days.sort { $0.rank < $1.rank }
        monthDays = list(CICAL_MONTH_DAYS)
        yearDays = list(CICAL_YEAR_DAYS)
        weekNumbers = list(CICAL_WEEK_NUMBERS)
        months = list(CICAL_MONTHS)
        positions = list(CICAL_POSITIONS)
        hours = list(CICAL_HOURS)
        minutes = list(CICAL_MINUTES)
        seconds = list(CICAL_SECONDS)
    }

    /// The days of the rule from `start`, which is its `DTSTART`, to `last`, ascending, each once, at most `limit`.
    ///
    /// Times of day are left out. Throws when the rule counts in hours or less, or cannot be followed.
    package func days(from start: CivilDate, through last: CivilDate, limit: Int) throws(ICalError) -> [CivilDate] {
        if let reason = cical_load() { throw .libraryMissing(String(cString: reason)) }
        guard frequency.rawValue >= Frequency.daily.rawValue else { throw .noRule(description) }
        guard start <= last, limit > 0 else { return [] }
        let (rule, begin) = aligned(to: start)
        guard begin <= last else { return [] }
        // Days of the first week before the start are dropped again.
        let room = limit + 7
        func day(_ date: CivilDate) -> cical_day {
            let (year, month, day) = date.components
            return cical_day(year: Int32(year), month: Int32(month), day: Int32(day))
        }
        var found = [cical_day](repeating: cical_day(), count: room)
        let size = cical_expand(rule.description, day(begin), day(last), &found, Int32(clamping: room))
        guard size >= 0 else { throw .noRule(description) }
        var dates: [CivilDate] = []
        for day in found.prefix(Int(size)) {
            guard let date = CivilDate(year: Int(day.year), month: Int(day.month), day: Int(day.day)) else { continue }
            if date >= start, date <= last, date > dates.last ?? start.adding(days: -1) { dates.append(date) }
        }
        return Array(dates.prefix(min(limit, count ?? limit)))
    }

    /// The same rule in words that libical takes as the standard means them, and the day to follow it from.
    ///
    /// For a rule over several weeks, libical counts a single Sunday to the week before, unless the rule starts on
    /// it. For week numbers without a weekday it uses Tuesday, not the weekday of the start.
    private func aligned(to start: CivilDate) -> (rule: RecurrenceRule, start: CivilDate) {
        var rule = self
        if days.isEmpty, frequency == .weekly || !weekNumbers.isEmpty { rule.days = [Day(start.weekday)] }
        guard frequency == .weekly, interval > 1 else { return (rule, start) }
        // The days before `start` must not be counted.
        rule.count = nil
        let first = start.adding(days: -((start.weekday.rawValue - weekStart.rawValue + 7) % 7))
        let week = (0..<7).map { first.adding(days: $0) }
        return (rule, week.first { date in rule.days.contains { $0.weekday == date.weekday } } ?? start)
    }
}
